"""How each format shows text, commands and tables, so that what came from a database is never markup.

A template defines the layout. Everything that it prints passes through the ``escape`` of its format, except what
the filters ``code``, ``verbatim``, ``table`` and ``wrap`` made, which escape themselves.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap

from markupsafe import Markup
from tabulate import tabulate

from advisor.report import markdown, pages, text

WIDTH = 100
INDENT = " " * 4
GAP = "  "

Rows = Iterable[Sequence[str]]

# Jira: these begin markup wherever they stand, those only at the edge of a word; the last are pictures, as (x) and :).
_JIRA_MARKUP = re.compile(
    r"[{}\[\]|!#]"
    r"|(?<![A-Za-z0-9])[*_+^~?-]|[*_+^~?-](?![A-Za-z0-9])"
    r"|\((?=(?:[!/xiyn?+*-]|on|off|flag|flagoff|\*[rgby])\))|(?<![A-Za-z0-9])[:;](?=[()DPp|])"
)
_ENTITY = re.compile(r"&(?=#?\w+;)")
_JIRA_BLOCK = re.compile(r"\{(?:code|noformat)", re.IGNORECASE)


@dataclass(frozen=True)
class Format:
    """One format: its template, how it escapes a line, and its blocks.

    ``code`` takes commands (``-- `` begins a line for a person), ``verbatim`` a text of several lines, ``table`` the
    headers and the rows.
    """

    template: str
    escape: Callable[[str], str]
    code: Callable[[Sequence[str]], str]
    verbatim: Callable[[str], str]
    table: Callable[[Sequence[str], Rows], str]


def _markdown_verbatim(block: str) -> str:
    return markdown.fence_block(_lines(block))


def _markdown_code(lines: Sequence[str]) -> str:
    return markdown.code(list(lines))


def _markdown_table(headers: Sequence[str], rows: Rows) -> str:
    return _format_table(headers, rows, markdown.escape, "github")


def _html_verbatim(block: str) -> str:
    return pages.pre(_lines(block).splitlines())


def _html_table(headers: Sequence[str], rows: Rows) -> str:
    """Label each cell with its header, which narrow screens show."""
    head = "".join(f"<th>{pages.escape(header)}</th>" for header in headers)
    body = "\n".join(
        "<tr>"
        + "".join(
            f'<td data-label="{pages.escape(header)}">{pages.escape(cell)}</td>'
            for header, cell in zip(headers, row, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _jira_escape(line: str) -> str:
    """Escape markup with a backslash; a backslash becomes an entity, since two would break the line."""
    parts = _ENTITY.sub("&amp;", text.make_printable(line)).split("\\")
    return "&#92;".join(_JIRA_MARKUP.sub(lambda found: f"\\{found[0]}", part) for part in parts)


def _jira_code(lines: Sequence[str]) -> str:
    return "\n\n".join(
        "\n".join(f"* {_jira_escape(line)}" for line in run) if by_hand else _jira_block("\n".join(run))
        for by_hand, run in text.commands(list(lines))
    )


def _jira_verbatim(block: str) -> str:
    return _jira_block(_lines(block))


def _jira_block(block: str) -> str:
    """Return a code block; lines that would end it follow as escaped lines."""
    if _JIRA_BLOCK.search(block):
        return "\n".join(_jira_escape(line) for line in block.splitlines())
    return f"{{code}}\n{block}\n{{code}}"


def _jira_table(headers: Sequence[str], rows: Rows) -> str:
    return _format_table(headers, rows, _jira_escape, "jira")


def _text_code(lines: Sequence[str]) -> str:
    """Return commands unwrapped, so that users can copy them."""
    return "\n".join(
        "\n".join(wrapped(line, f"{INDENT}- ") for line in run)
        if by_hand
        else "\n".join(f"{INDENT}{line}" for line in run)
        for by_hand, run in text.commands(list(lines))
    )


def _text_verbatim(block: str) -> str:
    return "\n".join(f"{INDENT}{line}".rstrip() for line in _lines(block).splitlines())


def _text_table(headers: Sequence[str], rows: Rows) -> str:
    heads, *cells = [[text.make_printable(cell) for cell in row] for row in (headers, *rows)]
    columns = list(zip(heads, *cells, strict=True))
    least = [max(map(len, " ".join(column).split()), default=0) for column in columns]
    widths = _fit_widths([max(map(len, column)) for column in columns], least, WIDTH - len(GAP) * (len(heads) - 1))
    filled = [
        ["\n".join(wrap(cell, width, break_on_hyphens=False)) for cell, width in zip(row, widths, strict=True)]
        for row in cells
    ]
    table = tabulate(filled, heads, "simple", disable_numparse=True)
    return "\n".join(line.rstrip() for line in table.splitlines())


def _fit_widths(widths: list[int], least: list[int], total: int) -> list[int]:
    """Return the widths of columns, the widest narrowed until all fit; their longest words stay whole."""
    fitted = list(widths)
    while sum(fitted) > total and (wide := [n for n, width in enumerate(fitted) if width > least[n]]):
        fitted[max(wide, key=fitted.__getitem__)] -= 1
    return fitted


def _format_table(headers: Sequence[str], rows: Rows, escape: Callable[[str], str], form: str) -> str:
    cells = [[escape(cell) for cell in row] for row in rows]
    return tabulate(cells, [escape(header) for header in headers], form, disable_numparse=True)


def _lines(block: str) -> str:
    """Return the printable lines of a text."""
    return "\n".join(text.make_printable(line) for line in block.split("\n"))


def wrapped(value: str, first: str = "", rest: str | None = None) -> Markup:
    """Wrap prose to lines of WIDTH characters, for plain text."""
    return Markup("\n".join(text.wrap(value, WIDTH, first, rest)))


FORMATS = {
    "markdown": Format("ticket.md", markdown.escape, _markdown_code, _markdown_verbatim, _markdown_table),
    "html": Format("ticket.html", pages.escape, pages.code, _html_verbatim, _html_table),
    "jira": Format("ticket.jira", _jira_escape, _jira_code, _jira_verbatim, _jira_table),
    "text": Format("ticket.txt", text.make_printable, _text_code, _text_verbatim, _text_table),
}
