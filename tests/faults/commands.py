"""Printed commands of hostile machines, typed into a shell and read as the command line processor and SQL read them."""

from collections.abc import Iterator
from itertools import product

from advisor.catalogue.rules import all_rules
from advisor.judgement.many import judge
from advisor.judgement.states import observe_state
from tests.faults.fuzz import Tried
from tests.machines import MACHINES
from tests.support.hostile import COLUMNS, taint
from tests.support.typed import Payload
from tests.support.typed_lines import TYPED, check


def tried() -> Iterator[Tried]:
    """Try each payload in the names, then the values, of every machine."""
    rules = list(all_rules().values())
    for kind, text in TYPED.items():
        names = list(product(MACHINES, COLUMNS))
        states = (observe_state(taint(MACHINES[name](), which, text)) for name, which in names)
        for (name, which), advice in zip(names, judge((state, rules) for state in states), strict=True):
            try:
                check(advice, Payload(text))
            except AssertionError as error:
                yield Tried(kind, f"{which} of {name}", str(error))
            else:
                yield Tried(kind, f"{which} of {name}", None)
