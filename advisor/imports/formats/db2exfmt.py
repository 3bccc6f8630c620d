"""Output of ``db2exfmt``: the operators of each plan, and the tables and indexes without statistics.

The details of an operator have its estimates, streams and objects. Actual rows (section actuals) are only in the graph:
below the estimated rows of each operator, if the graph's legend says ``Rows Actual`` (IBM documentation, c0056464).
"""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from advisor.imports.cells import parse_number
from advisor.imports.reader import Format, Part, Reader
from advisor.plans.graph import read_graph
from advisor.plans.plan import Plan
from advisor.plans.words import read_details

if TYPE_CHECKING:
    from advisor.imports.readings import Report

NAME = "db2exfmt"
SOURCE = "plan_operator"
NO_STATISTICS = "NO_STATISTICS"
_FIRST_WARNING = 10_000  # OPERATOR_ID of rows about statistics instead of operators
_MOST_GRAPH = 10_000_000  # characters of one plan
_MOST_OPERATORS = 10_000  # of one plan
_LONGEST_STATEMENT = 300

_INSTANCE = re.compile(r"\*{10,} EXPLAIN INSTANCE \*{10,}")
_STATEMENT = re.compile(r"-{8,} STATEMENT \d+\s+SECTION (\d+) -{8,}")
_FACT = re.compile(r"(FORMATTED ON DB|EXPLAIN_TIME):\s+(\S+)")
_TOTAL = re.compile(r"Total Cost:\s+(\S+)")
_WARNING = re.compile(
    r"EXP00(?:20|21|22)W\s.{0,400}?\b(?P<what>table|index)\s+\"?(?P<schema>[^\"\s.]+)\s*\"?\.\"(?P<name>[^\"]+)\"\s+has not had"
    r"\s+runstats\s+run\s+on\s+it",
    re.I,
)
_HEADINGS = frozenset(
    {
        *("Database Context:", "Package Context:", "Original Statement:", "Optimized Statement:", "Access Plan:"),
        *("Operator Symbols :", "Operator Symbols:", "Extended Diagnostic Information:", "Plan Details:"),
        *("Objects Used in Access Plan:", "Base Table For Index Not Already Shown:", "Profile Information:"),
        *("Explain level:", "Global Optimization Guidelines:"),
    }
)
_TOOL = re.compile(r"IBM (?:DATABASE 2|Db2) Explain Table Format Tool", re.I)


@dataclass
class _Statement:
    """One statement with the lines of its plan."""

    section: str = "0"
    text: list[str] = field(default_factory=list)
    graph: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    room: int = _MOST_GRAPH
    warnings: list[str] = field(default_factory=list)
    cost: str | None = None


class _Reader(Reader):
    """A reader of the plans of one text."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self._report: Report = part.report(NAME)
        self._time = "-"
        self._plan = _Statement()
        self._heading = ""
        self._rows = 0

    def take(self, line: str, text: str) -> bool:
        return self._take_heading(text) or self._take(line, text)

    def end(self) -> None:
        self._end()
        if not self._rows:
            self.part.unused(NAME, self.first)

    def _take_heading(self, text: str) -> bool:
        if _INSTANCE.match(text):
            self._end()
            self._time, self._heading = "-", ""
        elif match := _STATEMENT.match(text):
            self._end()
            self._plan.section, self._heading = match[1], ""
        elif text in _HEADINGS:
            if text == "Access Plan:" and self._plan.graph:
                self._end()
            self._heading = text
        else:
            return False
        return True

    def _take(self, line: str, text: str) -> bool:
        """Take a line of the current part; return False for a line of another text."""
        plan = self._plan
        if not text or set(text) == {"-"}:
            return True
        if self._heading == "Original Statement:":
            plan.text.append(text)
        elif self._heading == "Access Plan:":
            if match := _TOTAL.match(text):
                plan.cost = parse_number(match[1])
            self._keep(line, plan.graph)
        elif self._heading == "Extended Diagnostic Information:":
            plan.warnings.append(text)
        elif self._heading == "Plan Details:":
            self._keep(text, plan.details)
        elif match := _FACT.match(text):
            self._take_fact(match[1], match[2])
        free = self._heading in ("Original Statement:", "Optimized Statement:", "Access Plan:")
        return free or not self._starts_other(line)

    def _take_fact(self, name: str, value: str) -> None:
        if name == "EXPLAIN_TIME":
            self._time = value[:26]
        elif self._report.database in (None, value):
            self._report.database = value
        else:
            self._report = self.part.report(NAME, database=value)

    def _starts_other(self, line: str) -> bool:
        return not _TOOL.search(line) and self.part.starts_other_format(line) and not _starts(line, "")

    def _keep(self, line: str, lines: list[str]) -> None:
        self._plan.room -= len(line)
        if self._plan.room >= 0:
            lines.append(line)

    def _end(self) -> None:
        """Write the operators of a plan."""
        read, self._plan, self._heading = self._plan, _Statement(), ""
        common = {"TOTAL_COST": read.cost} if read.cost else {}
        if text := " ".join(" ".join(read.text).split())[:_LONGEST_STATEMENT]:
            common["STMT_TEXT"] = text
        plan = read_graph(read.graph) or Plan()
        read_details(read.details, plan)
        looped = plan.looped()
        for number, operator in [*plan.operators.items()][:_MOST_OPERATORS]:
            reads = operator.type in ("TBSCAN", "FETCH") and operator.object and operator.table
            values = {
                "OPERATOR_TYPE": operator.type,
                "ROWS_ESTIMATED": operator.rows,
                "ROWS_ACTUAL": operator.actual,
                "TABSCHEMA": operator.table[0] if reads and operator.table else None,
                "TABNAME": operator.table[1] if reads and operator.table else None,
                "TABLE_ROWS": operator.object.rows if reads and operator.object else None,
                "SPILLED_PAGES": operator.spilled_pages,
                "IN_LOOP": int(number in looped) if operator.inputs or looped or reads else None,
            }
            self._write(
                read, number, {name: _text(value) for name, value in values.items() if value is not None} | common
            )
        for number, match in enumerate(_WARNING.finditer(" ".join(read.warnings)), _FIRST_WARNING):
            column = "TABNAME" if match["what"].lower() == "table" else "INDNAME"
            names = {"TABSCHEMA": match["schema"].rstrip(), column: match["name"].rstrip()}
            self._write(read, number, {"OPERATOR_TYPE": NO_STATISTICS, **names, **common})

    def _write(self, plan: _Statement, number: int, row: dict[str, str]) -> None:
        key = {"EXPLAIN_TIME": self._time, "SECTION": plan.section, "OPERATOR_ID": str(number)}
        self.part.readings.row(self._report, SOURCE, key | row)
        self._rows += 1


def _text(value: float | str) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _starts(line: str, previous: str) -> bool:
    text = line.strip()
    return (
        text in ("Access Plan:", "Plan Details:")
        or (_INSTANCE.match(text) or _STATEMENT.match(text) or _TOOL.match(text)) is not None
    )


FORMATS = (
    Format(
        NAME,
        _starts,
        _Reader.read,
        ("access plan:", "plan details:", "explain instance", "  section ", "explain table"),
    ),
)
