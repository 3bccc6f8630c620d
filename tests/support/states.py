"""Machine states for tests: rows of snapshot tables, written out as a capture.

A state holds what happened between two snapshots: counters are the difference over the interval, gauges
the value at its end. What a case leaves out comes from tests/rules/base.yml, a database in which no rule
fires.
"""

import copy
import csv
import io
import json
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from advisor.capture import Snapshot
from advisor.catalogue.sources import all_sources
from advisor.judge.observed import Observed
from tests.support.paths import CASES
from tests.support.written import written

Row = dict[str, Any]

BASE = CASES / "base.yml"
BEGIN = datetime(2026, 3, 2, 10, 0)


@dataclass
class State:
    """What a capture says of one interval."""

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
    return dict(written(BASE))


def base_state() -> State:
    """The state in which no rule fires."""
    return state_of({})


def state_of(case: dict[str, Any]) -> State:
    """The base state with the sources that a case gives in place of its own.

    A row needs only the columns that matter; the others come from the source's defaults. ``config`` and
    ``dbm`` and ``registry_values`` are short forms: name to value, for every member. ``members`` is how many
    there are; ``database`` says what database it is, with what each member's row holds in ``rows``, or is a list of
    the source's rows.
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


def filled(state: State) -> State:
    """The state with 0 for every counter that it does not mention, so that a capture of it lacks none."""
    result = state.copy()
    for name, rows in result.sources.items():
        rows[:] = [dict.fromkeys(all_sources()[name].names("counter"), 0) | row for row in rows]
    return result


def _settings(values: dict[str, Any], extra: Row) -> list[Row]:
    """Configuration rows; 'AUTOMATIC(n)' sets the flag, 'a -> b' leaves b pending."""
    rows = []
    for name, value in values.items():
        now, _, later = str("" if value is None else value).partition(" -> ")
        current, flags = _flagged(now)
        deferred, deferred_flags = _flagged(later or now)
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


def _flagged(text: str) -> tuple[str | None, str]:
    for flag in ("AUTOMATIC", "COMPUTED"):
        if text.startswith(f"{flag}(") and text.endswith(")"):
            return text[len(flag) + 1 : -1], flag
    return text or None, "NONE"


def write_capture(state: State, target: Path) -> Path:
    """Write a state as a capture directory: one CSV file for each source that has rows."""
    target.mkdir(parents=True, exist_ok=True)
    for name, text in capture_files(state).items():
        (target / name).write_text(text, encoding="utf-8", newline="")
    return target


def capture_files(state: State) -> dict[str, str]:
    """The files of a capture of a state, by name."""
    seen = observed(state)
    manifest: dict[str, Any] = {
        "schema": 1,
        "snapshots": [
            {"id": snapshot.id, "taken_at": snapshot.taken_at.isoformat(), "database": state.database}
            for snapshot in seen.snapshots
        ],
    }
    if seen.options:
        manifest["options"] = seen.options
    files = {"manifest.json": json.dumps(manifest, indent=2) + "\n"}
    for name, rows in seen.sources.items():
        columns = ["SNAP_ID", *seen.columns[name]]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([row.get(column) for column in columns] for row in rows)
        files[f"{name}.csv"] = text.getvalue()
    return files


def observed(state: State) -> Observed:
    """What the product judges of a state: the same as it reads from a capture of it."""
    ids = [2] if state.single else [1, 2]
    taken = {1: BEGIN, 2: BEGIN + timedelta(seconds=state.seconds)}
    options = ({"site": state.site} if state.site else {}) | state.thresholds
    sources = {}
    for name, rows in state.sources.items():
        end = [{column: None if value == "" else value for column, value in row.items()} for row in rows]
        counters = set(all_sources()[name].names("counter"))
        begin = [
            {column: 0 if column in counters and value is not None else value for column, value in row.items()}
            for row in end
        ]
        sources[name] = [row | {"SNAP_ID": number} for number in ids for row in (begin if number == 1 else end)]
    return Observed([Snapshot(number, taken[number], state.database) for number in ids], sources, options)


def read_state(directory: Path) -> State:
    """The state that a capture directory holds: what write_capture would write as that capture."""
    manifest = json.loads((directory / "manifest.json").read_text(encoding="utf-8"))
    moments = [datetime.fromisoformat(item["taken_at"]) for item in manifest["snapshots"]]
    options = manifest.get("options", {})
    sources = {}
    for path in sorted(directory.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            last = [row for row in csv.DictReader(file) if row.pop("SNAP_ID") == str(manifest["snapshots"][-1]["id"])]
        sources[path.stem] = [typed(path.stem, row) for row in last]
    return State(
        sources=sources,
        database=manifest["snapshots"][-1]["database"],
        site=options.get("site", {}),
        thresholds={name: values for name, values in options.items() if name != "site"},
        seconds=(moments[-1] - moments[0]).total_seconds(),
        single=len(moments) == 1,
    )


def typed(source: str, row: Row) -> Row:
    """A row with numbers where the source declares numbers; what is empty is None."""
    types = {column.name: column.type for column in all_sources()[source].columns}
    return {name: None if value in (None, "") else _value(types[name], value) for name, value in row.items()}


def _value(kind: str, value: Any) -> Any:
    if kind in ("SMALLINT", "INTEGER", "BIGINT"):
        return int(value)
    return float(value) if kind == "DOUBLE" else str(value)
