"""Numbers at the ends of their types, in every source: the run continues and loses only the rules that need them."""

import random
import traceback
from collections.abc import Iterator
from typing import Any

from advisor.catalogue.rules import all_rules
from advisor.catalogue.sources import Column, all_sources
from advisor.judgement.advice import Advice
from tests.machines import MACHINES
from tests.support.advised import judge
from tests.support.large import OTHERS
from tests.support.states import State, observe_state, state_of
from tools.trials.faults.fuzz import Tried

KIND = "numbers at their ends"
TOGETHER = 40
ENDS: dict[str, tuple[Any, ...]] = {
    "SMALLINT": (-(2**15), 2**15 - 1),
    "INTEGER": (-(2**31), 2**31 - 1),
    "BIGINT": (-(2**63), 2**63 - 1),
    "DOUBLE": (-1.7e308, 1.7e308),
}
ALWAYS = (0, -1, None)
KEYS = {"VARCHAR": "A1", "TIMESTAMP": "2026-01-01 00:00:00"}


def cases() -> list[tuple[str, str, Any]]:
    """Return source, column and value of each case."""
    return [
        (source.name, column.name, value)
        for source in all_sources().values()
        for column in source.columns
        if column.name not in source.names("key")
        for value in (*ENDS.get(_type(column), ()), *(ALWAYS if _type(column) in ENDS else (None,)))
    ]


def _type(column: Column) -> str:
    return str(column.type).partition("(")[0]


def with_number(source: str, column: str, value: Any) -> State:
    """Return a machine with problems, with a row added to each empty source."""
    state = MACHINES["x445-8way"]().copy()
    if not state.sources.get(source):
        keys = {each.name: KEYS.get(_type(each), 0) for each in all_sources()[source].columns if each.kind == "key"}
        state = state_of({source: [keys | row for row in OTHERS.get(source, [{}])]})
    for row in state.sources[source]:
        row[column] = value
    return state


def tried(seed: int = 0, most: int | None = None) -> Iterator[Tried]:
    """Return this many cases, or all."""
    every = cases()
    drawn = every if most is None else random.Random(seed).sample(every, most)
    for at in range(0, len(drawn), TOGETHER):
        yield from _tried(drawn[at : at + TOGETHER])


def _tried(some: list[tuple[str, str, Any]]) -> Iterator[Tried]:
    try:
        advice: list[Advice | str] = list(_judged(some))
    except Exception:
        advice = [_alone(case) for case in some]
    for (source, column, value), each in zip(some, advice, strict=True):
        yield Tried(KIND, f"{source}.{column} = {value}", each if isinstance(each, str) else None)


def _judged(some: list[tuple[str, str, Any]]) -> list[Advice]:
    rules = list(all_rules().values())
    return list(judge((observe_state(with_number(*case)), rules) for case in some))


def _alone(case: tuple[str, str, Any]) -> Advice | str:
    try:
        return _judged([case])[0]
    except Exception:
        return traceback.format_exc()
