"""The PC/IXF files of db2mon_export.sql, one for each monitor function, as it was at the start and at the end.

The name of a file says which function it is of; where it was given another, the names of its columns do. db2ixf reads the records; it is loaded only here, because it
brings pyarrow and deltalake with it. It is told to look at the wanted columns only: that is faster, and it cannot read
every type that the others may have.
"""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, BinaryIO

from advisor.catalogue.sources import Source, all_sources
from advisor.errors import UserError
from advisor.imports.cells import default
from advisor.imports.readings import SINCE, Readings, Report

NAME = "db2mon export"

_START = re.compile(rb"\d{6}HIXF")
_PHASE = re.compile(r"_(start|end)\.ixf$", re.I)
_LAST = re.compile(r"[^/\\:]*$")
_INPUT = re.compile(r"(?:(?:RTRIM|HEX|COALESCE)\()?[TX]\.(?P<name>\w+)(?:, '?\w*-?'?)?\)?(?: AS \w+)?")
_ENOUGH = 0.3  # of the columns beside the key: every release added some
_LONGEST = 1 << 20  # bytes of one field of a record; PC/IXF has none above 32 KB
_BIT_DATA = b"00000"
_VARCHAR, _BINARY = b"448", b"912"


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
    parser = _parser(stream)
    try:
        parser.start_parsing()
        names = [_name(record) for record in parser.column_records]
    except Exception as error:  # it raises whatever the damage leads to
        readings.ignored(document, 1, 1, f"a damaged IXF file: {error}")
        return
    source = _source(frozenset(names), document)
    if source is None:
        readings.ignored(document, 1, 1, "no source has the columns of this IXF file")
        return
    report = _report(document, readings)
    inputs = [item for item in _inputs(source.name) if item.name in names]
    kept = {item.name for item in inputs} | {"TS", "TAB_TYPE"}
    parser.column_records = [_readable(record) for record in parser.column_records if _kept(record, kept)]
    readings.rows(
        report, source.name, [item.column for item in inputs], _values(parser, inputs, report, document, readings)
    )
    readings.read(document, 1, 1, f"{NAME}: {source.name}")


def _parser(stream: BinaryIO) -> Any:
    try:
        db2ixf = import_module("db2ixf")
    except ImportError:
        raise UserError("IXF files need the package db2ixf: pip install 'db2tune[ixf]'") from None
    logging.getLogger("db2ixf").disabled = True  # it prints what it raises
    return db2ixf.IXFParser(_Stream(stream))


class _Stream:
    """A stream as db2ixf wants it: it asks for its mode and size, and reads on from the beginning."""

    mode = "rb"

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def seek(self, offset: int, whence: int = 0) -> int:
        return 0

    def read(self, size: int) -> bytes:
        if not 0 <= size <= _LONGEST:
            raise ValueError(f"a field of {size} bytes")
        data = self._stream.read(size)
        if 0 < len(data) < size:
            raise ValueError("the file ends within a record")
        return data

    def close(self) -> None:
        """The stream is the caller's."""


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


def _name(record: dict[str, bytes]) -> str:
    return record["IXFCNAME"].decode("utf-8", "replace").strip().upper()


def _kept(record: dict[str, bytes], names: set[str]) -> bool:
    """Whether a column is looked at; one at the first place of a record makes db2ixf go on to the next record."""
    return _name(record) in names or int(record["IXFCPOSN"]) == 1


def _readable(record: dict[str, bytes]) -> dict[str, bytes]:
    """Bit data is taken as bytes, length and all; db2ixf would take it for text."""
    record = record | {"IXFCNAME": _name(record).encode()}
    if record["IXFCTYPE"] == _VARCHAR and record["IXFCSBCP"] == _BIT_DATA and record["IXFCDBCP"] == _BIT_DATA:
        return record | {"IXFCTYPE": _BINARY, "IXFCLENG": b"%05d" % (int(record["IXFCLENG"]) + 2)}
    return record


def _values(
    parser: Any, inputs: list[_Input], report: Report, document: str, readings: Readings
) -> Iterator[list[str | None]]:
    try:
        for row in parser.iter_row():
            moment = row.get("TS")
            if moment is not None and (report.taken_at is None or moment < report.taken_at):
                report.taken_at = moment
            if row.get("TAB_TYPE", "USER_TABLE") == "USER_TABLE":
                yield [_text(row[item.name], item.default) for item in inputs]
    except Exception as error:
        if parser.current_data_record.get("IXFDRECL") != b"":  # else it was the end of the file
            readings.ignored(document, 1, 1, f"the IXF file is damaged behind row {parser.number_rows}: {error}")


def _text(value: Any, default: str | None) -> str | None:
    if value is None:
        return default
    if isinstance(value, bytes):
        return value[2 : 2 + int.from_bytes(value[:2], "little")].hex().upper()
    return str(value)


@cache
def _inputs(source: str) -> tuple[_Input, ...]:
    """The columns of a source that are one column of what it reads from."""
    found = []
    for column in all_sources()[source].columns:
        match = _INPUT.fullmatch(column.expression)
        if match is not None:
            found.append(_Input(column.name, match["name"], default(column)))
    return tuple(found)


def _source(names: frozenset[str], document: str) -> Source | None:
    """The source that has all of its key among these columns, and more: of the function that the file is named after,
    or else that with the most columns."""
    function = _PHASE.sub("", _LAST.search(document)[0]).upper()  # type: ignore[index]  # it matches whatever there is
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
