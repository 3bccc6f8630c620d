"""Write the machines to fixtures/, and the expected advice for the named ones."""

import json
import sys

from advisor.catalogue.rules import all_rules
from advisor.judge.many import judge
from tests.machines import FIXTURES, MACHINES, expected, summary
from tests.support.states import observe_state, write_capture

for name, machine in MACHINES.items():
    write_capture(machine(), FIXTURES / name)
named = sys.argv[1:]
rules = list(all_rules().values())
for name, advice in zip(named, judge((observe_state(MACHINES[name]()), rules) for name in named), strict=True):
    expected(name).write_text(json.dumps(summary(advice), indent=2) + "\n", encoding="utf-8")
