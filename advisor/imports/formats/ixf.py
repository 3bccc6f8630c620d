"""The PC/IXF files of db2mon_export.sql, one for each monitor function, as it was at the start and at the end.

The names of its columns decide which source a file is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import BinaryIO

from advisor.catalogue.sources import Source, all_sources
from advisor.imports.cells import default, read_time
from advisor.imports.formats.ixf_records import Column, Damaged, Table
from advisor.imports.readings import SINCE, Readings, Report

NAME = "db2mon export"

_START = re.compile(rb"\d{6}HIXF")
_PHASE = re.compile(r"_(start|end)\.ixf$", re.I)
_LAST = re.compile(r"[^/\\:]*$")
_INPUT = re.compile(r"(?:(?:RTRIM|HEX|COALESCE)\()?T\.(?P<name>\w+)(?:, '?\w*-?'?)?\)?(?: AS \w+)?")
_ENOUGH = 0.3  # of the columns beside the key: every release added some
_TIME, _TABLE_TYPE, _USER_TABLE = "TS", "TAB_TYPE", "USER_TABLE"


@dataclass(frozen=True)
class _Input:
    """Where a column of a source comes from: a column of the file, with what stands for null."""

    column: str
    name: str
    default: str | None


def is_ixf(head: bytes) -> bool:
    """Whether a file that begins so is PC/IXF."""
    return _START.match(head) is not None


def read_ixf(document: str, stream: BinaryIO, readings: Readings) -> None:
    """Read one file of an export, from its beginning, into the report of its start or its end."""
    try:
        table = Table(stream)
    except Damaged as error:
        readings.ignored(document, 1, 1, f"a damaged IXF file: {error}")
        return
    columns = {column.name: column for column in table.columns}
    source = _source(frozenset(columns))
    if source is None:
        readings.ignored(document, 1, 1, "no source has the columns of this IXF file")
        return
    report = _report(document, readings)
    inputs = [item for item in _inputs(source.name) if item.name in columns]
    readings.rows(
        report,
        source.name,
        [item.column for item in inputs],
        _values(table, columns, inputs, report, document, readings),
    )
    readings.read(document, 1, 1, f"{NAME}: {source.name}")


def _report(document: str, readings: Readings) -> Report:
    """The report that all files of one directory and of the start, or of the end, make up."""
    phase = _PHASE.search(document)
    if phase is None:
        return readings.report(NAME, document, counts=SINCE)
    edge = phase[1].lower()
    for report in reversed(readings.reports):
        if report.edge == edge and _folder(report.document) == _folder(document):
            return report
    return readings.report(f"{NAME}, {edge}", document, counts=SINCE, edge=edge)


def _folder(document: str) -> str:
    """The directory or the archive that a document is in."""
    return _LAST.sub("", document)


def _values(
    table: Table,
    columns: dict[str, Column],
    inputs: list[_Input],
    report: Report,
    document: str,
    readings: Readings,
) -> Iterator[list[str | None]]:
    """The rows, with what a source has in place of null, and of tables only those of users."""
    defaults = [(index, item.default) for index, item in enumerate(inputs) if item.default is not None]
    beside = [name for name in (_TIME, _TABLE_TYPE) if name in columns]
    moments, types = (len(inputs) + beside.index(name) if name in columns else None for name in (_TIME, _TABLE_TYPE))
    first: str | None = None
    try:
        for row in table.rows([columns[name] for name in (*(item.name for item in inputs), *beside)]):
            if moments is not None and (moment := row[moments]) is not None and (first is None or moment < first):
                first = moment
            if types is not None and row[types] != _USER_TABLE:
                continue
            for index, instead in defaults:
                if row[index] is None:
                    row[index] = instead
            yield row[: len(inputs)]
    except Damaged as error:
        readings.ignored(document, 1, 1, f"the IXF file is damaged behind row {table.number}: {error}")
    moment_of = read_time(first)
    if moment_of is not None and (report.taken_at is None or moment_of < report.taken_at):
        report.taken_at = moment_of


@cache
def _inputs(source: str) -> tuple[_Input, ...]:
    """The columns of a source that are one column of what it reads from."""
    found = []
    for column in all_sources()[source].columns:
        match = _INPUT.fullmatch(column.expression)
        if match is not None:
            found.append(_Input(column.name, match["name"], default(column)))
    return tuple(found)


def _source(names: frozenset[str]) -> Source | None:
    """The source that has most of its columns among these, and all of its key."""
    best, most = None, 0
    for source in all_sources().values():
        keys = set(source.names("key"))
        inputs = _inputs(source.name)
        present = {item.column for item in inputs if item.name in names}
        others = {item.column for item in inputs} - keys
        if keys <= present and others and len(present & others) >= _ENOUGH * len(others) and len(present) > most:
            best, most = source, len(present)
    return best
