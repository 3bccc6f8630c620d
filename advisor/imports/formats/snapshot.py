"""``get snapshot for …``: databases, buffer pools, table spaces, tables, statements and the database manager.

Every line is ``label = value`` (columns/snapshot.csv); a heading starts a section, a few labels start an object in it.
Sections about one database at one moment are one report. Counters are since activation or the last reset. The page
reads of a whole database are not used: its buffer pools and table spaces list them separately.

A snapshot of all members (GLOBAL) lists them below ``Node number``, but its counters are sums over them that cannot be
split: only the sizes of each member are used.
"""

from collections.abc import Callable
from functools import cache

from advisor.catalogue.sources import all_sources
from advisor.imports.cells import member
from advisor.imports.formats.snapshot_reports import NAME, Reports
from advisor.imports.formats.snapshot_statements import SECTION, StatementReading
from advisor.imports.labels import (
    MOST_SPELLINGS,
    OBJECT,
    REPORT,
    Begins,
    Labels,
    Row,
    Spellings,
    is_usable,
    keys,
    sections,
)
from advisor.imports.reader import Format, Part
from advisor.imports.readings import Report
from advisor.imports.values import ALL_WORKLOADS

_USED = {
    "database snapshot": "database",
    "bufferpool snapshot": "bufferpool",
    "tablespace snapshot": "tablespace",
    "table snapshot": "table",
    "database manager snapshot": "instance",
    "dynamic sql snapshot result": SECTION,
}
_UNUSED = {
    "application snapshot": "page reads of one application exclude those of prefetchers: nothing follows from them",
    "database lock snapshot": "locks of one moment are not used",
    "application lock snapshot": "locks of one moment are not used",
    "dcs database snapshot": "a gateway's view of a database elsewhere is not used",
    "dcs application snapshot": "a gateway's view of an application elsewhere is not used",
    "remote database snapshot": "a federated server's view of a database elsewhere is not used",
    "remote application snapshot": "a federated server's view of an application elsewhere is not used",
}
_CONTAINER, _OWNER = "container", ("TBSP_NAME", "TBSP_ID")
_NUMBERED = ("node", "number", "member")
# Lists of locks have a "Tablespace Name", which starts nothing.
_HEADLESS = {"Bufferpool name": "bufferpool", "Tablespace name": "tablespace"} | dict.fromkeys(
    (  # only in snapshots of databases
        *("Last backup timestamp", "High water mark for connections", "Lock list memory in use (Bytes)"),
        *("Log space available to the database (Bytes)", "Log space used by the database (Bytes)"),
        *("Maximum secondary log space used (Bytes)", "Maximum total log space used (Bytes)"),
        *("Package cache overflows", "Catalog cache overflows", "Commit statements attempted"),
    ),
    "database",
)

_SUMS = "counters are sums over several members and cannot be split"
_UNNAMED_GROUP = "the storage group of a storage path is not printed"

# Lines without a value that belong to a section. The map of a table space starts its lines with a bracket.
_PLAIN = (
    "detailed explanation:",
    "alter bufferpool information:",
    "memory usage for",
    "workspace information",
    "hadr status",
    "table list",
    "quiescer",
    "table space map:",
    "range ",
    "number set",
    "[",
)
_STATEMENT = ("statement text", "dynamic sql statement text")  # of an application
_MOST_STRAYS = 3  # successive lines that a section does not have: prose, or another text has started
_MOST_PROSE = 200  # lines


@cache
def _sections() -> dict[str, Labels]:
    return sections("snapshot")


@cache
def _container_labels() -> tuple[str, ...]:
    gives = _sections()["tablespace"].gives
    return tuple(label for label, given in gives.items() if any(source == _CONTAINER for source, _, _ in given))


@cache
def _counters(source: str) -> frozenset[str]:
    return frozenset(all_sources()[source].names("counter"))


def _heading(line: str) -> str | None:
    """Return the heading of a section, in lower case; None for any other line."""
    if "napshot" not in line or "=" in line:
        return None
    name = " ".join(line.lower().split())
    return name if name in _USED or name in _UNUSED else None


def _find_headless_section(line: str) -> str | None:
    """Return the section of a line that starts a buffer pool or a table space, or is of a database, if without heading."""
    label, equals, _ = line.partition("=")
    return _HEADLESS.get(" ".join(label.split())) if equals else None


def _starts(line: str, previous: str) -> bool:
    return (_heading(line) or _find_headless_section(line)) is not None


