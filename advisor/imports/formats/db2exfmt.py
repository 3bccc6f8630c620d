"""Output of ``db2exfmt``: the operators of each plan, and the tables and indexes without statistics.

The details of an operator have its estimates, streams and objects. Actual rows (section actuals) are only in the graph:
below the estimated rows of each operator, if the graph's legend says ``Rows Actual`` (IBM documentation, c0056464).
"""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from advisor.imports.cells import parse_number
from advisor.imports.formats.db2exfmt_graph import read_graph
from advisor.imports.reader import Format, Part, Reader

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
_OPERATOR = re.compile(r"(\d{1,4})\) ([A-Z][A-Z0-9]*)\s*: ?\(")
_STREAM = re.compile(r"\d+\) (From Operator|To Operator|From Object|To Object) #?(\S+)$")
_ROWS = re.compile(r"Estimated number of rows:\s+(\S+)")
_SPILLED = re.compile(r"SPILLED\s*: \(")
_WARNING = re.compile(
    r"EXP00(?:20|21|22)W\s.{0,400}?\b(?P<what>table|index)\s+\"?(?P<schema>[^\"\s.]+)\s*\"?\.\"(?P<name>[^\"]+)\"\s+has not had"
    r"\s+runstats\s+run\s+on\s+it",
    re.I,
)
_NAME = re.compile(r"([^\s.]+)\.([^\s.]+)")
_INPUTS, _OUTPUTS = "Input Streams:", "Output Streams:"
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
class _Operator:
    type: str
    values: dict[str, str] = field(default_factory=dict)
    inputs: list[int] = field(default_factory=list)


@dataclass
class _Plan:
    """One statement."""

    section: str = "0"
    text: list[str] = field(default_factory=list)
    graph: list[str] = field(default_factory=list)
    room: int = _MOST_GRAPH
    warnings: list[str] = field(default_factory=list)
    operators: dict[int, _Operator] = field(default_factory=dict)
    cost: str | None = None

    def list_looped(self) -> set[int]:
        """Return the operators below the inner side of a nested-loop join, which run once per outer row."""
        found: set[int] = set()
        waiting = [
            item.inputs[-1] for item in self.operators.values() if item.type == "NLJOIN" and len(item.inputs) > 1
        ]
        while waiting:
            number = waiting.pop()
            if number not in found and number in self.operators:
                found.add(number)
                waiting += self.operators[number].inputs
        return found


class _Reader(Reader):
    """A reader of the plans of one text."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self._report: Report = part.report(NAME)
        self._time = "-"
        self._plan = _Plan()
        self._heading = ""
        self._operator: _Operator | None = None
        self._streams = self._stream = ""
        self._is_spill = False
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
            plan.room -= len(line)
            if plan.room >= 0:
                plan.graph.append(line)
        elif self._heading == "Extended Diagnostic Information:":
            plan.warnings.append(text)
        elif self._heading == "Plan Details:":
            self._take_detail(text)
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

    def _take_detail(self, text: str) -> None:
        operator = self._operator
        if match := _OPERATOR.match(text):
            operator = self._operator = _Operator(match[2])
            self._streams = self._stream = ""
            if len(self._plan.operators) < _MOST_OPERATORS:
                self._plan.operators[int(match[1])] = operator
        elif operator is None:
            return
        elif text in (_INPUTS, _OUTPUTS):
            self._streams = text
        elif match := _STREAM.match(text):
            self._stream = match[1]
            if self._streams == _INPUTS and match[1] == "From Operator" and match[2].isdecimal():
                operator.inputs.append(int(match[2]))
            elif (
                match[1] == "From Object"
                and operator.type in ("TBSCAN", "FETCH")
                and (name := _NAME.fullmatch(match[2]))
            ):
                operator.values |= {"TABSCHEMA": name[1], "TABNAME": name[2]}
        elif (match := _ROWS.match(text)) and (rows := parse_number(match[1])):
            if self._streams == _OUTPUTS:
                operator.values.setdefault("ROWS_ESTIMATED", rows)
            elif self._stream == "From Object" and "TABNAME" in operator.values:
                operator.values.setdefault("TABLE_ROWS", rows)
        elif self._is_spill and (pages := parse_number(text)):
            operator.values["SPILLED_PAGES"] = pages
        self._is_spill = _SPILLED.match(text) is not None

    def _end(self) -> None:
        """Write the operators of a plan."""
        plan, self._plan, self._operator, self._heading = self._plan, _Plan(), None, ""
        common = {"TOTAL_COST": plan.cost} if plan.cost else {}
        if text := " ".join(" ".join(plan.text).split())[:_LONGEST_STATEMENT]:
            common["STMT_TEXT"] = text
        looped = plan.list_looped()
        for number, (type, estimated, actual) in read_graph(plan.graph).items():
            operator = plan.operators.setdefault(number, _Operator(type))
            if estimated and operator.type == type:
                operator.values.setdefault("ROWS_ESTIMATED", estimated)
            if actual and operator.type == type:
                operator.values["ROWS_ACTUAL"] = actual
        for number, operator in plan.operators.items():
            known = (
                {"IN_LOOP": str(int(number in looped))}
                if operator.inputs or looped or "TABNAME" in operator.values
                else {}
            )
            self._write(plan, number, {"OPERATOR_TYPE": operator.type, **operator.values, **known, **common})
        for number, match in enumerate(_WARNING.finditer(" ".join(plan.warnings)), _FIRST_WARNING):
            column = "TABNAME" if match["what"].lower() == "table" else "INDNAME"
            names = {"TABSCHEMA": match["schema"].rstrip(), column: match["name"].rstrip()}
            self._write(plan, number, {"OPERATOR_TYPE": NO_STATISTICS, **names, **common})

    def _write(self, plan: _Plan, number: int, row: dict[str, str]) -> None:
        key = {"EXPLAIN_TIME": self._time, "SECTION": plan.section, "OPERATOR_ID": str(number)}
        self.part.readings.row(self._report, SOURCE, key | row)
        self._rows += 1


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
