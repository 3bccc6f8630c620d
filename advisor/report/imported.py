"""What an import made of its texts, for people: line by line, and in a few lines."""

from itertools import groupby

from advisor.imports.explained import Taken
from advisor.imports.readings import Range
from advisor.imports.texts import Imported
from advisor.report.text import make_printable


def explanation(result: Imported) -> str:
    """Explain each range of lines: its format, or why it was ignored. Inner ranges and values follow their range."""
    lines = []
    items: list[Range | Taken] = sorted([*reversed(result.ranges), *result.taken], key=_order)  # the outer first
    for document, ranges in groupby(items, lambda item: item.document):
        lines.append(make_printable(document))
        end = 0
        for item in ranges:
            if isinstance(item, Taken):
                lines.append(f"    {f'line {item.line}' if item.line else '':<16} {make_printable(item.text)}")
                continue
            within = item.last <= end
            end = max(end, item.last)
            lines.append(f"{'    ' if within else '  '}{_place(item):<16} {_words(item)}")
    return "".join(f"{line}\n" for line in lines) + notes(result)


def summary(result: Imported) -> str:
    """Return the number of rows per source, the first row, and the omitted parts."""
    held = ", ".join(f"{name} {rows}" for name, rows in result.rows.items())
    values = "".join(f"  {make_printable(line)}\n" for line in result.values)
    unnamed = f"note: missing in the texts: {', '.join(result.unnamed)}\n" if result.unnamed else ""
    return f"rows: {held}\n{values}{notes(result)}{unnamed}"


def notes(result: Imported) -> str:
    """List the omitted parts with the reasons."""
    return "".join(f"note: {make_printable(note)}\n" for note in result.notes)


def _order(item: Range | Taken) -> tuple[str, int, int, str]:
    if isinstance(item, Taken):  # behind the ranges that it lies within
        return item.document, item.line, 0, item.text
    return item.document, item.first, -item.last, ""


def _place(item: Range) -> str:
    return f"line {item.first}" if item.first == item.last else f"lines {item.first}-{item.last}"


def _words(item: Range) -> str:
    return make_printable(item.format or f"ignored: {item.why}")
