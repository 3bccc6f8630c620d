"""The templates in a rule's header: text with figures of its SELECT, made into SQL that is the same on every engine.

    Prefetch size {PREFETCHSIZE} of {TBSP_NAME:text} takes {PREFETCH_WAIT_PCT:2} %[ on {DEVICE:text}].

A figure is a column of the rule's SELECT. How it is written stands behind a colon: nothing for a whole number, a
digit for so many decimals, ``text`` for what is text already, ``name`` for an identifier in double quotes,
``literal`` for a constant in single quotes, ``path`` for a path that the command line processor reads as one word,
``shell`` for one word of a POSIX shell, ``shellname`` for an identifier in double quotes as one word of it. The text
after ``|`` replaces a figure that is NULL, by default ``not known``; a command that lacks a figure is not written. A part
in brackets is left out if one of its figures is NULL. ``[[``, ``]]``, ``{{`` and ``}}`` are the characters themselves. A
number that is NaN, infinite or too large counts as NULL.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from advisor.quoting import CONTROLS, literal

NOT_KNOWN = "not known"
GENERATED = "__"  # in the name of a column that is generated, and of no other
THEN = "\n        || "  # between the pieces of a text, so that what is generated can be read

# What means more than itself to the command line processor, to SQL or to a shell, but a blank.
_SPECIAL = ";\"'!#~|&<>()$`[]?"
_BY_NUMBER = (9, 10, 11, 12, 13, 27, 64, 123, 125)  # the last: what ends a statement of our script, and braces
_BACKSLASH = "\\"
_BLANK = "' '"
_QUOTE, _QUOTE_IN_QUOTES = literal("'"), literal("'\\''")
_OR = "\n            OR "  # a line each: what is generated can be pasted

_PIECE = re.compile(
    r"(?P<escaped>\[\[|\]\]|\{\{|\}\})|(?P<open>\[)|(?P<close>\])"
    r"|\{(?P<figure>\w+)(?::(?P<form>\w+))?(?:\|(?P<otherwise>[^{}]*))?\}|(?P<text>[^\[\]{}]+)"
)
_WORDS = ("text", "name", "literal", "path", "shell", "shellname")


@dataclass(frozen=True)
class Figure:
    """A figure in a template, and how it is written."""

    name: str
    form: str = ""
    otherwise: str | None = None

    @property
    def column(self) -> str:
        """The column that holds the figure as text: itself where it is text already."""
        return self.name if self.form == "text" else f"{self.name}{GENERATED}{self.form.upper() or 'TEXT'}"

    @property
    def is_text(self) -> bool:
        return self.form in _WORDS

    @property
    def written(self) -> str:
        """The figure as text, NULL where it is NULL; the same on every engine, whatever its settings."""
        name = self.name
        if self.form == "":
            return _counted(name, f"CAST({_rounded(name)} AS VARCHAR(20))")
        if self.form.isdecimal():
            return _counted(name, _decimal(name, int(self.form)), 18 - int(self.form))
        if self.form == "text":
            return name
        if self.form == "name":
            text = _name(name)
        elif self.form == "shell":
            text = _shell(name)
        elif self.form == "shellname":
            text = _shell(_name(name))
        elif self.form == "literal":
            text = f"'''' || REPLACE({name}, '''', '''''') || ''''"
        else:
            text = _path(name)
        return f"CASE WHEN {name} IS NOT NULL THEN {text} END"


def whole(number: str) -> str:
    """SQL of a number as a BIGINT, rounded; NULL where it is none, infinite or too large."""
    return _counted(number, _rounded(number))


def _counted(number: str, text: str, most_digits: int = 15) -> str:
    """SQL of what is made of a number; from 9E15 on, a DOUBLE is no exact count, and beyond 9E18 no BIGINT."""
    limit = f"9E{min(most_digits, 15)}"
    return f"CASE WHEN {number} BETWEEN -{limit} AND {limit} THEN {text} END"


def _rounded(number: str) -> str:
    return f"CAST(ROUND({number}, 0) AS BIGINT)"


def _decimal(name: str, digits: int) -> str:
    """A number with decimals, made of whole numbers: engines differ in how they round a decimal, and in leading zeros."""
    scale = 10**digits
    scaled = _rounded(f"CAST({name} AS DOUBLE) * {scale}")
    return (
        f"CASE WHEN {scaled} < 0 THEN '-' ELSE '' END"
        f" || CAST(CAST(FLOOR(CAST(ABS({scaled}) AS DOUBLE) / {scale}) AS BIGINT) AS VARCHAR(20))"
        f" || '.' || SUBSTR(CAST({scale} + MOD(ABS({scaled}), {scale}) AS VARCHAR(20)), 2, {digits})"
    )


def no_word(text: str, but: str = "") -> str:
    """SQL of whether a text holds what ends a word or a command, or a shell acts on; a blank is not asked for."""
    special = [literal(character) for character in _SPECIAL + _BACKSLASH if character not in but]
    return _OR.join(has(text, one) for one in [*special, *(f"CHR({number})" for number in _BY_NUMBER)])


def holds_control(text: str) -> str:
    """SQL of whether a text holds one of CONTROLS; without NUL, since CHR(0) is a blank on Db2."""
    return _OR.join(has(text, f"CHR({ord(one)})" if one.isascii() else literal(one)) for one in CONTROLS[1:])


def has(text: str, character: str) -> str:
    """SQL of whether a text holds a character."""
    return f"REPLACE({text}, {character}, '__') <> {text}"


def _name(text: str) -> str:
    """An identifier in double quotes."""
    return f"'\"' || REPLACE({text}, '\"', '\"\"') || '\"'"


def _shell(text: str) -> str:
    """A word of a POSIX shell: in single quotes only a single quote has a meaning."""
    return f"{_QUOTE} || REPLACE({text}, {_QUOTE}, {_QUOTE_IN_QUOTES}) || {_QUOTE}"


def _path(name: str) -> str:
    """A path in double quotes where it is no word, or empty; a backslash is a character of paths on Windows."""
    special = f"LENGTH({name}) = 0 OR {has(name, _BLANK)} OR {no_word(name, _BACKSLASH)}"
    return f"CASE WHEN {special} THEN '\"' || REPLACE({name}, '\"', '\"\"') || '\"' ELSE {name} END"


@dataclass(frozen=True)
class Template:
    """A template that was read: its parts, each of texts and figures; a part that is ``optional`` stood in brackets."""

    parts: tuple[tuple[bool, tuple[str | Figure, ...]], ...]

    @property
    def figures(self) -> list[Figure]:
        return [piece for _, pieces in self.parts for piece in pieces if isinstance(piece, Figure)]

    @property
    def constant(self) -> str | None:
        """The text of a template that has no figure."""
        return None if self.figures else "".join(str(piece) for _, pieces in self.parts for piece in pieces)

    @property
    def missing(self) -> str:
        """SQL of whether a figure lacks that stands in no brackets and has nothing for NULL; empty where none can lack."""
        needed = [
            piece.column
            for optional, pieces in self.parts
            for piece in pieces
            if isinstance(piece, Figure) and not optional and piece.otherwise is None
        ]
        return " OR ".join(f"{column} IS NULL" for column in dict.fromkeys(needed))

    def expression(self) -> str:
        """SQL of the text, never NULL, over the columns that hold the figures as text."""
        return THEN.join(_part(optional, pieces, NOT_KNOWN) for optional, pieces in self.parts) or "''"

    def value(self) -> str:
        """SQL of the text, NULL where a figure lacks, as it is for a template without any text."""
        if not self.parts:
            return "CAST(NULL AS VARCHAR(1))"
        text = THEN.join(_part(optional, pieces, None) for optional, pieces in self.parts)
        one = len(self.parts) == 1 and len(self.parts[0][1]) == 1
        return f"CASE WHEN {self.missing} THEN NULL ELSE {text} END" if self.missing and not one else text


def read(text: str) -> Template:
    """Read a template. Raises ValueError for a brace or bracket that is not closed, and for an unknown form."""
    parts: list[tuple[bool, list[str | Figure]]] = [(False, [])]
    end = 0
    for piece in _PIECE.finditer(text):
        if piece.start() != end:
            break
        end = piece.end()
        if piece["open"] or piece["close"]:
            if bool(piece["open"]) == parts[-1][0]:
                raise ValueError(f"a bracket that is not closed or opened: {text}")
            parts.append((bool(piece["open"]), []))
        elif piece["figure"]:
            parts[-1][1].append(_figure(piece))
        else:
            parts[-1][1].append(piece["text"] or piece["escaped"][0])
    if end != len(text) or parts[-1][0]:
        raise ValueError(f"a brace or bracket that is not closed or opened: {text}")
    return Template(tuple((optional, tuple(_joined(pieces))) for optional, pieces in parts if pieces))


def _figure(piece: re.Match[str]) -> Figure:
    form = piece["form"] or ""
    if form and form not in _WORDS and not re.fullmatch("[0-9]", form):
        raise ValueError(
            f"{piece[0]}: a figure is written as a digit for its decimals, or as one of {', '.join(_WORDS)}"
        )
    return Figure(piece["figure"], "" if form == "0" else form, piece["otherwise"])


def _joined(pieces: Iterable[str | Figure]) -> list[str | Figure]:
    """Texts that follow each other as one."""
    joined: list[str | Figure] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _part(optional: bool, pieces: tuple[str | Figure, ...], unknown: str | None) -> str:
    """SQL of a part; ``unknown`` is what stands for a figure that lacks and says nothing itself."""
    if not optional:
        return THEN.join(literal(piece) if isinstance(piece, str) else _known(piece, unknown) for piece in pieces)
    text = " || ".join(literal(piece) if isinstance(piece, str) else piece.column for piece in pieces)
    there = " AND ".join(f"{piece.column} IS NOT NULL" for piece in pieces if isinstance(piece, Figure))
    return f"CASE WHEN {there} THEN {text} ELSE '' END" if there else text


def _known(figure: Figure, unknown: str | None) -> str:
    otherwise = unknown if figure.otherwise is None else figure.otherwise
    return figure.column if otherwise is None else f"COALESCE({figure.column}, {literal(otherwise)})"


class Figures:
    """Reads the templates of a rule, and notes what figures they write as text."""

    def __init__(self) -> None:
        self.noted: dict[str, Figure] = {}

    def read(self, text: str) -> Template:
        """Read a template. Raises ValueError as ``read`` does."""
        template = read(text)
        for figure in template.figures:
            if figure.form != "text":
                self.noted[figure.column] = figure
        return template


def chosen(group: list[dict[str, Any]], texts: list[str]) -> str:
    """SQL of the text of the alternative that is taken; an empty text if none is."""
    if "when" not in group[0]:
        return texts[0]
    branches = " ".join(
        f"WHEN {each['when']} THEN {text}" for each, text in zip(group, texts, strict=True) if "when" in each
    )
    last = "''" if "when" in group[-1] else texts[-1]
    return f"CASE {branches} ELSE {last} END"
