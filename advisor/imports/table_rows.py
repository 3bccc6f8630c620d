"""Conversion of table rows to readings: each becomes a row of one source, or of several."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter

from advisor.imports.cells import Form, parse_integer, total
from advisor.imports.databases import CONNECTION, SESSION
from advisor.imports.reader import Part
from advisor.imports.readings import SINCE, STATE, Readings, Report
from advisor.imports.values import moment, number

Cells = Sequence[str]
Row = Sequence[str | None]

ROWS = 4096  # kept until they are written
REMEMBERED = 65_536  # keys kept to find repeated rows
_TIMES = ("taken_at", "since")


def picker(places: Sequence[int]) -> Callable[[Cells], Cells]:
    """Return a function that picks the cells at some indexes."""
    if not places:
        return lambda cells: ()
    if len(places) == 1:
        return lambda cells: (cells[places[0]],)
    return itemgetter(*places)


@dataclass(frozen=True)
class Projection:
    """How rows of one source are made from the cells of a table."""

    source: str
    columns: tuple[str, ...]
    cells: tuple[tuple[int, Form], ...]
    sums: tuple[tuple[tuple[int, float], ...], ...]  # columns that are the sum of several cells
    constants: tuple[str, ...]
    filters: tuple[tuple[int, Callable[[str], bool]], ...]
    keys: tuple[int, ...]  # indexes in a row
    counts: bool
    repeats: bool  # whether a key may repeat, because no column has the member

    def rows(self, table: Sequence[Cells]) -> Iterator[Row]:
        """Return the source's rows for some rows of the table, computed column by column for speed."""
        for index, test in self.filters:
            table = [cells for cells in table if test(cells[index])]
        by_place = [*zip(*table, strict=True)]
        if not by_place:
            return iter(())
        made: list[Iterable[str | None]] = [_convert_column(by_place[index], convert) for index, convert in self.cells]
        made += ([total(cells, parts) for cells in table] for parts in self.sums)
        made += ([value] * len(table) for value in self.constants)
        return zip(*made, strict=True)


def _convert_column(cells: Cells, convert: Form) -> Iterable[str | None]:
    """Convert a whole column of cells. Values repeat, and plain digits stay as they are."""
    if convert is parse_integer:
        digits = "".join(cells)
        if digits.isdigit() and digits.isascii():
            return cells
    values = {cell: convert(cell) for cell in set(cells)}
    return map(values.__getitem__, cells)


@dataclass(frozen=True)
class Plan:
    """How a table is used: ``wanted`` are the indexes of its columns, in the order of the cells."""

    view: str
    wanted: tuple[int, ...]
    numbers: tuple[int, ...]  # cells that contain a number or nothing
    keys: tuple[int, ...]  # cells without which a row cannot be used
    projections: tuple[Projection, ...]
    about: tuple[tuple[str, int, Form], ...]  # attributes of the report
    pivot: tuple[int, int, int | None] | None = None  # cells of a column's name, its value, the member

    @cached_property
    def _numbers(self) -> Callable[[Cells], Cells]:
        return picker(self.numbers)

    def matches(self, cells: Cells) -> bool:
        """Return whether numbers, or the mark of a null, are where the table has numbers."""
        numbers = self._numbers(cells)
        if "" in numbers:
            return False
        return "".join(numbers).isdigit() or all(
            cell == "-" or cell.isdigit() or number(cell) is not None for cell in numbers
        )

    @property
    def is_counted(self) -> bool:
        return any(projection.counts for projection in self.projections)


