"""The advice for the committed machines, and for other captures of a test."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

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
    return dict(zip(MACHINES, judged([FIXTURES / name for name in MACHINES]), strict=True))


def judged(captures: Sequence[Path]) -> list[Advice]:
    """The advice for each capture; they are judged together."""
    rules = list(all_rules().values())
    with ExitStack() as stack:
        return list(judge((stack.enter_context(opened(path)), rules) for path in captures))