def _read(part: Part) -> None:
    reports = Reports(part)
    spellings = {name: Spellings(section) for name, section in _sections().items()}
    seen: set[str] = set()

    def use(name: str) -> None:
        if name == SECTION:
            StatementReading(part, reports, _sections()[name], spellings[name]).read()
        else:
            _Reading(part, reports, name, spellings[name]).read()

    for line in part.lines:
        heading = _heading(line)
        if heading in _UNUSED:
            _skip(part, _UNUSED[heading], seen)
        elif heading is not None:
            use(_USED[heading])
        elif name := _find_headless_section(line):
            part.lines.push_back()
            use(name)
        elif line.strip():
            part.lines.push_back()
            return


def _skip(part: Part, why: str, seen: set[str]) -> None:
    """Skip the lines of a section that is not used. Statements extend over lines, until one is empty.

    ``seen`` has the text before the = of lines that certainly belong to such sections.
    """
    lines = part.lines
    first = lines.number
    statement = False
    for line in lines:
        if not statement and line.partition("=")[0] in seen:
            lines.pass_over(seen)  # quicker than one by one
            continue
        text = line.strip()
        if not text:
            statement = False
        elif not statement:
            statement = text.lower().startswith(_STATEMENT)
            if statement:
                continue
            if _heading(line) or part.starts(line):
                lines.push_back()
                break
            spelling, equals, _ = line.partition("=")
            if equals and len(seen) < MOST_SPELLINGS:
                seen.add(spelling)
    part.ignore(why, first)


class _Reading:
    """One section: the values of the current object, and those before the first object."""

    def __init__(self, part: Part, reports: Reports, name: str, labels: Spellings) -> None:
        self._part = part
        self._reports = reports
        self._name = name
        self._section = _sections()[name]
        self._labels = labels
        self._whole = name in ("database", "instance")  # the section is one object
        self._said: Row = {}  # values of the section before its first object
        self._values: dict[str, str] = {}
        self._object = self._values if self._whole else None
        self._owner: Row | None = None  # the table space of the containers
        self._report: Report | None = None
        self._first = part.lines.number
        self._waiting: Begins | None = None  # the number of a member is on the next line
        self._number: str | None = None  # the member that was named last
        self._members: dict[str, dict[str, str]] = {}  # values of each member

    def read(self) -> None:
        """Take the lines of the section. Large texts spend their time in this loop."""
        lines, values, plain = self._part.lines, self._values, self._labels.plain
        last = pending = ""  # the label of the previous line if it has a value; the whole line if not
        strays = 0
        for line in lines:
            spelling, equals, text = line.partition("=")
            if equals:
                label = plain.get(spelling)
                if label is not None:
                    values.setdefault(label, text)
                    last = lines.take(plain, values) or label  # quicker than one by one
                else:
                    taken = self._take(line, spelling, pending, text)
                    if taken is None:
                        break
                    values, last = self._values, taken
                if pending:
                    pending, strays = "", 0
                continue
            text = line.strip()
            if not text or text.lower().startswith(_PLAIN):
                last = ""
            elif _heading(line) or self._part.starts(line):
                lines.push_back()
                break
            elif self._continue_value(last, text):
                values, last = self._values, ""
            else:
                pending, strays = text, strays + 1
                if strays == _MOST_STRAYS:
                    prose = self._count_prose()
                    if not prose:
                        lines.push_back()
                        break
                    lines.take_lines(prose)
                    pending, strays = "", 0
        self._end()

    def _count_prose(self) -> int:
        """Return the number of lines up to the next label of the section; 0 if another text or object starts first."""
        for count, line in enumerate(self._part.lines.look_ahead()[:_MOST_PROSE]):
            spelling, equals, _ = line.partition("=")
            label = (self._labels.plain.get(spelling) or self._labels.find(spelling)) if equals else None
            if isinstance(label, str):
                return 0 if label in self._values else count
            if line.strip() and (_heading(line) or self._part.starts(line)):
                return 0
        return 0

    def _take(self, line: str, spelling: str, pending: str, text: str) -> str | None:
        """Take a line whose label is not plain; return the label, or None if the line is of another format."""
        label = self._labels.find(spelling) or self._labels.find(f"{pending} {spelling}")
        if isinstance(label, Begins):
            self._begin_section(label, text)
            return label.label
        if label is not None:  # it was spelled differently, or broken
            self._values.setdefault(label, text)
            return label
        if self._part.starts(line):
            self._part.lines.push_back()
            return None
        self._labels.remember(spelling, "")
        return ""

    def _continue_value(self, label: str, text: str) -> bool:
        """Return whether a line is the rest of the value before it: all of it, or the time of a day."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None and waiting.label == label:
            self._begin_section(waiting, text)
            return True
        old = self._values.get(label, "-").strip() if label else "-"
        if old and not (label in self._section.moments and ":" in text and ":" not in old):
            return False
        self._values[label] = f"{old} {text}"
        return True

    def _begin_section(self, label: Begins, text: str) -> None:
        what = label.what
        if what in _NUMBERED and not text.strip():
            self._waiting = label
        elif what == "object":
            self._end()
            if self._object is None:
                self._said = self._section.rows(self._values)[REPORT]
            self._object = self._values = {label.label: text}
            self._first, self._members = self._part.lines.number, {}
            self._number = self._owner = None
        elif what == "container":
            self._end_container()
            self._values[label.label] = text
        elif what == "node":
            if self._name == "tablespace":
                self._end_container()
            self._number = member(text)
            if self._number is not None:
                self._values = self._members.setdefault(self._number, {})
        elif what == "number":
            self._number = member(text)
        elif what == "path":
            self._part.ignore(_UNNAMED_GROUP)
        else:  # this part of a database or database manager belongs to a member
            number_of = member(text) if what == "member" else self._number
            if number_of is not None:
                self._members.setdefault(number_of, {})

    def _report_of(self, said: Row) -> Report:
        """Return the report, by the values before the section's first object and those of the object."""
        if said or self._report is None:
            self._report = self._reports.find_report(self._name, self._said | said)
        report = self._report
        if len(self._members) > 1 or int(member(said.get("partitions", "")) or 1) > 1:
            report.topology = "dpf"
        elif self._whole and self._members:
            report.member = int(next(iter(self._members)))
        return report

    def _end(self) -> None:
        """Write the values of an object."""
        if self._name == "tablespace":
            self._end_container()
        if self._object is None:
            return
        rows = self._section.rows(self._object)
        report = self._report_of(rows.pop(REPORT))
        finish = _FINISH.get(self._name, _keep_rows)
        if not self._members:
            self._write(report, finish(rows), None)
        for number, values in self._members.items():
            own = self._section.rows(values)
            both = finish({source: row | own[source] for source, row in rows.items()})
            self._write(report, _remove_sums(both, self._whole) if len(self._members) > 1 else both, number)
        if len(self._members) > 1:
            self._part.ignore(_SUMS, self._first)

    def _write(self, report: Report, rows: dict[str, Row], number: str | None) -> None:
        for source, row in rows.items():
            if row and source != OBJECT and is_usable(source, row):
                if number is not None and not self._whole and "MEMBER" in keys(source):
                    row["MEMBER"] = number
                self._part.readings.row(report, source, row)

    def _end_container(self) -> None:
        """Write the container that was read; its labels are repeated for the next."""
        values = self._values
        found = {label: values.pop(label) for label in _container_labels() if label in values}
        if not found or self._object is None:
            return
        if self._owner is None:
            rows = self._section.rows(self._object)
            self._report_of(rows[REPORT])
            self._owner = {name: value for name, value in rows["tablespace"].items() if name in _OWNER}
        row = self._section.rows(found)[_CONTAINER] | self._owner
        if self._report is not None:
            self._write(self._report, {_CONTAINER: row}, self._number)


