"""Advice for the committed machines and for other captures of a test."""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from advisor.capture.rows import State
from advisor.catalogue.embedded import Record, open_tables
from advisor.catalogue.rules import Rule
from advisor.catalogue.views import views_read_by
from advisor.judgement import states as cases
from advisor.judgement.advice import Advice
from advisor.judgement.run import advise, evaluate, prepare
from advisor.judgement.states import observe_state
from tests.support.paths import CAPTURES


@cache
def advised(name: str) -> Advice:
    """Return the advice for a committed machine."""
    return advise(CAPTURES / name)


@cache
def advised_inside(name: str) -> Advice:
    """Return the advice for a committed machine without proposed indexes, as inside Db2."""
    with patch("advisor.judgement.run.propose_indexes", return_value=None):
        return advise(CAPTURES / name)


def judge(cases: Iterable[tuple[State, Sequence[Rule]]]) -> Iterator[Advice]:
    """Yield the advice for each state from its rules. A capture must stay open until then."""
    return (evaluate(state, rules) for state, rules in cases)


def read_view(name: str, states: Iterable[cases.State]) -> Iterator[list[Record]]:
    """Yield the rows of a window view in each state, without rules."""
    views = views_read_by([f"TUNE.{name}"])
    for state in states:
        with open_tables() as tables:
            prepare(tables, observe_state(state), [], views)
            yield tables.records(f"SELECT * FROM TUNE.{name}")


def judged(captures: Sequence[Path]) -> list[Advice]:
    """Return the advice for each capture."""
    return [advise(path) for path in captures]


def to_nine_digits(value: Any) -> Any:
    """Return advice, or a part of it, with numbers rounded for comparison.

    The order in which a sum adds its terms varies and changes the last digits.
    """
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return [to_nine_digits(item) for item in value]
    if dataclasses.is_dataclass(value):
        return {field.name: to_nine_digits(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value
