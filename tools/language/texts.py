"""Texts of the project's files for the count of marker phrases: prose without code, data and quoted commands."""

import ast
import csv
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

_FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"`[^`\n]*`|<[^>\n]*>|\{[^{}\n]*\}|https?://\S+")
_PROSE = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")
_HEADER = re.compile(r"/\*---\n(.*?)---\*/", re.DOTALL)


@dataclass(frozen=True)
class Text:
    """A piece of prose and its place."""

    file: Path
    line: int
    content: str


@dataclass(frozen=True)
class Hit:
    """A marker phrase, its place, and what to write instead."""

    place: str
    phrase: str
    instead: str


@dataclass(frozen=True)
class Area:
    """Files that are counted together."""

    name: str
    patterns: tuple[str, ...]

    def texts(self) -> list[Text]:
        files = sorted(file for pattern in self.patterns for file in ROOT.glob(pattern) if file.is_file())
        return [text for file in files for text in texts_of(file)]


LIMIT = 3
"""The most markers in 10,000 words of an area."""

AREAS = (
    Area("rules", ("sql/rules/**/*.sql", "sql/rules/include/*.yml", "sql/rank/*.csv", "sql/schema/*.csv")),
    Area("docs", ("*.md", "docs/*.md")),
    Area(
        "product", ("advisor/**/*.py", "advisor/**/*.html", "advisor/**/*.j2", "advisor/**/*.csv", "procedures/*.sql")
    ),
    Area("sql", ("sql/model/*/*.sql", "sql/rank/*.sql", "sql/collect/*.sql", "sql/install/*.sql", "sql/doctor/*.sql")),
    Area("tests", ("tests/**/*.py", "tests/rules/**/*.yml")),
    Area("tools", ("tools/**/*.py", "tools/**/*.j2", "Makefile")),
)


def texts_of(file: Path) -> Iterator[Text]:
    """Yield the prose of a file: its text, or the strings and comments of code."""
    content = file.read_text(encoding="utf-8", errors="replace")
    if file.suffix == ".py":
        yield from _of_python(file, content)
    elif file.suffix == ".sql":
        header = _HEADER.match(content)
        if header:
            yield Text(file, 1, _cleaned(header[1]))
        comments = [line.partition("--")[2] for line in content.splitlines() if line.lstrip().startswith("--")]
        yield Text(file, 1, _cleaned("\n".join(comments)))
    elif file.suffix == ".csv":
        for number, row in enumerate(csv.reader(io.StringIO(content)), 1):
            yield from (Text(file, number, _cleaned(cell)) for cell in row if _PROSE.search(cell))
    else:
        yield Text(file, 1, _cleaned(_FENCED.sub(lambda code: "\n" * code[0].count("\n"), content)))


def markers_of(text: Text) -> Iterator[Hit]:
    """Yield the marker phrases of a text; a phrase may go over the end of a line."""
    joined = text.content.replace("\n", " ")
    for marker, instead in _markers():
        for match in marker.finditer(joined):
            line = text.line + text.content.count("\n", 0, match.start())
            place = text.file.resolve()
            shown = place.relative_to(ROOT) if place.is_relative_to(ROOT) else place
            yield Hit(f"{shown}:{line}", match[0].strip(), instead)


@cache
def _markers() -> list[tuple[re.Pattern[str], str]]:
    with Path(__file__).with_name("markers.csv").open(encoding="utf-8", newline="") as file:
        return [(re.compile(row["MARKER"], re.IGNORECASE), row["INSTEAD"]) for row in csv.DictReader(file)]


def _of_python(file: Path, content: str) -> Iterator[Text]:
    for token in tokenize.generate_tokens(io.StringIO(content).readline):
        if token.type == tokenize.COMMENT:
            yield Text(file, token.start[0], _cleaned(token.string.lstrip("# ")))
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _PROSE.search(node.value):
            yield Text(file, node.lineno, _cleaned(node.value))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield Text(file, node.lineno, node.name.replace("_", " "))


def _cleaned(text: str) -> str:
    """Return the text with blanks instead of code and placeholders."""
    return _CODE.sub(lambda code: "X" + " " * (len(code[0]) - 1), text)
