"""The top statements, as reports show them: what each takes in total and per execution, and its text."""

from dataclasses import asdict, replace
from typing import Any

from tabulate import tabulate

from advisor.judgement.statements import Statement, Statements
from advisor.quoting import shell
from advisor.report import text
from advisor.report.output import Paint, plain

HEADING = "Top statements"
HEADERS = ("time", "processor", "executions", "ms each", "rows read each", "for each used", "pages read", "spills")
SMALL_PCT = 0.05
_SHOWN = 5  # by time; leaders by another metric come in addition
_INDENT = " " * 4
MORE = "More of them, and the calls that show their plans:"
ONE = "Why one of them is slow, and what helps:"
NO_TEXT = "its text was not collected"


def select_statements(given: Statements, everything: bool = False) -> tuple[Statement, ...]:
    """Return the five statements with the most time and the leaders of other metrics, or all.

    Statements without text and time are left out.
    """
    if everything:
        return given.top
    given = replace(given, top=tuple(item for item in given.top if item.short_text or item.time_pct >= SMALL_PCT))
    if not given.top:
        return ()
    leading = {
        max(given.top, key=lambda item: item.cpu_ms or 0).name,
        max(given.top, key=lambda item: item.reads or 0).name,
        max(given.top, key=lambda item: item.spills or 0).name,
    }
    return given.top[:_SHOWN] + tuple(item for item in given.top[_SHOWN:] if item.name in leading)


def figures(item: Statement) -> list[str]:
    """Return the cells of a statement under HEADERS; a hyphen means not measured."""
    return [
        text.percent(item.time_pct),
        _percent(item.cpu_pct),
        format_number(item.executions),
        format_number(item.ms_per_execution),
        format_number(item.rows_per_execution),
        format_number(item.rows_per_row),
        format_number(item.reads),
        format_number(item.spills),
    ]


def format_execution(item: Statement) -> str:
    """Describe one execution of a statement."""
    parts = [f"{format_number(item.executions)} of {format_number(item.ms_per_execution)} ms"]
    if item.rows_per_execution is not None:
        parts.append(f"{format_number(item.rows_per_execution)} rows read")
    if item.reads is not None and item.executions:
        parts.append(f"{format_number(item.reads / item.executions)} pages read")
    return ", ".join(parts)


def title(given: Statements, items: tuple[Statement, ...]) -> str:
    """Return the heading with the number of shown and known statements."""
    cached = f" of {given.cached:,} in the package cache" if given.cached else ""
    return f"{HEADING} ({len(items)}{cached})"


def begin(item: Statement) -> str:
    """Return the beginning of its text, on one line."""
    return " ".join((item.short_text or NO_TEXT).split())


def format_facts(item: Statement) -> str:
    """Return further facts about a statement: its name, and the tables that it reads."""
    parts = [f"statement {item.name}"]
    if item.tables:
        parts.append(f"reads {item.tables}")
    if item.unindexed:
        parts.append(f"no index on {item.unindexed} starts with a column of its predicates")
    if item.plans > 1:
        parts.append(f"{item.plans} plans")
    return "; ".join(parts)


def lines(given: Statements, width: int, paint: Paint = plain, everything: bool = False, source: str = "") -> list[str]:
    """Return the section for a terminal, or nothing without collected statements."""
    items = select_statements(given, everything)
    if not items:
        return []
    header, *heads = _table(items)
    found = ["", paint(title(given, items), bold=True), paint(header, dim=True)]
    for head, item in zip(heads, items, strict=True):
        found += [head, *text.wrap(begin(item), width, _INDENT), *text.wrap(format_facts(item), width, _INDENT)]
    calls = [MORE, f"db2tune statements {source}", *_explain_one(given, source)]
    return [*found, *(_INDENT + call.rstrip() for call in calls)]


def _explain_one(given: Statements, source: str) -> list[str]:
    """Return the command that explains the first statement with a text, and a heading."""
    rank = next((rank for rank, item in enumerate(given.top, 1) if item.text), None)
    return [ONE, f"db2tune query --rank {rank} {source}"] if rank else []


def list_all(given: Statements, database: str, width: int, paint: Paint = plain, source: str = "") -> list[str]:
    """Return all statements, with the calls that show their plans."""
    if not given.top:
        return ["No statement was collected: the package cache held none, or could not be read."]
    header, *heads = _table(given.top)
    found = [paint(title(given, given.top), bold=True), paint(header, dim=True)]
    for head, item in zip(heads, given.top, strict=True):
        found += [head, *text.wrap(text.make_printable(" ".join((item.text or NO_TEXT).split())), width, _INDENT)]
        found += text.wrap(f"{format_facts(item)}; among the first by {', '.join(item.top_by)}", width, _INDENT)
        found += [*([_INDENT + paint(text.make_printable(item.see_plan), fg="cyan")] if item.see_plan else []), ""]
    how = (SEE_PLAN if any(item.see_plan for item in given.top) else "") + SEE_INDEXES
    head, *command = _explain_one(given, source) or [""]
    one = [head, *(f"  {line}" for line in command)] if command else []
    return [*found, *one, *how.format(database=shell(database), source=source).split("\n")]


SEE_PLAN = """\
The call explains the section that is in the package cache. Then:
  db2exfmt -d {database} -1 -o plan.txt
It needs explain tables:
  CALL SYSPROC.SYSINSTALLOBJECTS('EXPLAIN', 'C', CAST(NULL AS VARCHAR(128)), 'SYSTOOLS')
"""
SEE_INDEXES = """\
Indexes:
  db2tune indexes {source}
Db2's own proposals: --advis FILE, then
  db2advis -d {database} -i FILE -t 5"""


def document(given: Statements) -> dict[str, Any]:
    """Return the statements for programs, with rounded numbers."""
    return {
        "cached": given.cached,
        "collected": given.collected,
        "top": [{name: _round_value(value) for name, value in asdict(item).items()} for item in given.top],
    }


def _table(items: tuple[Statement, ...]) -> list[str]:
    rows = [list(HEADERS), *map(figures, items)]
    return tabulate(rows, tablefmt="plain", disable_numparse=True, colalign=["right"] * len(HEADERS)).splitlines()


def _percent(value: float | None) -> str:
    return "-" if value is None else text.percent(value)


def format_number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"


def _round_value(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else list(value) if isinstance(value, tuple) else value