class Table:
    """A table that takes rows and keeps some of them until they are written."""

    def __init__(self, part: Part, plan: Plan) -> None:
        self._part = part
        self._plan = plan
        self._rows: list[Cells] = []
        self._reports: dict[str | None, Report] = {}
        self._seen: list[dict[Hashable, Row]] = [{} for _ in plan.projections]
        self._refused: set[int] = set()
        self._pivoted: dict[str, dict[str, str]] = {}
        self._database = next((index for name, index, _ in plan.about if name == "database"), None)
        self._first = part.lines.number

    def add(self, cells: Cells) -> bool:
        """Add a row; return False if it has no key."""
        for index in self._plan.keys:
            if cells[index] in {"", "-"}:
                return False
        self._rows.append(cells)
        if len(self._rows) >= ROWS:
            self._write()
        return True

    def extend(self, cell: int, line: str, width: int) -> bool:
        """Add a line to the text of the last row; return False if the text is full, so that it counts as cut."""
        if not self._rows:
            return False
        row = [*self._rows[-1]]
        text = f"{row[cell]}\n{line.rstrip()}"
        fits = len(text) <= width
        row[cell] = text if fits else row[cell].ljust(width)
        self._rows[-1] = row
        return fits

    def close(self) -> None:
        """Write the remaining rows."""
        self._write()
        if self._pivoted:
            source = self._plan.projections[0].source
            for member, values in self._pivoted.items():
                self._part.readings.row(self._report(None), source, {"MEMBER": member or None, **values})

    def _write(self) -> None:
        rows, self._rows = self._rows, []
        if self._plan.pivot:
            self._turn(rows)
            return
        if self._database is None:
            self._write_of(self._report(None), rows)
            return
        for database, group in groupby(rows, key=lambda cells: cells[self._database or 0]):
            self._write_of(self._report(database), list(group))

    def _write_of(self, report: Report, rows: list[Cells]) -> None:
        """Write rows of one database."""
        for name, index, convert in self._plan.about:
            _tell(report, name, {convert(cells[index]) for cells in rows})
        for place, projection in enumerate(self._plan.projections):
            if place in self._refused:
                continue
            made: Iterable[Row] = projection.rows(rows)
            if projection.repeats:
                made = self._remove_repeated(place, projection, made)
            self._part.readings.rows(report, projection.source, projection.columns, made)

    def _remove_repeated(self, place: int, projection: Projection, rows: Iterable[Row]) -> list[Row]:
        """Return the rows without repeated ones; nothing more after two have different values for one object."""
        seen = self._seen[place]
        result = []
        for row in rows:
            key = tuple(row[position] for position in projection.keys)
            if seen.get(key) == row:
                continue
            if key in seen and place:
                continue  # values in addition to the table's own subject
            if key in seen:
                self._refused.add(place)
                self._ignore("several rows of one object, and no column contains the member")
                return []
            if len(seen) < REMEMBERED:
                seen[key] = row
            result.append(row)
        return result

    def _turn(self, rows: list[Cells]) -> None:
        """Keep names and values: they become columns of one row for each member."""
        name, value, member = self._plan.pivot or (0, 0, None)
        projection = self._plan.projections[0]
        convert = dict(zip(projection.columns, (convert for _, convert in projection.cells), strict=True))
        for cells in rows:
            column = cells[name].upper()
            found = convert[column](cells[value]) if column in convert else None
            if found is not None:
                self._pivoted.setdefault("" if member is None else cells[member], {})[column] = found

    def _report(self, database: str | None) -> Report:
        """Return the report of a database; values of the session apply to it too."""
        report = self._reports.get(database)
        if report is None:
            readings, document = self._part.readings, self._part.document
            report = readings.report(
                self._plan.view if self._plan.view == SESSION else f"listing of {self._plan.view}", document
            )
            report.counts = SINCE if self._plan.is_counted else STATE
            inherit(readings, report)
            self._reports[database] = report
        return report

    def _ignore(self, why: str) -> None:
        lines = self._part.lines
        self._part.ignore(why, min(self._first, lines.number))


def inherit(readings: Readings, report: Report) -> None:
    """Set what the session printed before: the database of CONNECT, the time of VALUES CURRENT TIMESTAMP."""
    for earlier in reversed(readings.reports[-200:]):
        if earlier.document != report.document or earlier is report:
            continue
        if earlier.format in {SESSION, CONNECTION}:
            report.taken_at = report.taken_at or earlier.taken_at
            report.database = report.database or earlier.database
        if earlier.format == CONNECTION:
            report.level, report.platform = earlier.level, earlier.platform
            return


def _tell(report: Report, name: str, found: set[str | None]) -> None:
    """Set an attribute of a report: the last of several times, a text only if there is one."""
    texts = found - {None}
    if name in _TIMES:
        times = [time for text in texts if (time := moment(text)) is not None]
        if times and name == "taken_at":
            report.taken_at = max(times)  # instead of the time of the session
        elif times:
            first = min(times)  # of the members; one may have been started later
            report.since = first if report.since is None else max(report.since, first)  # activation and reset
    elif len(texts) == 1:
        setattr(report, name, texts.pop())
