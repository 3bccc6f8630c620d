"""The output of tune-collect.sql (advisor/imports/collect_script.py): snapshots of databases, source by source.

A line identifies itself, so that all others are skipped: echoed statements, headings, counts. A source counts only if
it is complete: with the names of its columns, all of its rows and all of their pieces. The number of lines must match
the processor's count, if the text has it, and no error may be in between.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkstemp

from advisor.db2.failures import Db2Failure
from advisor.imports.collect_script import ABSENT, BAR, EMPTY, END, ESCAPE, HEX, IDENTITY, MARK
from advisor.imports.lines import Lines
from advisor.imports.readings import Readings

NAME = "tune-collect.sql"

# Other clients put quotes or bars around it.
_LINE = re.compile(rf"[\s\"|]*{MARK}(\w+):(\d{{1,18}}):(\d{{1,5}}):(\d{{1,5}}):([^\s\"]*)[\s\"|]*$")
_ERROR = re.compile(r"\s*(?:SQL\d{4,5}[NC]|CLI\d{4}E)\b")
_ESCAPED = re.compile("|".join([re.escape(EMPTY), f"{re.escape(HEX)}(?:[0-9A-F]{{2}})*", re.escape(ABSENT)]))
_COUNT = re.compile(r"\s{1,4}(\d+) \S+")
UTF8 = "utf-8"

_NOT_COUNTED = "the text is damaged: the line count is missing"
_CUT = "the text ends within it"

# Code sets that Python knows by another name, or a larger one of the same kind.
_CODECS = {"943": "cp932", "970": "euc_kr", "1363": "cp949", "1386": "gbk", "eucCN": "gb2312", "eucTW": "big5"}


@dataclass(frozen=True)
class Collected:
    """The part of a text for one source: the names of its columns, and its rows as printed, one per line of a file."""

    path: Path
    columns: list[str]
    rows: int


@dataclass
class TextSnapshot:
    """One run of the script. ``refused`` has the reason for each unusable source; ``cut`` marks a missing end."""

    document: str
    line: int
    sources: dict[str, Collected] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    ended: bool = False
    cut: bool = False
    codeset: str = UTF8

    def cells(self, name: str) -> Iterator[list[str | None]]:
        """Return the values of each row of a source, in the order of its columns."""
        with self.sources[name].path.open(encoding="ascii") as file:
            for line in file:
                cells = line.split(BAR)
                cells.pop()
                if ESCAPE in line:
                    yield [self._value(cell) for cell in cells]
                else:
                    yield [cell or None for cell in cells]

    def _value(self, cell: str) -> str | None:
        if cell.startswith(HEX):
            return self._text(bytes.fromhex(cell[len(HEX) :]))
        return "" if cell == EMPTY else cell or None

    def _text(self, value: bytes) -> str:
        for name in (self.codeset, UTF8):
            with suppress(UnicodeDecodeError, LookupError):
                return value.decode(name)
        return value.decode("latin-1")


def is_collected(lines: Lines) -> bool:
    """Return whether these lines, of which none was taken, contain output of the script."""
    return any(MARK in line and _LINE.match(line) for line in lines.look_ahead())


def read_collected(document: str, lines: Lines, readings: Readings) -> list[TextSnapshot]:
    """Read every run of the script in a document."""
    reader = _Reader(document, lines, readings)
    for line in lines:
        reader.line(line)
    reader.close()
    return reader.snapshots


@dataclass
class _Row:
    """The pieces of one row read so far."""

    number: int
    length: int
    pieces: dict[int, str] = field(default_factory=dict)

    def is_incomplete(self) -> bool:
        return sum(map(len, self.pieces.values())) < self.length

    def text(self) -> str | None:
        """Return the joined text; None if it does not match the lengths."""
        text = "".join(self.pieces.get(piece, "") for piece in range(1, len(self.pieces) + 1))
        return text if len(text) == self.length and text.endswith(BAR) and text.isascii() else None


@dataclass(frozen=True)
class _Failure:
    """A message of Db2, its lines, and the number of sources before it in the snapshot."""

    before: int
    text: str
    first: int
    last: int


class _Reader:
    """A reader of a document, line by line; the next line may continue a row or a message."""

    def __init__(self, document: str, lines: Lines, readings: Readings) -> None:
        self.snapshots: list[TextSnapshot] = []
        self._document = document
        self._lines = lines
        self._readings = readings
        self._source: _Open | None = None
        self._last: _Row | None = None  # its text may be continued
        self._message: list[str] = []
        self._before: list[_Open] = []  # the sources of the snapshot that were read
        self._failures: list[_Failure] = []

    def line(self, line: str) -> None:
        match = _LINE.match(line) if MARK in line else None
        if match:
            self._end_of_message()
            self._read_mark(match)
        elif self._message and line.strip():
            self._message.append(line.strip())
        elif self._message:
            self._end_of_message()
        elif _ERROR.match(line):
            self._message = [line.strip()]
        elif self._last is not None and line.strip():  # the line was wrapped
            self._last.pieces[max(self._last.pieces)] += line.strip()
            self._add_row(self._last)
        elif self._source is not None and not self._source.counted and (match := _COUNT.match(line)):
            self._source.count(int(match[1]))

    def close(self) -> None:
        """End the open source and snapshot."""
        self._end_of_message()
        self._close_snapshot([])

    def _read_mark(self, match: re.Match[str]) -> None:
        name, (number, piece, length), text = match[1], map(int, match.group(2, 3, 4)), match[5]
        if name == END:
            self._close_snapshot(text.split(BAR)[:-1])
            return
        if self._source is None or self._source.name != name or (name, number, piece) == (IDENTITY, 0, 1):
            self._open(name)
        if self._source is not None:
            self._source.last = self._lines.number
            row = self._source.add_piece(number, piece, length, text)
            self._last = row
            self._add_row(row)

    def _add_row(self, row: _Row) -> None:
        if self._source is not None and not row.is_incomplete():
            self._last = None
            self._source.take(row)

    def _open(self, name: str) -> None:
        if name == IDENTITY:
            self._close_snapshot([])
        self._close_source()
        if not self.snapshots or self.snapshots[-1].ended:
            self.snapshots.append(TextSnapshot(self._document, self._lines.number))
        handle, path = mkstemp(".txt", dir=self._readings.folder)
        os.close(handle)
        self._source = _Open(name, Path(path), self._lines.number)

    def _close_source(self) -> None:
        source, self._source, self._last = self._source, None, None
        if source is None:
            return
        snapshot, damage = self.snapshots[-1], source.close()
        if any(source.name == other.name for other in self._before):
            damage = "it is in the text twice"
        self._before.append(source)
        if damage:
            snapshot.refused[source.name] = f"the text is damaged: {damage}"
            return
        snapshot.sources[source.name] = Collected(source.path, source.columns, source.rows)
        if source.name == "dbcfg":
            snapshot.codeset = _codeset(snapshot)

    def _close_snapshot(self, names: list[str]) -> None:
        """End a run, whose last line names all sources in their order; without it, the text is cut."""
        self._close_source()
        if self.snapshots and not self.snapshots[-1].ended:
            snapshot = self.snapshots[-1]
            snapshot.ended, snapshot.cut = True, not names
            self._blame(snapshot, names)
            for source in self._before:
                if why := snapshot.refused.get(source.name):
                    snapshot.sources.pop(source.name, None)
                    self._readings.record_ignored(self._document, source.first, source.last, f"{source.name}: {why}")
                else:
                    self._readings.read(self._document, source.first, source.last, f"{NAME}: {source.name}")
        self._before, self._failures = [], []

    def _blame(self, snapshot: TextSnapshot, names: list[str]) -> None:
        """Record the reason for each source that cannot be used. Messages replace its lines.

        Lines without a count, if others have counts, are not complete; neither may be the last lines of a cut text.
        """
        counts = any(source.counted for source in self._before)
        for place in range(len(self._before) + 1):
            failures = [failure for failure in self._failures if failure.before == place]
            source = self._before[place - 1] if place else None
            following = self._before[place].name if place < len(self._before) else None
            missing = _names_between(names, source.name if source else "", following)
            if source is None and missing:  # before the first source, the settings of the session may also be refused
                failures = failures[-len(missing) :]
            if source and not source.counted and (counts or len(failures) > len(missing)):
                snapshot.refused.setdefault(source.name, failures.pop(0).text if failures else _NOT_COUNTED)
            elif source and not source.counted and snapshot.cut and following is None:
                snapshot.refused.setdefault(source.name, _CUT)
            for name, failure in zip(missing, failures, strict=False):
                snapshot.refused[name] = failure.text
                self._readings.record_ignored(self._document, failure.first, failure.last, f"{name}: {failure.text}")
        for name in names:
            if name not in snapshot.sources:
                snapshot.refused.setdefault(name, "it is missing in the text")

    def _end_of_message(self) -> None:
        if self._message:
            text, last = str(Db2Failure(" ".join(self._message))), self._lines.number - 1
            before = len(self._before) + (self._source is not None)
            self._failures.append(_Failure(before, text, last - len(self._message) + 1, last))
            self._message = []


class _Open:
    """A source whose lines are being read."""

    def __init__(self, name: str, path: Path, first: int) -> None:
        self.name = name
        self.path = path
        self.first = self.last = first
        self.columns: list[str] = []
        self.rows = 0
        self.counted = False  # the processor printed the number of lines
        self._lines = 0
        self._highest = 0
        self._values = 0  # per row
        self._damage = ""
        self._rows: dict[int, _Row] = {}  # incomplete ones
        self._file = path.open("w", encoding="ascii")

    def add_piece(self, number: int, piece: int, length: int, text: str) -> _Row:
        self._lines += 1
        self._highest = max(self._highest, number)
        row = self._rows.setdefault(number, _Row(number, length))
        row.pieces[piece] = text
        return row

    def take(self, row: _Row) -> None:
        """Take a complete row."""
        del self._rows[row.number]
        text = row.text()
        if text is None or not self._is_sound(text):
            self._damage = self._damage or f"row {row.number} was changed"
        elif row.number == 0:
            self.columns = text.split(BAR)[:-1]
        else:
            self._file.write(text + "\n")
            self.rows += 1

    def _is_sound(self, text: str) -> bool:
        """Return whether a row has as many values as the others, in the form that the script gives them."""
        self._values = self._values or text.count(BAR)
        return text.count(BAR) == self._values and (
            ESCAPE not in text or all(_ESCAPED.fullmatch(cell) for cell in text.split(BAR) if ESCAPE in cell)
        )

    def count(self, lines: int) -> None:
        self.counted = True
        if lines != self._lines:
            self._damage = self._damage or f"the text contains {self._lines} of {lines} lines"

    def close(self) -> str:
        """Return the damage; empty for a complete source."""
        self._file.close()
        if not self._damage and (self._rows or self.rows != self._highest or not self.columns):
            return "rows, or parts of them, are missing"
        return self._damage


def _names_between(names: list[str], one: str, other: str | None) -> list[str]:
    """Return the names between two of them, or before or after one."""
    begin = names.index(one) + 1 if one in names else 0
    end = names.index(other) if other in names else len(names)
    return names[begin:end]


def _codeset(snapshot: TextSnapshot) -> str:
    """Return the code set of the database, by a name that Python knows."""
    columns = snapshot.sources["dbcfg"].columns
    name, value = columns.index("NAME"), columns.index("VALUE")
    said = next((cells[value] or "" for cells in snapshot.cells("dbcfg") if cells[name] == "codeset"), UTF8)
    said = said.removeprefix("IBM-")
    return _CODECS.get(said) or (f"cp{said}" if said.isdigit() else said)
