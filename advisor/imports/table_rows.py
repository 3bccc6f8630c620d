"""Rows of a table on their way into the readings: each becomes a row of one source, or of several."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter

from advisor.imports.cells import Form, total, whole
from advisor.imports.databases import CONNECTION, SESSION
from advisor.imports.reader import Part
from advisor.imports.readings import SINCE, STATE, Readings, Report
from advisor.imports.values import moment, number

Cells = Sequence[str]
Row = Sequence[str | None]

ROWS = 4096  # that are kept until they are written
REMEMBERED = 65_536  # keys that are remembered to find repeated rows
_TIMES = ("taken_at", "since")


def picker(places: Sequence[int]) -> Callable[[Cells], Cells]:
    """What picks the cells at some places."""
    if not places:
        return lambda cells: ()
    if len(places) == 1:
        return lambda cells: (cells[places[0]],)
    return itemgetter(*places)


@dataclass(frozen=True)
class Projection:
    """How rows of one source are made of the cells of a table."""

    source: str
    columns: tuple[str, ...]
    cells: tuple[tuple[int, Form], ...]
    sums: tuple[tuple[tuple[int, float], ...], ...]  # columns that several cells add up to
    constants: tuple[str, ...]
    filters: tuple[tuple[int, Callable[[str], bool]], ...]
    keys: tuple[int, ...]  # positions in a row
    counts: bool
    repeats: bool  # whether rows with one key may come again, because no column says of which member they are

    def rows(self, table: Sequence[Cells]) -> Iterator[Row]:
        """The rows of the source that some rows of the table are: made column by column, which is fast."""
        for index, test in self.filters:
            table = [cells for cells in table if test(cells[index])]
        by_place = [*zip(*table, strict=True)]
        if not by_place:
            return iter(())
        made: list[Iterable[str | None]] = [_converted(by_place[index], convert) for index, convert in self.cells]
        made += ([total(cells, parts) for cells in table] for parts in self.sums)
        made += ([value] * len(table) for value in self.constants)
        return zip(*made, strict=True)


def _converted(cells: Cells, convert: Form) -> Iterable[str | None]:
    """A whole column of cells. Values come again and again, and plain digits are what they are."""
    if convert is whole:
        digits = "".join(cells)
        if digits.isdigit() and digits.isascii():
            return cells
    values = {cell: convert(cell) for cell in set(cells)}
    return map(values.__getitem__, cells)


@dataclass(frozen=True)
class Plan:
    """What is taken from a table: ``wanted`` are the positions of its columns, in whose order cells are given."""

    view: str
    wanted: tuple[int, ...]
    numbers: tuple[int, ...]  # cells that hold a number or nothing
    keys: tuple[int, ...]  # cells without which a row says nothing
    projections: tuple[Projection, ...]
    about: tuple[tuple[str, int, Form], ...]  # attributes of the report
    pivot: tuple[int, int, int | None] | None = None  # cells of a column's name, its value, the member

    @cached_property
    def _numbers(self) -> Callable[[Cells], Cells]:
        return picker(self.numbers)

    def fits(self, cells: Cells) -> bool:
        """Whether numbers, or the sign of a null, stand where the table has numbers."""
        numbers = self._numbers(cells)
        if "" in numbers:
            return False
        return "".join(numbers).isdigit() or all(
            cell == "-" or cell.isdigit() or number(cell) is not None for cell in numbers
        )

    @property
    def counts(self) -> bool:
        return any(projection.counts for projection in self.projections)


class Table:
    """Takes the rows of one table, and keeps some of them until they are written."""

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
        """Take a row; False if it has no key."""
        for index in self._plan.keys:
            if cells[index] in {"", "-"}:
                return False
        self._rows.append(cells)
        if len(self._rows) >= ROWS:
            self._write()
        return True

    def close(self) -> None:
        """Write what is left."""
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
                made = self._unrepeated(place, projection, made)
            self._part.readings.rows(report, projection.source, projection.columns, made)

    def _unrepeated(self, place: int, projection: Projection, rows: Iterable[Row]) -> list[Row]:
        """The rows without those that came already; none, and no more, if two say different things of one object."""
        seen = self._seen[place]
        result = []
        for row in rows:
            key = tuple(row[position] for position in projection.keys)
            if seen.get(key) == row:
                continue
            if key in seen and place:
                continue  # what the table says beside its own subject
            if key in seen:
                self._refused.add(place)
                self._ignore("several rows of one object, and no column says of which member they are")
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
        """The report of a database; what the session said before is true of it too."""
        report = self._reports.get(database)
        if report is None:
            readings, document = self._part.readings, self._part.document
            report = readings.report(
                self._plan.view if self._plan.view == SESSION else f"listing of {self._plan.view}", document
            )
            report.counts = SINCE if self._plan.counts else STATE
            inherit(readings, report)
            self._reports[database] = report
        return report

    def _ignore(self, why: str) -> None:
        lines = self._part.lines
        self._part.readings.ignored(self._part.document, min(self._first, lines.number), lines.number, why)


def inherit(readings: Readings, report: Report) -> None:
    """Take over what the session said before: the database of CONNECT, the time of VALUES CURRENT TIMESTAMP."""
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
            report.taken_at = max(times)  # in place of the time of the session
        elif times:
            first = min(times)  # of the members; one may have been started later
            report.since = first if report.since is None else max(report.since, first)  # activation and reset
    elif len(texts) == 1:
        setattr(report, name, texts.pop())
