"""Pictures of the evidence: rows of the statements in sql/pictures/queries.sql as tables with bars.

columns.csv next to them maps each column to a heading, a unit and a part of the bar.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from advisor.judgement.advice import Record
from advisor.report import pages
from advisor.report.drawing import bar
from advisor.report.pages import Column, Drawn
from advisor.report.text import number, percent, size
from advisor.resources import data_file, query

Rows = Mapping[str, list[Record]]


def statements() -> dict[str, str]:
    """Return the statements for the pictures of the advice, by the name of the picture."""
    return {of["PICTURE"]: query("pictures/queries", of["PICTURE"]) for of in _load_pictures()}


def select_pictures(seen: Rows) -> Iterator[tuple[Mapping[str, str], list[Column], list[Drawn]]]:
    """Yield each picture that has rows: its name, its columns, and the rows with their bars."""
    for of in _load_pictures():
        rows = seen.get(of["PICTURE"])
        if rows:
            columns = [column for column in data_file("pictures", "columns") if column["PICTURE"] == of["PICTURE"]]
            heads = [Column(column["HEAD"], number=column["FORMAT"] != "text") for column in columns]
            yield of, heads, _draw_rows(columns, rows)


def list_missing_pictures(seen: Rows) -> list[str]:
    """Return the headings of the pictures whose data was not read."""
    return [of["HEADING"] for of in _load_pictures() if of["PICTURE"] not in seen]


def _load_pictures() -> Iterator[Mapping[str, str]]:
    return (of for of in pages.pictures("advice") if of["READ_FROM"].startswith("sql/"))


def _draw_rows(columns: list[Mapping[str, str]], rows: list[Record]) -> list[Drawn]:
    parts = {column["DRAWN"]: column["COLUMN"] for column in columns if column["DRAWN"]}
    lengths = [{part: float(row[column] or 0) for part, column in parts.items()} for row in rows]
    largest = max((_bar_length(each) for each in lengths), default=0) or 1
    return [
        Drawn(
            [_cell(row[column["COLUMN"]], column["FORMAT"]) for column in columns],
            bar(_bar_length(each) / largest, each.get("part", 0) / largest, each.get("more", 0) / largest),
        )
        for row, each in zip(rows, lengths, strict=True)
    ]


def _bar_length(lengths: Mapping[str, float]) -> float:
    """Return the length of a bar: the given one, or the sum of its parts."""
    return max(lengths.get("whole", 0), lengths.get("part", 0)) if "whole" in lengths else sum(lengths.values())


def _cell(value: Any, form: str) -> str:
    return "" if value is None else _FORMATS[form](value)


_FORMATS: dict[str, Callable[[Any], str]] = {
    "text": str,
    "count": lambda value: number(float(value)),
    "percent": percent,
    "ms": lambda value: f"{number(value)} ms",
    "s": lambda value: f"{number(round(value / 1000))} s",
    "kb": size,
}
