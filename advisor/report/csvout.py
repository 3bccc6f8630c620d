"""One line a recommendation, for spreadsheets and loads into tables."""

import csv
import io
from typing import Any

from advisor.judge.advice import Recommendation, Window
from advisor.report.selection import Selection
from advisor.report.text import accepted, safe, sources


def render(selection: Selection) -> str:
    advice = selection.advice
    rows = [_row(item, advice.database["name"], advice.window) for item in [*selection.ranked, *selection.suppressed]]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([_cell(row[column]) for column in COLUMNS] for row in rows)
    return file.getvalue()


COLUMNS = (
    "rank",
    "lane",
    "rule",
    "area",
    "title",
    "object_type",
    "object_name",
    "member",
    "target",
    "current",
    "proposed",
    "unit",
    "effect",
    "benefit_low",
    "benefit_expected",
    "benefit_high",
    "benefit_after",
    "confidence",
    "memory_delta_kb",
    "actions",
    "undo",
    "evidence",
    "finding",
    "sources",
    "superseded_by",
    "database",
    "window_begin",
    "window_end",
    "seconds",
    "accepted",
)


def _row(item: Recommendation, database: str, window: Window) -> dict[str, Any]:
    """Several commands are joined by semicolons, the way ``db2 -t`` reads them."""
    fields = item.rule.fields
    return {
        "rank": item.rank,
        "lane": item.lane,
        "rule": item.rule.name,
        "area": fields["area"],
        "title": fields["title"],
        "object_type": item.object_type,
        "object_name": item.object_name,
        "member": item.member,
        "target": item.target,
        "current": item.current,
        "proposed": item.proposed,
        "unit": item.unit,
        "effect": fields["effect"],
        "benefit_low": round(item.benefit_low, 4),
        "benefit_expected": round(item.benefit, 4),
        "benefit_high": round(item.benefit_high, 4),
        "benefit_after": round(item.benefit_after, 4),
        "confidence": item.confidence,
        "memory_delta_kb": item.memory_delta_kb,
        "actions": "; ".join(item.actions),
        "undo": "; ".join(item.undo),
        "evidence": "; ".join(f"{name}={value}" for name, value in item.evidence.items()),
        "finding": item.finding,
        "sources": "; ".join(sources(item.rule)),
        "superseded_by": item.superseded_by,
        "database": database,
        "window_begin": window.begin,
        "window_end": window.end,
        "seconds": window.seconds,
        "accepted": accepted(item),
    }


def _cell(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers."""
    if not isinstance(value, str):
        return value
    text = safe(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
