"""The PC/IXF files of db2mon_export.sql: one for each monitor function, at the start and at the end.

The file's name identifies the function; if it was renamed, the names of its columns do.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import BinaryIO

from advisor.catalogue.sources import Source, all_sources
from advisor.imports.cells import default, read_time
from advisor.imports.formats.ixf_records import DamagedError, Table
from advisor.imports.readings import SINCE, Readings, Report

NAME = "db2mon export"

_START = re.compile(rb"\d{6}HIXF")
_PHASE = re.compile(r"_(start|end)\.ixf$", re.I)
_LAST = re.compile(r"[^/\\:]*$")
_INPUT = re.compile(r"(?:(?:RTRIM|HEX|COALESCE)\()?[TX]\.(?P<name>\w+)(?:, '?\w*-?'?)?\)?(?: AS \w+)?")
_ENOUGH = 0.3  # of the columns in addition to the key: every release added some
_MOMENT, _TABLE_TYPE, _USER_TABLE = "TS", "TAB_TYPE", "USER_TABLE"


@dataclass(frozen=True)
class _Input:
    """A column of the file for a column of a source, with the value for null."""

    column: str
    name: str
    default: str | None


def is_ixf(head: bytes) -> bool:
    """Return whether a file with this beginning is PC/IXF."""
    return _START.match(head) is not None


def read_ixf(document: str, stream: BinaryIO, readings: Readings) -> None:
    """Read one file of an export, from its beginning, into the report of its start or its end."""
    try:
        table = Table(stream)
    except DamagedError as error:
        readings.record_ignored(document, 1, 1, f"a damaged IXF file: {error}")
        return
    names = frozenset(column.name for column in table.columns)
    source = _source(names, document)
    if source is None:
        readings.record_ignored(document, 1, 1, "no source has the columns of this IXF file")
        return
    report = _report(document, readings)
    inputs = [item for item in _inputs(source.name) if item.name in names]
    try:
        readings.rows(report, source.name, [item.column for item in inputs], _rows(table, inputs, report))
    except DamagedError as error:
        readings.record_ignored(document, 1, 1, f"the IXF file is damaged after row {table.number}: {error}")
    readings.read(document, 1, 1, f"{NAME}: {source.name}")


def _report(document: str, readings: Readings) -> Report:
    """Return the report for all files of one directory and of the start, or of the end."""
    phase = _PHASE.search(document)
    if phase is None:
        return readings.report(NAME, document, counts=SINCE)
    edge = phase[1].lower()
    for report in reversed(readings.reports):
        if report.edge == edge and _folder(report.document) == _folder(document):
            return report
    return readings.report(f"{NAME}, {edge}", document, counts=SINCE, edge=edge)


def _folder(document: str) -> str:
    """Return the directory or the archive that contains a document."""
    return _LAST.sub("", document)


def _rows(table: Table, inputs: list[_Input], report: Report) -> Iterator[list[str | None]]:
    """Return the rows, with a source's values for null; only user tables."""
    columns = {column.name: column for column in table.columns}
    own = [name for name in (_MOMENT, _TABLE_TYPE) if name in columns]
    at = {name: len(inputs) + number for number, name in enumerate(own)}
    moment, kind = at.get(_MOMENT), at.get(_TABLE_TYPE)
    defaults = [(index, item.default) for index, item in enumerate(inputs) if item.default is not None]
    last = None
    for row in table.rows([columns[name] for name in (*(item.name for item in inputs), *own)]):
        if moment is not None and row[moment] != last:
            last = row[moment]
            _set_moment(report, read_time(last))
        if kind is not None and row[kind] != _USER_TABLE:
            continue
        for index, instead in defaults:
            if row[index] is None:
                row[index] = instead
        yield row[: len(inputs)]


def _set_moment(report: Report, moment: datetime | None) -> None:
    if moment is not None and (report.taken_at is None or moment < report.taken_at):
        report.taken_at = moment


@cache
def _inputs(source: str) -> tuple[_Input, ...]:
    """Return the columns of a source that are one column of its Db2 object."""
    found = []
    for column in all_sources()[source].columns:
        match = _INPUT.fullmatch(column.expression)
        if match is not None:
            found.append(_Input(column.name, match["name"], default(column)))
    return tuple(found)


def _source(names: frozenset[str], document: str) -> Source | None:
    """Return the source whose key and other columns are among these columns.

    It is that of the function in the file's name, or else the one with the most columns.
    """
    function = _PHASE.sub("", _LAST.search(document)[0]).upper()  # type: ignore[index]  # it always matches
    best, most = None, 0
    for source in all_sources().values():
        keys = set(source.names("key"))
        inputs = _inputs(source.name)
        present = {item.column for item in inputs if item.name in names}
        others = {item.column for item in inputs} - keys
        if not (keys <= present and present & others):
            continue
        if source.db2_object.rpartition(".")[2] == function:
            return source
        if len(present & others) >= _ENOUGH * len(others) and len(present) > most:
            best, most = source, len(present)
    return best
