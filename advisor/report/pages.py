"""What all pages of HTML are made of: one skeleton, one style, one table of the pictures that each page has.

A page is one file that needs nothing else: no font and no picture from anywhere, and its own content policy forbids
them. The policy allows our own scripts by their hash; without scripts a page lacks only buttons and search. Template
output is escaped: what came from a database is never markup. Each picture has its values next to it or in a table below.
"""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import jinja2
from markupsafe import Markup
from markupsafe import escape as escaped

from advisor import __version__
from advisor.report import drawing, text
from advisor.report.confirm import queries
from advisor.resources import csv_rows


def escape(value: object) -> Markup:
    """Return one line of visible text."""
    return escaped(text.make_printable(str(value)))


def code(lines: Sequence[str]) -> Markup:
    """Return commands as blocks to copy and other text as paragraphs, in their order."""
    return Markup("\n").join(
        Markup("\n").join(Markup('<p class="by-hand">{}</p>').format(line) for line in run) if by_hand else pre(run)
        for by_hand, run in text.commands(list(lines))
    )


def pre(lines: Sequence[str]) -> Markup:
    """Make each line an element, so that wrapped lines stay distinct."""
    return Markup("<pre>{}</pre>").format(Markup("").join(Markup("<code>{}\n</code>").format(line) for line in lines))


FOOTER = "<footer>Written by db2tune "  # identifies the pages
FOLDER = Path(__file__).parent / "templates"
_KEY = re.compile(r"\[(part|more|whole|none)\]")


class Column(NamedTuple):
    """A column of a table next to a picture: its heading, and whether it contains numbers."""

    head: str
    number: bool = True


class Drawn(NamedTuple):
    """A row of such a table: its cells, the first of which names it, and what is drawn of them."""

    cells: Sequence[str]
    drawing: Markup


class Script(NamedTuple):
    """A script of a page, and its checksum for the content policy."""

    text: Markup
    sum: str


def render(template: str, title: str, scripts: Sequence[str] = (), **content: object) -> str:
    """Return the page of a template. ``title`` is its heading, too; ``scripts`` are names of files in FOLDER."""
    used = [_script(name) for name in scripts]
    return _environment().get_template(template).render(title=title, scripts=used, **content)


@cache
def _script(name: str) -> Script:
    text = FOLDER.joinpath(f"{name}.js").read_text(encoding="utf-8")
    return Script(Markup(text), _hash(text))


def picture(page: str, name: str) -> Mapping[str, str]:
    """Return the row of pictures.csv with a picture's title, content and source."""
    return next(row for row in pictures(page) if row["PICTURE"] == name)


def pictures(page: str) -> list[Mapping[str, str]]:
    """Return the pictures of a page, in their order."""
    return [row for row in csv_rows(Path(__file__).parent / "pictures.csv") if row["PAGE"] == page]


def legend(caption: str) -> Markup:
    """Return a caption whose [part] and similar marks show the colors of the picture."""
    return Markup(_KEY.sub(r'<span class="key \1"></span>', str(escape(caption))))


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: value if isinstance(value, Markup) else escape(value),
    )
    style = FOLDER.joinpath("page.css").read_text(encoding="utf-8")
    environment.filters |= {"code": code, "pre": pre, "percent": text.percent, "queries": queries, "legend": legend}
    environment.globals |= {
        "style": Markup(style),
        "style_hash": _hash(style),
        "version": __version__,
        "kind": "db2tune",
        "picture": picture,
        "bar": drawing.bar,
        "span": drawing.span,
        "texts": text,
    }
    return environment
