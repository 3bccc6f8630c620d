"""Checks of one statement: each is a function with its name and source; a new one is added without touching others."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module

from advisor.diagnosis.case import Case, Proposal, Right

Found = Iterator[Proposal | Right]


@dataclass(frozen=True)
class Check:
    """A check: its name, what it looks for, where the practice is from, and the function."""

    name: str
    title: str
    source: str
    run: Callable[[Case], Found]


CHECKS: list[Check] = []
_MODULES = (
    "figures",
    "settings",
    "statistics",
    "physical",
    "rewriting",
    "access",
    "advised",
    "joins",
    "needless",
)  # later ones see what earlier ones found


def check(name: str, title: str, source: str) -> Callable[[Callable[[Case], Found]], Callable[[Case], Found]]:
    """Add a function to the checks."""

    def add(function: Callable[[Case], Found]) -> Callable[[Case], Found]:
        CHECKS.append(Check(name, title, source, function))
        return function

    return add


def all_checks() -> list[Check]:
    """Return all checks in their order."""
    for module in _MODULES:
        import_module(f"advisor.diagnosis.checks.{module}")
    return CHECKS


def run_checks(case: Case) -> tuple[list[Proposal], list[Right]]:
    """Return the proposals, best first, and what is right."""
    right: list[Right] = []
    for each in all_checks():
        for found in each.run(case):
            if isinstance(found, Right):
                right.append(replace(found, check=each.name))
            else:
                case.found.append(replace(found, check=each.name, source=each.source))
    return sorted(case.found, key=lambda proposal: -proposal.weight), right