def _keep_rows(rows: dict[str, Row]) -> dict[str, Row]:
    return rows


def _database(rows: dict[str, Row]) -> dict[str, Row]:
    """Write the work of a whole database as one workload."""
    rows["workload"]["WORKLOAD_NAME"] = ALL_WORKLOADS
    return rows


def _space(rows: dict[str, Row]) -> dict[str, Row]:
    """Set an automatic prefetch size to -1, as in the catalog; snapshots show it since 8.2."""
    defined = rows["cat_tablespace"]
    automatic = rows[OBJECT].get("automatic_prefetch", "").lower()
    if automatic == "yes":
        defined["PREFETCHSIZE"] = "-1"
    elif automatic != "no":
        defined.pop("PREFETCHSIZE", None)
    return rows


def _table(rows: dict[str, Row]) -> dict[str, Row]:
    """Write a user table, the only kind in the source, with partition 0 if it has none."""
    if rows[OBJECT].get("table_type", "user").lower() != "user":
        return {}
    rows["table"].setdefault("DATA_PARTITION_ID", "0")
    return rows


_FINISH: dict[str, Callable[[dict[str, Row]], dict[str, Row]]] = {
    "database": _database,
    "tablespace": _space,
    "table": _table,
}


def _remove_sums(rows: dict[str, Row], everything: bool) -> dict[str, Row]:
    if everything:
        return {}
    return {
        source: {column: value for column, value in row.items() if column not in _counters(source)}
        for source, row in rows.items()
    }


FORMATS = (Format(NAME, _starts, _read, ("=", "snapshot")),)
