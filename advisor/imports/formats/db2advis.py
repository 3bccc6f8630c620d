"""Output of ``db2advis``: indexes that it recommends, which do not exist yet, and those that its statements do not use.

The statements of the recommendations are in the form of db2look, so they must not be read as DDL. Costs are those of
the whole workload of the call.
"""

import re

from advisor.imports.reader import Format, Part, Reader, starts_with
from advisor.imports.readings import DDL
from advisor.imports.sql_words import NotUnderstoodError, parse_name, split_words
from advisor.imports.table_ddl import INCLUDED, INDEX, TableStatement, parse_table_ddl
from advisor.quoting import quoted

NAME = "db2advis"
SOURCE = "index_advice"
_LONGEST = 1 << 14  # characters of a statement
_MOST_KEY = 1500  # characters of KEY_TEXT

_COMMAND = re.compile(r"\s*(?:\S{0,60}[$#>] *)?db2advis(?:\.exe)?\s(?:.{0,200}\s)?-d(?:b)?\s+\"?(\w{1,8})\b", re.I)
_START = re.compile(
    r"\s*(?:(?:--\s*)?(?:LIST OF RECOMMENDED INDEXES|RECOMMENDED EXISTING INDEXES|UNUSED EXISTING INDEXES|index\[\d+\],)"
    r"|total disk space (?:needed for initial set|constrained to)|Recommending indexes\.\.\.)"
)
_FINISHED = re.compile(r"DB2 Workload Performance Advisor tool is finished", re.I)
_COST = re.compile(r"\[\s*([\d.]+(?:[eE][+-]?\d+)?)\]\s+timerons\s+\((without|with)\b")
_SIZE = re.compile(r"(?:--\s*)?index\[\d+\],\s*([\d.]+)\s*MB")
_CREATE = re.compile(r"(?:--\s*)?(CREATE\s+(?:UNIQUE\s+)?INDEX\s.*)", re.I)
_DROP = re.compile(r"(?:--\s*)?DROP\s+INDEX\s+((?:\"[^\"]+\"|\w+)\s*\.\s*(?:\"[^\"]+\"|\w+))\s*;?", re.I)
_OWN = re.compile(
    r"--|execution |found \[|total |Trying |Optimization |\s*\d+\s+\w+ in current|\s*\[|COMMIT|RUNSTATS|Using |Cost |no ",
    re.I,
)
_COSTS = {"without": "COST_BEFORE", "with": "COST_AFTER"}


class _Reader(Reader):
    """A reader of one report."""

    most_other = 20
    own = frozenset({NAME, DDL})

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self.database: str | None = None
        self.size: str | None = None  # of the next index
        self.costs: dict[str, str] = {}
        self.rows: list[tuple[int, dict[str, str]]] = []

    def starts_other(self, line: str) -> bool:
        """Return whether a line starts another report, even of this format."""
        return (bool(self.rows) and _COMMAND.match(line.strip()) is not None) or super().starts_other(line)

    def take(self, line: str, text: str) -> bool:
        """Take a line with a value; return False for a line of another text."""
        if match := _COMMAND.match(text):
            if self.rows:
                return False
            self.database = match[1].upper()
        elif match := _COST.match(text):
            self.costs[_COSTS[match[2]]] = match[1]
        elif match := _SIZE.match(text):
            self.size = match[1]
        elif match := _CREATE.match(text):
            self._create(match[1])
        elif match := _DROP.fullmatch(text):
            names = split_words(match[1])
            row = {"INDSCHEMA": parse_name(names[0]), "INDNAME": parse_name(names[-1]), "ACTION": "DROP"}
            self.rows.append((self.part.lines.number, row))
        else:
            self.is_complete = _FINISHED.search(text) is not None
            return self.is_complete or not text or _OWN.match(text) is not None
        return True

    def _create(self, text: str) -> None:
        """Take a statement, which may have several lines."""
        while not text.endswith(";") and len(text) < _LONGEST and (following := self.part.lines.peek()) is not None:
            if _SIZE.match(following.strip()) or _CREATE.match(following.strip()):
                break
            next(self.part.lines)
            text = f"{text} {following.strip().removeprefix('--').strip()}"
        try:
            found = parse_table_ddl(split_words(text.rstrip(" ;")))
        except NotUnderstoodError:
            return
        row = _describe(found) if found.what == INDEX else None
        if row is not None:
            self.rows.append((self.part.lines.number, row | ({"SIZE_MB": self.size} if self.size else {})))
        self.size = None

    def end(self) -> None:
        if not self.rows:
            self.part.unused(NAME, self.first)
            return
        report = self.part.report(NAME, database=self.database)
        for line, row in self.rows:
            self.part.readings.row(report, SOURCE, row | (self.costs if row["ACTION"] == "CREATE" else {}), line)


def _describe(found: TableStatement) -> dict[str, str] | None:
    """Return the row of a recommended index; None if a name lacks its schema, a column
    occurs twice or the key is too long."""
    keys = [(column, order) for column, order in found.parts if order != INCLUDED]
    included = [column for column, order in found.parts if order == INCLUDED]
    text = ", ".join(quoted(column) + (" DESC" if order == "D" else "") for column, order in keys)
    if len(dict(found.parts)) < len(found.parts):
        return None
    if not (keys and all(found.index) and all(found.name)) or len(text) > _MOST_KEY:
        return None
    row = {
        "INDSCHEMA": found.index[0],
        "INDNAME": found.index[1],
        "ACTION": "CREATE",
        "TABSCHEMA": found.name[0],
        "TABNAME": found.name[1],
        "COLNAMES": "".join(("-" if order == "D" else "+") + column for column, order in found.parts),
        "KEY_TEXT": text,
        "UNIQUERULE": found.facts.get("UNIQUERULE", "D"),
        "INDEXTYPE": found.facts.get("INDEXTYPE", "REG"),
    }
    if (free := found.facts.get("PCTFREE")) and len(free) < 3:  # it is at most 99
        row["PCTFREE"] = free
    return row | ({"INCLUDE_TEXT": ", ".join(map(quoted, included))} if included else {})


FORMATS = (
    Format(
        NAME, starts_with(_START, _COMMAND), _Reader.read, ("indexes", "index[", "total disk", "db2advis"), typed=True
    ),
)
