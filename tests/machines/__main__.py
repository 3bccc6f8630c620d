"""Write the captures that fixtures/ contains, and the expected advice for the named machines."""

import json
import sys

from advisor.catalogue.rules import all_rules
from advisor.judge.many import judge
from tests.machines import MACHINES, expected, summary, write_files
from tests.support.paths import KEPT
from tests.support.states import capture_files, observe_state

for folder in KEPT:
    write_files(capture_files(MACHINES[folder.name]()), folder)
named = sys.argv[1:]
rules = list(all_rules().values())
for name, advice in zip(named, judge((observe_state(MACHINES[name]()), rules) for name in named), strict=True):
    expected(name).write_text(json.dumps(summary(advice), indent=2) + "\n", encoding="utf-8")
