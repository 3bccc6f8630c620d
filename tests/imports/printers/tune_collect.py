"""The output of tune-collect.sql in the command line processor, for a capture instead of a database."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from textwrap import wrap

from advisor.catalogue.levels import level_number
from advisor.catalogue.sources import all_sources
from advisor.imports.collect_script import BAR, EMPTY, END, HEX, IDENTITY, MARK, NOT_READ, PIECE, SAFE

MESSAGE = (
    "SQL0551N  The statement failed because the authorization ID does not have the required authorization or privilege"
    ' to perform the operation.  Authorization ID: "READER".  Operation: "EXECUTE". Object: "SYSPROC.X".  SQLSTATE=42501'
)
OTHER_LANGUAGE = "Satz/Sätze ausgewählt."


def printed(capture: Path, snapshot: int, codec: str = "utf-8") -> str:
    """Return one snapshot of a capture; sources that it lacks are printed as refused."""
    manifest = json.loads((capture / "manifest.json").read_text(encoding="utf-8"))
    entry = next(entry for entry in manifest["snapshots"] if entry["id"] == snapshot)
    names = [IDENTITY, *sorted(all_sources().keys() - NOT_READ)]
    parts = [answer(IDENTITY, *identity(entry), codec)]
    for name in names[1:]:
        path = capture / f"{name}.csv"
        columns, rows = of(path, snapshot) if path.exists() else ([], [])
        parts.append(answer(name, columns, rows, codec) if columns else refused())
    parts.append(table(pieces(END, 0, "".join(f"{name}{BAR}" for name in names))))
    return "".join(parts)


def identity(entry: Mapping[str, object]) -> tuple[list[str], list[list[str | None]]]:
    database = entry["database"]
    assert isinstance(database, dict)
    taken_at = datetime.fromisoformat(str(entry["taken_at"]))
    moment = (taken_at.astimezone(UTC) if taken_at.tzinfo else taken_at).strftime("%Y-%m-%d-%H.%M.%S.%f")
    row = {
        "TAKEN_AT": moment,
        "DB_NAME": database["name"],
        "HOST_NAME": database["host"],
        "INSTANCE_NAME": database["instance"],
        "DB2_LEVEL": str(level_number(database["level"])),
        "PLATFORM": database["platform"],
        "TOPOLOGY": database["topology"],
    }
    return list(row), [list(row.values())]


def of(path: Path, snapshot: int) -> tuple[list[str], list[list[str | None]]]:
    """Return the columns of a file and the rows of one snapshot; these files contain no empty texts."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        columns = next(rows)
        return columns[1:], [[cell or None for cell in row[1:]] for row in rows if row[0] == str(snapshot)]


def answer(name: str, columns: list[str], rows: Iterable[list[str | None]], codec: str = "utf-8") -> str:
    """Return a result set."""
    lines = pieces(name, 0, "".join(f"{column}{BAR}" for column in columns))
    for number, row in enumerate(rows, 1):
        lines += pieces(name, number, "".join(f"{value(cell, codec)}{BAR}" for cell in row))
    return table(lines)


def pieces(name: str, number: int, text: str) -> list[str]:
    parts = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
    return [f"{MARK}{name}:{number}:{place}:{len(text)}:{part}" for place, part in enumerate(parts, 1)]


def value(cell: str | None, codec: str) -> str:
    if cell is None:
        return ""
    if not cell:
        return EMPTY
    return cell if {*cell} <= {*SAFE} else HEX + cell.encode(codec).hex().upper()


def table(lines: list[str]) -> str:
    width = PIECE + 60
    padded = [line.ljust(width) for line in ["TUNE", "-" * width, *lines]]
    return "\n".join(["", *padded, "", f"  {len(lines)} record(s) selected.", "", ""]) + "\n"


def refused() -> str:
    return "\n".join([*wrap(MESSAGE, 78), ""]) + "\n"


def large(megabytes: int) -> Iterator[str]:
    """Return a snapshot with very many tables."""
    source = all_sources()["table"]
    columns = [column.name for column in source.columns]
    database = {"name": "LARGE", "host": "db1", "instance": "db2inst1", "level": "11.5", "platform": "Linux"}
    entry = {"taken_at": "2026-03-02T10:00:00", "database": database | {"topology": "single"}}
    rows = [
        [f"T{number}" if column.type.startswith("VARCHAR") else str(number * 81_234) for column in source.columns]
        for number in range(megabytes * 1_000_000 // (PIECE + 61))
    ]
    yield answer(IDENTITY, *identity(entry))
    yield answer(source.name, columns, rows)
    yield table(pieces(END, 0, f"{IDENTITY}{BAR}{source.name}{BAR}"))
