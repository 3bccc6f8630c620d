"""Write the machines to fixtures/, and the advice that is expected for those that are named."""

import json
import sys

from advisor.judge.run import advise
from tests.machines import FIXTURES, MACHINES, expected, summary
from tests.support.states import write_capture

for name, machine in MACHINES.items():
    write_capture(machine(), FIXTURES / name)
for name in sys.argv[1:]:
    text = json.dumps(summary(advise(FIXTURES / name)), indent=2)
    expected(name).write_text(text + "\n", encoding="utf-8")
