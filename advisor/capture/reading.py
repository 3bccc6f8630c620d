"""Checked import of a capture's tables."""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BufferedReader, RawIOBase, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.capture.hostfacts import COLUMNS, Facts, overlay_facts, rename_hosts
from advisor.capture.lessons import Lesson
from advisor.capture.loading import LONGEST, load_rows
from advisor.capture.manifest import MANIFEST, NOT_IN_TEXT, Collected, Snapshot
from advisor.capture.site import Accepted, Site
from advisor.catalogue.options import Overrides
from advisor.catalogue.sources import Source, all_sources
from advisor.errors import UserError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    from advisor.catalogue.embedded import Tables

OTHER_VERSION = "skipped: captured by another version of db2tune, and unknown to this one"
_BYTES = 100  # approximate bytes per row
_FIELD = re.compile(r'(?:\A|,)(?:"((?:[^"]|"")*)"|([^,"]*))(?=,|\Z)')
_CHUNK = 1 << 16  # bytes


@dataclass
class Capture:
    """A checked manifest and its files. ``hostfacts`` override the capture's own facts.

    ``skipped`` gives the reason for each source, and ``<source>.<column>``, of the files that is not read.
    """

    directory: Path
    snapshots: list[Snapshot]
    options: Overrides
    not_collected: dict[str, str]
    declared: Mapping[str, Collected]
    files: dict[str, Path]
    columns: dict[str, list[str]] = field(default_factory=dict)
    hostfacts: Facts = field(default_factory=dict)
    accepted: tuple[Accepted, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def database(self) -> dict[str, Any]:
        return self.snapshots[-1].database

    @property
    def imported_rows(self) -> dict[str, int]:
        """Return the rows per source if the capture was imported from texts, else an empty dict."""
        if NOT_IN_TEXT not in self.not_collected.values():
            return {}
        return {name: collected.rows or 0 for name, collected in self.declared.items()}

    def adopt(self, site: Site) -> None:
        """Apply the site: merge its options and accepted risks into the capture's, and replace the lessons."""
        for owner, values in site.options.items():
            self.options[owner] = self.options.get(owner, {}) | values
        risks = {(risk.rule, risk.object): risk for risk in (*self.accepted, *site.accepted)}
        self.accepted = tuple(risks.values())
        if site.lessons is not None:
            self.lessons = site.lessons

    def load(
        self, tables: "Tables", wanted: Collection[str] | None = None, numbers: Mapping[int, int] | None = None
    ) -> None:
        """Fill the snapshot tables of all or the ``wanted`` sources. Missing sources remain empty.

        ``numbers`` are the snapshots to load, each with its new number; by default all with their own.
        """
        kept = {snapshot.id: snapshot.id for snapshot in self.snapshots} if numbers is None else numbers
        for source in all_sources().values():
            if wanted is None or source.name in wanted:
                path = self.files.get(source.name)
                self.columns[source.name] = self._load_file(tables, source, path, kept) if path else []
        if self.hostfacts:
            self._lay_over(tables)

    def _load_file(self, tables: "Tables", source: Source, path: Path, kept: Mapping[int, int]) -> list[str]:
        """Fill the table of a source from its file; return the file's columns. Raise UserError for the first fault."""
        expected = self.declared.get(source.name, Collected()).sha256
        with path.open("rb", buffering=0) as raw:
            summed = _Summed(raw)
            try:
                text = TextIOWrapper(BufferedReader(summed, _CHUNK), encoding="utf-8", newline="")
                present, fault = self._fill(tables, source, CsvFile(text), kept), ""
            except UserError as error:
                present, fault = [], str(error)
            except UnicodeDecodeError as error:
                present, fault = [], f"not a CSV file in UTF-8 ({error})"
            if expected not in (None, summed.hexdigest()):
                raise UserError(f"{path.name}: its sha256 differs from the one in {MANIFEST}; copy or capture it again")
        if fault:
            raise UserError(f"{path.name}: {fault}")
        return present

    def _fill(self, tables: "Tables", source: Source, file: "CsvFile", kept: Mapping[int, int]) -> list[str]:
        said = self.declared.get(source.name, Collected())
        _check_header(source, file.header, said.columns)
        declared = {"SNAP_ID", *source.names("key", "gauge", "hwm", "counter")}
        known = [place for place, name in enumerate(file.header) if name in declared]
        columns = [file.header[place] for place in known]
        others = [name for name in file.header if name not in declared]
        self.skipped.update({f"{source.name}.{name[:LONGEST]}": OTHER_VERSION for name in others})
        rows = self._number(file, kept)
        try:
            load_rows(tables, source, columns, ([row[place] for place in known] for row in rows) if others else rows)
        except UserError as error:
            raise UserError(f"line {file.line}: {error}") from None
        if said.rows not in (None, file.count):
            raise UserError(f"{file.count} rows instead of the manifest's {said.rows}; the file is incomplete")
        return columns

    def _number(self, file: "CsvFile", kept: Mapping[int, int]) -> Iterator[list[Any]]:
        """Yield the rows of the snapshots to keep, with their new numbers."""
        numbers = {str(snapshot.id): kept.get(snapshot.id) for snapshot in self.snapshots}
        place = file.header.index("SNAP_ID")
        for row in file:
            if row[place] not in numbers:
                raise UserError("the manifest does not list a SNAP_ID of this file; capture again")
            row[place] = numbers[row[place]]
            if row[place] is not None:
                yield row

    def _lay_over(self, tables: "Tables") -> None:
        """Merge the given host facts into every snapshot."""
        hosts = {str(host) for (host,) in tables.fetch("SELECT DISTINCT HOST_NAME FROM TUNE.S_SYSTEM")}
        own = tables.fetch(f"SELECT SNAP_ID, {', '.join(COLUMNS)} FROM TUNE.S_HOSTFACT")
        tables.execute("DELETE FROM TUNE.S_HOSTFACT")
        load_rows(tables, all_sources()["hostfact"], ["SNAP_ID", *COLUMNS], self.add_hostfacts(hosts, own))

    def add_hostfacts(self, hosts: set[str], own: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """Return rows of host facts (snapshot, host, fact, item, value): the ``own`` ones and, over them, the given.

        ``hosts`` are the hosts that Db2 reports.
        """
        given = rename_hosts(self.hostfacts, hosts | {self.database["host"]})
        facts: dict[int, list[tuple[str, ...]]] = {snapshot.id: [] for snapshot in self.snapshots}
        for snapshot, *fact in own:
            facts[snapshot].append(tuple(fact))
        self.columns["hostfact"] = list(COLUMNS)
        return [
            (snapshot, *key, value)
            for snapshot, old in facts.items()
            for key, value in overlay_facts(old, given).items()
        ]

    @property
    def rows(self) -> int:
        """Return the rows of the files. Estimate them from the file size if the manifest does not list them."""
        guessed = {name: path.stat().st_size // _BYTES for name, path in self.files.items()}
        return sum(self.declared.get(name, Collected()).rows or rows for name, rows in guessed.items())


def _check_header(source: Source, names: list[str], declared: Sequence[str]) -> None:
    """Raise UserError if a column occurs twice, or if one of the key or a ``declared`` one is missing."""
    if missing := [name for name in ["SNAP_ID", *source.names("key"), *declared] if name not in names]:
        raise UserError(f"column {missing[0]} is missing; capture {source.name} again")
    if len(set(names)) < len(names):
        raise UserError("a column name occurs twice; remove one of the columns")


class CsvFile:
    """The rows of a CSV file: an empty field is None, and a quoted empty field an empty text.

    ``count`` is the number of rows that were read, ``line`` that of the last line.
    """

    def __init__(self, file: Iterable[str]) -> None:
        self._lines = iter(file)
        self.line = self.count = 0
        self.header = [name or "" for name in next(self._rows(), [])]

    def __iter__(self) -> Iterator[list[Any]]:
        width = len(self.header)
        for row in self._rows():
            if len(row) != width:
                raise UserError(f"{len(row)} values instead of {width}; capture again")
            self.count += 1
            yield row

    def _rows(self) -> Iterator[list[Any]]:
        for line in self._lines:
            self.line += 1
            if "\0" in line:
                raise UserError("contains a NUL character; copy or capture it again")
            if '"' in line:
                yield self._split_quoted(line)
            else:
                yield [value or None for value in line.rstrip("\r\n").split(",")]

    def _split_quoted(self, line: str) -> list[str | None]:
        """Return the fields of a row with quotes, in which a text may continue on the next lines."""
        while line.count('"') % 2 and (following := next(self._lines, "")):
            self.line += 1
            line += following
        text = line.rstrip("\r\n")
        row, end = [], 0
        for found in _FIELD.finditer(text):
            if found.start() == end:
                row.append(found[2] or None if found[1] is None else found[1].replace('""', '"'))
                end = found.end()
        if end < len(text):
            raise UserError("not CSV: a quote is missing or not doubled; copy or capture it again")
        return row


class _Summed(RawIOBase):
    """A file whose checksum is computed while it is read."""

    def __init__(self, raw: RawIOBase) -> None:
        self._raw, self._sum = raw, hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int | None:
        size = self._raw.readinto(buffer)
        self._sum.update(memoryview(buffer)[:size])
        return size

    def hexdigest(self) -> str:
        """Read the rest, and return the SHA-256 of the file."""
        while self.read(_CHUNK):
            pass
        return self._sum.hexdigest()
