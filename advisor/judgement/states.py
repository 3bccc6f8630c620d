"""The states of a rule's cases: a healthy database (sql/cases/base.yml) with the changes of a case.

A state describes one interval: counters are differences over the interval, gauges are values at its end. No rule fires
in the base state.
"""

import copy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from advisor import documents
from advisor.capture import Snapshot
from advisor.catalogue.sources import all_sources, read_sources
from advisor.judgement.observed import Observed
from advisor.resources import SQL

Row = dict[str, Any]

BASE = SQL / "cases" / "base.yml"
BEGIN = datetime(2026, 3, 2, 10, 0)


@dataclass
class State:
    """The data of one interval."""

    sources: dict[str, list[Row]]
    database: dict[str, Any]
    site: dict[str, Any] = field(default_factory=dict)
    thresholds: dict[str, dict[str, Any]] = field(default_factory=dict)
    seconds: float = 300
    single: bool = False

    def copy(self) -> "State":
        sources = {name: [dict(row) for row in rows] for name, rows in self.sources.items()}
        return replace(self, sources=sources, database=dict(self.database), site=dict(self.site))


@cache
def _base() -> dict[str, Any]:
    return dict(documents.from_yaml(BASE.read_bytes(), BASE.name))


def state_of(case: dict[str, Any]) -> State:
    """Return the base state with the sources that a case replaces.

    A row needs only the relevant columns; the others come from the source's defaults. ``config``, ``dbm`` and
    ``registry_values`` are short forms: name to value, for every member. ``members`` is the number of members.
    ``database`` contains attributes of the database, with columns of each member's row in ``rows``, or is a list of rows.
    """
    base = copy.deepcopy(_base())
    about = case.get("database", {})
    if isinstance(about, dict):
        counted = about.get("rows", {})
        about = {name: value for name, value in about.items() if name != "rows"}
        case = case | {"database": [{"MEMBER": member} | counted for member in range(case.get("members", 1))]}
    else:
        about = {}
    sources: dict[str, list[Row]] = {}
    for name in all_sources():
        rows = case.get(name, base["rows"].get(name, []))
        sources[name] = [base["defaults"].get(name, {}) | row for row in rows]
    members = [row["MEMBER"] for row in sources["database"]]
    if len(members) > 1:
        for name in ("system", "transaction_log", "workload", "member"):
            if name not in case:
                sources[name] = [dict(row, MEMBER=member) for row in sources[name][:1] for member in members]
    config = base["config"] | case.get("config", {})
    sources["dbcfg"] = case.get("dbcfg") or [row for member in members for row in _settings(config, {"MEMBER": member})]
    sources["dbmcfg"] = case.get("dbmcfg") or _settings(base["dbm"] | case.get("dbm", {}), {})
    registry = case.get("registry_values", {})
    sources["registry"] = case.get("registry") or [
        {
            "REG_VAR_NAME": key,
            "MEMBER": member,
            "REG_VAR_VALUE": value,
            "REG_VAR_ON_DISK_VALUE": value,
            "IS_AGGREGATE": 0,
            "AGGREGATE_NAME": None,
        }
        for key, value in registry.items()
        for member in members
    ]
    return State(
        sources=sources,
        database=base["database"] | about,
        site=case.get("site", {}),
        thresholds=case.get("thresholds", {}),
        seconds=case.get("seconds", 300),
        single=case.get("single", False),
    )


def _settings(values: dict[str, Any], extra: Row) -> list[Row]:
    """Return configuration rows; 'AUTOMATIC(n)' sets the flag, 'a -> b' leaves b pending."""
    rows = []
    for name, value in values.items():
        now, _, later = str("" if value is None else value).partition(" -> ")
        current, flags = _split_flag(now)
        deferred, deferred_flags = _split_flag(later or now)
        rows.append(
            {
                "NAME": name,
                "VALUE": current,
                "VALUE_FLAGS": flags,
                "DEFERRED_VALUE": deferred,
                "DEFERRED_VALUE_FLAGS": deferred_flags,
                **extra,
            }
        )
    return rows


def _split_flag(text: str) -> tuple[str | None, str]:
    for flag in ("AUTOMATIC", "COMPUTED"):
        if text.startswith(f"{flag}(") and text.endswith(")"):
            return text[len(flag) + 1 : -1], flag
    return text or None, "NONE"


def settle_state(state: State) -> State:
    """Return the state as Db2 shows it: typed numbers, rows sorted by key, and consistent prefetch sizes.

    A case sets the prefetch size only in one of its two sources.
    """
    result = state.copy()
    for name, rows in result.sources.items():
        keys = all_sources()[name].names("key")
        rows[:] = [convert_row(name, row) for row in rows]
        rows.sort(key=lambda row, keys=keys: [str(row.get(key)) for key in keys])  # type: ignore[misc]
    sizes = {row["TBSPACE"]: row.get("PREFETCHSIZE") for row in result.sources.get("cat_tablespace", [])}
    for row in result.sources.get("tablespace", []):
        if "TBSP_PREFETCH_SIZE" in row:
            row["TBSP_PREFETCH_SIZE"] = sizes.get(row["TBSP_NAME"], row["TBSP_PREFETCH_SIZE"])
    return result


def observe_state(state: State) -> Observed:
    """Return the state in the form that db2tune judges, as from a capture."""
    ids = [2] if state.single else [1, 2]
    taken = {1: BEGIN, 2: BEGIN + timedelta(seconds=state.seconds)}
    options = ({"site": state.site} if state.site else {}) | state.thresholds
    sources = {}
    for name, rows in state.sources.items():
        if not rows and name not in read_sources():  # only texts have it
            continue
        end = [{column: None if value == "" else value for column, value in row.items()} for row in rows]
        counters = set(all_sources()[name].names("counter"))
        begin = [
            {column: 0 if column in counters and value is not None else value for column, value in row.items()}
            for row in end
        ]
        sources[name] = [row | {"SNAP_ID": number} for number in ids for row in (begin if number == 1 else end)]
    return Observed([Snapshot(number, taken[number], state.database) for number in ids], sources, options)


def convert_row(source: str, row: Row) -> Row:
    """Return a row with the types that the source declares; empty values are None."""
    types = {column.name: column.type for column in all_sources()[source].columns}
    return {name: None if value in (None, "") else _value(types[name], value) for name, value in row.items()}


def _value(kind: str, value: Any) -> Any:
    if kind in ("SMALLINT", "INTEGER", "BIGINT"):
        return int(value)
    return float(value) if kind == "DOUBLE" else str(value)
