"""Captures from the output of tune-collect.sql: the same as ``db2tune capture`` makes at the same moments."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any

from advisor.capture import Collected, Manifest, Snapshot
from advisor.capture.manifest import IDENTITY as SAME
from advisor.catalogue.levels import level_text
from advisor.catalogue.sources import Source, all_sources
from advisor.errors import UserError, list_some
from advisor.imports.collect_script import ABSENT, IDENTITY, NOT_READ
from advisor.imports.formats.tune_collect import NAME, TextSnapshot
from advisor.imports.values import moment, platform

_Row = list[str | None]
_SAID = {"TAKEN_AT", "DB2_LEVEL", "DB_NAME", "HOST_NAME", "INSTANCE_NAME", "PLATFORM", "TOPOLOGY"}


def write_collected(
    texts: Sequence[TextSnapshot], target: Path, name: str | None = None
) -> tuple[dict[str, int], list[str]]:
    """Write a capture of the snapshots of database ``name`` in the order of their times.

    Return the number of rows of each source, and the notes. Raise UserError if no snapshot can be used.
    """
    taken, notes = _order_snapshots(texts, name)
    snapshots = [
        Snapshot(number, snapshot.taken_at, snapshot.database) for number, (snapshot, _) in enumerate(taken, 1)
    ]
    collected, reasons = {}, dict.fromkeys(NOT_READ, f"{NAME} does not read it")
    for source in all_sources().values():
        if source.name in NOT_READ:
            continue
        if reason := _reason(source, [text for _, text in taken]):
            reasons[source.name] = reason
        else:
            collected[source.name] = _write(source, [text for _, text in taken], target)
    if not collected:
        raise UserError(f"the output of {NAME} is damaged: no source is complete; run it again")
    Manifest(snapshots, collected, reasons).write(target)
    return {name: item.rows or 0 for name, item in collected.items()}, notes


def _order_snapshots(
    texts: Iterable[TextSnapshot], name: str | None
) -> tuple[list[tuple[Snapshot, TextSnapshot]], list[str]]:
    """Return the snapshots of one database in the order of their times, without duplicates."""
    found = {}
    notes = []
    for text in texts:
        place = f"{text.document}, line {text.line}"
        if IDENTITY not in text.sources:
            why = text.refused.get(IDENTITY, "its beginning is missing")
            notes.append(f"{place}: not used, since its database is unknown: {why}")
            continue
        snapshot = _identity(text)
        if text.cut:
            notes.append(f"{place}: the text ends before {NAME} did; the missing sources were not collected")
        key = (*(snapshot.database[part] for part in SAME), snapshot.taken_at)
        if key in found:
            notes.append(f"{place}: a second copy of the same snapshot is not used")
        else:
            found[key] = (snapshot, text)
    databases = sorted({snapshot.database["name"] for snapshot, _ in found.values()})
    if name is None and len(databases) > 1:
        raise UserError(f"the texts are about {list_some(databases)}; choose one with --name")
    chosen = [item for item in found.values() if name is None or item[0].database["name"].upper() == name.upper()]
    if not found:
        raise UserError(notes[0])
    if not chosen:
        raise UserError(f"no text is about database {name}; the texts are about {list_some(databases)}")
    return sorted(chosen, key=lambda item: item[0].taken_at), notes


def _identity(text: TextSnapshot) -> Snapshot:
    said = dict(zip(text.sources[IDENTITY].columns, next(text.cells(IDENTITY), ()), strict=False))
    if not said.keys() >= _SAID:
        raise UserError(
            f"{text.document}, line {text.line}: a column that identifies the database is missing; run {NAME} again"
        )
    taken_at = moment(said["TAKEN_AT"])
    level = said["DB2_LEVEL"] or ""
    if taken_at is None or not level.isdecimal():
        raise UserError(f"{text.document}, line {text.line}: no time or no level of Db2; run {NAME} again")
    database: dict[str, Any] = {
        "name": said["DB_NAME"],
        "host": said["HOST_NAME"],
        "instance": said["INSTANCE_NAME"],
        "level": level_text(int(level)),
        "platform": platform(said["PLATFORM"]),
        "topology": said["TOPOLOGY"],
    }
    return Snapshot(0, taken_at.replace(tzinfo=UTC), database)


def _reason(source: Source, texts: Sequence[TextSnapshot]) -> str | None:
    """Return the reason why a source was not collected; None if every snapshot has it with its key."""
    for text in texts:
        if source.name not in text.sources:
            return text.refused.get(source.name, "the text ends before it")
        if not {*source.names("key")} <= {*text.sources[source.name].columns}:
            return "its key is not in the text"
    return None


def _write(source: Source, texts: Sequence[TextSnapshot], target: Path) -> Collected:
    """Write the file of a source, with the columns that every snapshot has."""
    absent = {name for text in texts for name in _find_absent_columns(source, text)}
    columns = [
        column
        for column in source.columns
        if column.name not in absent and all(column.name in text.sources[source.name].columns for text in texts)
    ]
    names = [column.name for column in columns]
    times = [place for place, column in enumerate(columns, 1) if column.type == "TIMESTAMP"]
    rows = 0
    with (target / f"{source.name}.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(["SNAP_ID", *names])
        for number, text in enumerate(texts, 1):
            for row in _rows(source, text, names):
                row.insert(0, str(number))
                for place in times:
                    row[place] = _iso(row[place])
                file.write(_line(row))
                rows += 1
    return Collected(rows, names)


def _find_absent_columns(source: Source, text: TextSnapshot) -> set[str]:
    """Return the columns that the server did not have: every row marks them."""
    cells = next(text.cells(source.name), None)
    if cells is None:
        return set()
    names = text.sources[source.name].columns
    return {
        name for name, cell in zip(names, cells, strict=True) if cell and {*cell} <= {ABSENT, "/"} and ABSENT in cell
    }


def _rows(source: Source, text: TextSnapshot, names: list[str]) -> Iterator[_Row]:
    written = text.sources[source.name].columns
    if names == written:
        yield from text.cells(source.name)
        return
    places = [written.index(name) for name in names]
    for cells in text.cells(source.name):
        yield [cells[place] for place in places]


def _iso(text: str | None) -> str | None:
    time = moment(text)
    return None if time is None else str(time)


def _line(values: _Row) -> str:
    """Return a line of CSV in which NULL is an empty field and an empty text a quoted one."""
    return ",".join(["" if value is None else '"' + value.replace('"', '""') + '"' for value in values]) + "\n"
