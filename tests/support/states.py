"""The states of rule cases, written as captures and read back."""

import csv
import io
import json
from datetime import datetime
from pathlib import Path
from typing import Any

from advisor.catalogue.sources import all_sources
from advisor.judgement.states import BEGIN, Row, State, convert_row, observe_state, state_of

__all__ = [
    "BEGIN",
    "Row",
    "State",
    "base_state",
    "convert_row",
    "filled",
    "observe_state",
    "read_state",
    "state_of",
    "write_capture",
]


def base_state() -> State:
    """Return the state in which no rule fires."""
    return state_of({})


def filled(state: State) -> State:
    """Return the state with 0 for every counter that it omits, so that its capture is complete."""
    result = state.copy()
    for name, rows in result.sources.items():
        rows[:] = [dict.fromkeys(all_sources()[name].names("counter"), 0) | row for row in rows]
    return result


def write_capture(state: State, target: Path) -> Path:
    """Write a state as a capture directory: one CSV file for each source that has rows."""
    target.mkdir(parents=True, exist_ok=True)
    for name, text in capture_files(state).items():
        (target / name).write_text(text, encoding="utf-8", newline="")
    return target


def capture_files(state: State) -> dict[str, str]:
    """Return the files of a state's capture, by name."""
    seen = observe_state(state)
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


def read_state(directory: Path) -> State:
    """Return the state of a capture directory: the inverse of write_capture."""
    manifest = json.loads((directory / "manifest.json").read_text(encoding="utf-8"))
    moments = [datetime.fromisoformat(item["taken_at"]) for item in manifest["snapshots"]]
    options = manifest.get("options", {})
    sources = {}
    for path in sorted(directory.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            last = [row for row in csv.DictReader(file) if row.pop("SNAP_ID") == str(manifest["snapshots"][-1]["id"])]
        sources[path.stem] = [convert_row(path.stem, row) for row in last]
    return State(
        sources=sources,
        database=manifest["snapshots"][-1]["database"],
        site=options.get("site", {}),
        thresholds={name: values for name, values in options.items() if name != "site"},
        seconds=(moments[-1] - moments[0]).total_seconds(),
        single=len(moments) == 1,
    )
