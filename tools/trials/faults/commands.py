"""Printed commands of hostile machines, typed into a shell and read as the command line processor and SQL read them."""

from collections.abc import Iterator
from itertools import product

from advisor.catalogue.rules import all_rules
from advisor.judgement.states import observe_state
from tests.machines import MACHINES
from tests.support.advised import judge
from tests.support.hostile import COLUMNS, taint
from tests.support.typed import TYPED, Payload, check
from tools.trials.faults.fuzz import Tried


def tried() -> Iterator[Tried]:
    """Try each payload in the names, then the values, of every machine."""
    rules = list(all_rules().values())
    machines = list(product(MACHINES, COLUMNS))
    for kind, text in TYPED.items():
        states = (observe_state(taint(MACHINES[name](), which, text)) for name, which in machines)
        for (name, which), advice in zip(machines, judge((state, rules) for state in states), strict=True):
            why = None
            try:
                check(advice, Payload(text))
            except AssertionError as error:
                why = str(error)
            yield Tried(kind, f"{which} of {name}", why)
