"""The answer of ``db2tune sql``: a table, and the list of views."""

import csv
import io
import math
from typing import Any

from tabulate import tabulate

from advisor.judgement.queries import Table, View
from advisor.report.csvout import cell
from advisor.report.output import Paint
from advisor.report.text import count, json_text, make_printable, wrap
from advisor.report.values import head

NULL = "-"  # as in Db2's command line processor


def render(table: Table, form: str) -> str:
    """Return a table as text, CSV or JSON."""
    if form == "json":
        rows = [[_to_json_value(value) for value in row] for row in table.rows]
        return json_text({**head(), "columns": list(table.columns), "rows": rows})
    if form == "csv":
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows(map(cell, row) for row in [table.columns, *table.rows])
        return file.getvalue()
    return _text(table)


def _text(table: Table) -> str:
    heads = [make_printable(name) for name in table.columns]
    rows = [[_show_value(value) for value in row] for row in table.rows]
    columns = zip(*table.rows, strict=True) if table.rows else [()] * len(heads)
    sides = ["left" if any(isinstance(value, str) for value in column) else "right" for column in columns]
    made = tabulate(rows, heads, tablefmt="simple", disable_numparse=True, colalign=sides if rows else None)
    return "\n".join(line.rstrip() for line in [*made.splitlines(), "", count(len(rows), "row")]) + "\n"


def _show_value(value: Any) -> str:
    if value is None:
        return NULL
    return f"{value:.10g}" if isinstance(value, float) else make_printable(str(value))


def _to_json_value(value: Any) -> Any:
    """Return the value for JSON: numbers stay numbers, if JSON can express them."""
    if value is None or isinstance(value, bool | int | str):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else str(value)


def views(found: list[View], form: str, width: int, paint: Paint) -> str:
    """Return the views, each with the first sentence of its description and its columns."""
    if form != "text":
        rows: list[tuple[Any, ...]] = [(view.name, view.description, " ".join(view.columns)) for view in found]
        return render(Table(("VIEW", "DESCRIPTION", "COLUMNS"), rows), form)
    lines = [
        line
        for view in found
        for line in (
            paint(f"TUNE.{view.name}", bold=True),
            *wrap(summary(view), width, "    "),
            *wrap(", ".join(view.columns), width, "    "),
        )
    ]
    return "\n".join(lines) + "\n"


def summary(view: View) -> str:
    """Return the first sentence of a description."""
    return view.description.partition(". ")[0].rstrip(".") + "."
