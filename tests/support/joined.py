"""Two states joined in one: a database that has the ills of both."""

from collections.abc import Iterator
from typing import Any

from advisor.catalogue.sources import all_sources
from tests.support.states import Row, State, base_state


class ContradictionError(Exception):
    """Two states change the same value differently."""


def join(one: State, two: State) -> State:
    """Return the base state with the changes of both states. Raise ContradictionError if they do not agree."""
    base = base_state()
    if one.single or two.single or one.seconds != two.seconds or one.thresholds or two.thresholds:
        raise ContradictionError
    sources = {
        name: list(_rows(name, *(state.sources.get(name, []) for state in (base, one, two))))
        for name in one.sources.keys() | two.sources.keys()
    }
    return State(
        sources=sources,
        database=_values(base.database, one.database, two.database),
        site=_values({}, one.site, two.site),
        seconds=one.seconds,
    )


def _rows(name: str, *states: list[Row]) -> Iterator[Row]:
    keys = all_sources()[name].names("key")
    base, one, two = ({tuple(row.get(key) for key in keys): row for row in rows} for rows in states)
    for key in {**one, **two}:
        if key in one and key in two:
            yield _values(base.get(key, {}), one[key], two[key])
            continue
        row = one.get(key) or two[key]
        if key not in base:
            yield row
        elif row != base[key]:  # one state removed the row, the other one changed it
            raise ContradictionError


def _values(base: dict[str, Any], one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name in {**one, **two}:
        values = [state[name] for state in (one, two) if name in state and state[name] != base.get(name)]
        if len(values) > 1 and values[0] != values[1]:
            raise ContradictionError
        found[name] = values[0] if values else base.get(name)
    return found
