"""One line a recommendation, for spreadsheets and loads into tables."""

import csv
import io
import re
from typing import Any

from advisor.judgement.advice import Recommendation, Window
from advisor.report.jsonout import entry
from advisor.report.selection import Selection
from advisor.report.text import describe_acceptance, make_printable


def render(selection: Selection) -> str:
    advice = selection.advice
    rows = [_row(item, advice.database["name"], advice.window) for item in [*selection.ranked, *selection.suppressed]]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([cell(row[column]) for column in COLUMNS] for row in rows)
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
    """Return the JSON of a recommendation as one row. Semicolons join several commands, as ``db2 -t`` reads them."""
    said = entry(item)
    return {
        **said,
        **{f"object_{part}": value for part, value in said["object"].items()},
        "member": item.member,
        **{f"benefit_{part}": value for part, value in said["benefit_pct"].items()},
        **{part: "; ".join(lines) for part, lines in (("actions", item.actions), ("undo", item.undo))},
        "sources": "; ".join(item.rule.sources),
        "evidence": "; ".join(f"{name}={value}" for name, value in item.evidence.items()),
        "database": database,
        "window_begin": window.begin,
        "window_end": window.end,
        "seconds": window.seconds,
        "accepted": describe_acceptance(item),
    }


_FORMULA = "=+@\uff1d\uff0b\uff20"  # also in full width, which some spreadsheets take for the same
_BEGINS_ONE = re.compile(rf"^(?=[{_FORMULA}\-\uff0d])|(?<=;)(?=\s*(?:[{_FORMULA}]|[\-\uff0d](?!-)))")


def cell(value: Any) -> Any:
    """Return a cell: an apostrophe precedes text that a spreadsheet would take for a formula.

    Text after a semicolon is quoted too, because it separates cells in locales with decimal commas.
    """
    if not isinstance(value, str):
        return value
    text = make_printable(value)
    return text if _is_number(text) else _BEGINS_ONE.sub("'", text)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
