"""Short texts for people about the values that were taken."""

import csv
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from advisor.errors import list_some
from advisor.imports.sources import SETTINGS, all_sources

MOST_SETTINGS, MOST_ROWS, MOST_COLUMNS = 8, 2, 5
LONGEST = 60  # characters of a value

Value = str | int | float | None


def format_row(source: str, values: Mapping[str, Value]) -> str:
    """Return one row of a source: LOGFILSIZ = 1000, or tablespace STONES: TBSP_ID 2, TBSP_TYPE DMS."""
    if source == "registry":
        return _setting(values.get("REG_VAR_NAME"), values.get("REG_VAR_VALUE"), values.get("REG_VAR_ON_DISK_VALUE"))
    if source in SETTINGS:
        now = _format_flagged(values.get("VALUE"), values.get("VALUE_FLAGS"))
        later = _format_flagged(values.get("DEFERRED_VALUE"), values.get("DEFERRED_VALUE_FLAGS"))
        return _setting(values.get("NAME"), now, later)
    keys = all_sources()[source].names("key")
    name = " ".join(_shorten(values[key]) for key in keys if key != "MEMBER" and values.get(key) not in (None, ""))
    said = (f"{column} {_shorten(value)}" for column, value in values.items() if _is_worth_showing(column, value, keys))
    return f"{source} {name}".rstrip() + ": " + list_some(said, MOST_COLUMNS)


def format_first_values(folder: Path, source: str, rows: int) -> str:
    """Return the first values of a source of a capture, in one line."""
    most = MOST_SETTINGS if source in SETTINGS else MOST_ROWS
    with (folder / f"{source}.csv").open(encoding="utf-8", newline="") as file:
        found = [format_row(source, row) for row in islice(csv.DictReader(file), most)]
    more = f"; and {rows - most} more" if rows > most else ""
    return f"{f'{source}: ' if source in SETTINGS else ''}{'; '.join(found)}{more}"


def _setting(name: Value, now: Value, later: Value) -> str:
    said = f"{str(name or '').upper()} = {_shorten(now)}"
    if later in (None, "", now):
        return said
    return f"{said.removesuffix('= ')}{'' if now in (None, '') else ', '}{_shorten(later)} waits"


def _format_flagged(value: Value, flags: Value) -> str | None:
    if flags in (None, "", "NONE"):
        return None if value is None else str(value)
    return f"{flags}({value})" if value not in (None, "") else str(flags)


def _is_worth_showing(column: str, value: Value, keys: list[str]) -> bool:
    return value not in (None, "") and column != "SNAP_ID" and column not in keys


def _shorten(value: Value) -> str:
    text = " ".join(str("" if value is None else value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}\u2026"
