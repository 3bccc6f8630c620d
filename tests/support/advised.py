"""The advice for the committed machines."""

from contextlib import ExitStack

from advisor.capture import opened
from advisor.catalogue.rules import all_rules
from advisor.judge.advice import Advice
from advisor.judge.many import judge
from tests.machines import FIXTURES, MACHINES
from tests.support.once import once


def advised(name: str) -> Advice:
    """The advice for a machine as it is committed."""
    return once("machines", _all)[name]


def _all() -> dict[str, Advice]:
    rules = list(all_rules().values())
    with ExitStack() as stack:
        captures = [stack.enter_context(opened(FIXTURES / name)) for name in MACHINES]
        return dict(zip(MACHINES, judge((capture, rules) for capture in captures), strict=True))
