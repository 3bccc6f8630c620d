"""Templates in a rule's header: text with figures of its SELECT, converted to the same SQL for every engine.

    Prefetch size {PREFETCHSIZE} of {TBSP_NAME:text} takes {PREFETCH_WAIT_PCT:2} %[ on {DEVICE:text}].

A figure is a column of the rule's SELECT. Its form follows a colon: nothing for an integer, a digit for the number of
decimals, ``text`` for text, ``name`` for an identifier in double quotes, ``literal`` for a constant in single quotes,
``json`` for a string of JSON or YAML, ``path`` for a path that the command line processor reads as one word, ``alias``
for the name of the database as it reads it, ``shell`` for one word of a POSIX shell, ``shellname`` for an identifier in
double quotes as one word of it. The text after ``|`` replaces a figure that is NULL, by default ``not known``; a command with a
missing figure is not written. A part in brackets is left out if one of its figures is NULL. ``[[``, ``]]``, ``{{`` and
``}}`` are the characters themselves. A number that is NaN, infinite or too large counts as NULL.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from advisor.quoting import CONTROLS, literal

NOT_KNOWN = "not known"
GENERATED = "__"  # in the name of a generated column, and of no other
THEN = "\n        || "  # between the parts of a text, for readable SQL

# Special characters of the command line processor, of SQL or of a shell, except a blank.
_SPECIAL = ";\"'!#~|&<>()$`[]?"
_BY_NUMBER = (9, 10, 11, 12, 13, 27, 64, 123, 125)  # the last: the end of a statement in our script, and braces
_BACKSLASH = "\\"
_BLANK = "' '"
_QUOTE, _QUOTE_IN_QUOTES = literal("'"), literal("'\\''")
_OR = "\n            OR "  # one line each: generated SQL can be pasted

_PIECE = re.compile(
    r"(?P<escaped>\[\[|\]\]|\{\{|\}\})|(?P<open>\[)|(?P<close>\])"
    r"|\{(?P<figure>\w+)(?::(?P<form>\w+))?(?:\|(?P<otherwise>[^{}]*))?\}|(?P<text>[^\[\]{}]+)"
)
_WORDS = ("text", "name", "literal", "json", "path", "alias", "shell", "shellname")


@dataclass(frozen=True)
class Figure:
    """A figure in a template, and its form."""

    name: str
    form: str = ""
    otherwise: str | None = None

    @property
    def column(self) -> str:
        """The column that contains the figure as text: the figure itself if it is text."""
        return self.name if self.form == "text" else f"{self.name}{GENERATED}{self.form.upper() or 'TEXT'}"

    @property
    def sql_text(self) -> str:
        """The figure as text, NULL if it is NULL; the same on every engine with any settings."""
        name = self.name
        if self.form == "":
            return _format_number(name, f"CAST({_round_number(name)} AS VARCHAR(20))")
        if self.form.isdecimal():
            return _format_number(name, _decimal(name, int(self.form)), 18 - int(self.form))
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
        elif self.form == "json":
            text = (
                f"'\"' || REPLACE(REPLACE({name}, '{_BACKSLASH}', '{2 * _BACKSLASH}'), '\"', '{_BACKSLASH}\"') || '\"'"
            )
        elif self.form == "alias":
            text = "(SELECT W.ALIAS FROM TUNE.DATABASE_WORD AS W)"
        else:
            text = _path(name)
        return f"CASE WHEN {name} IS NOT NULL THEN {text} END"


def as_bigint(number: str) -> str:
    """Return SQL of a number as a BIGINT, rounded; NULL if it is missing, infinite or too large."""
    return _format_number(number, _round_number(number))


def _format_number(number: str, text: str, most_digits: int = 15) -> str:
    """Return SQL of an expression on a number; above 9E15 a DOUBLE is inexact, and above 9E18 a BIGINT overflows."""
    limit = f"9E{min(most_digits, 15)}"
    return f"CASE WHEN {number} BETWEEN -{limit} AND {limit} THEN {text} END"


def _round_number(number: str) -> str:
    return f"CAST(ROUND({number}, 0) AS BIGINT)"


def _decimal(name: str, digits: int) -> str:
    """Return a number with decimals, from integers: engines differ in rounding decimals, and in leading zeros."""
    scale = 10**digits
    scaled = _round_number(f"CAST({name} AS DOUBLE) * {scale}")
    return (
        f"CASE WHEN {scaled} < 0 THEN '-' ELSE '' END"
        f" || CAST(CAST(FLOOR(CAST(ABS({scaled}) AS DOUBLE) / {scale}) AS BIGINT) AS VARCHAR(20))"
        f" || '.' || SUBSTR(CAST({scale} + MOD(ABS({scaled}), {scale}) AS VARCHAR(20)), 2, {digits})"
    )


def breaks_word(text: str, but: str = "") -> str:
    """Return SQL of whether a text contains the end of a word or command, or shell syntax; blanks are not tested."""
    special = [literal(character) for character in _SPECIAL + _BACKSLASH if character not in but]
    return _OR.join(holds_character(text, one) for one in [*special, *(f"CHR({number})" for number in _BY_NUMBER)])


def holds_control(text: str, controls: str = CONTROLS) -> str:
    """Return SQL of whether a text holds one of ``controls``."""
    return _OR.join(holds_character(text, f"CHR({ord(one)})" if one.isascii() else literal(one)) for one in controls)


def holds_character(text: str, character: str) -> str:
    """Return SQL of whether a text holds a character."""
    return f"REPLACE({text}, {character}, '__') <> {text}"


def _name(text: str) -> str:
    """Return SQL of an identifier in double quotes."""
    return f"'\"' || REPLACE({text}, '\"', '\"\"') || '\"'"


def _shell(text: str) -> str:
    """Return SQL of a word of a POSIX shell: in single quotes only a single quote has a meaning."""
    return f"{_QUOTE} || REPLACE({text}, {_QUOTE}, {_QUOTE_IN_QUOTES}) || {_QUOTE}"


def _path(name: str) -> str:
    """Return SQL of a path, in double quotes if it is empty or not one word; paths on Windows contain backslashes."""
    special = f"LENGTH({name}) = 0 OR {holds_character(name, _BLANK)} OR {breaks_word(name, _BACKSLASH)}"
    return f"CASE WHEN {special} THEN {_name(name)} ELSE {name} END"


@dataclass(frozen=True)
class Template:
    """A parsed template: its parts, each of texts and figures; an ``optional`` part was in brackets."""

    parts: tuple[tuple[bool, tuple[str | Figure, ...]], ...]

    @property
    def figures(self) -> list[Figure]:
        return [piece for _, pieces in self.parts for piece in pieces if isinstance(piece, Figure)]

    @property
    def constant(self) -> str | None:
        """The text of a template without figures."""
        return None if self.figures else "".join(str(piece) for _, pieces in self.parts for piece in pieces)

    @property
    def missing(self) -> str:
        """SQL of whether a figure is NULL that has no brackets and no replacement; empty if none can be."""
        needed = [
            piece.column
            for optional, pieces in self.parts
            for piece in pieces
            if isinstance(piece, Figure) and not optional and piece.otherwise is None
        ]
        return " OR ".join(f"{column} IS NULL" for column in dict.fromkeys(needed))

    def expression(self) -> str:
        """Return SQL of the text, never NULL, over the columns that hold the figures as text."""
        return THEN.join(_part(optional, pieces, NOT_KNOWN) for optional, pieces in self.parts) or "''"

    def value(self) -> str:
        """Return SQL of the text, NULL if a figure is missing, or for a template without any text."""
        if not self.parts:
            return "CAST(NULL AS VARCHAR(1))"
        text = THEN.join(_part(optional, pieces, None) for optional, pieces in self.parts)
        one = len(self.parts) == 1 and len(self.parts[0][1]) == 1
        return f"CASE WHEN {self.missing} THEN NULL ELSE {text} END" if self.missing and not one else text


def read(text: str) -> Template:
    """Return a parsed template. Raise ValueError for a brace or bracket that is not closed, and for an unknown form."""
    parts: list[tuple[bool, list[str | Figure]]] = [(False, [])]
    end = 0
    for piece in _PIECE.finditer(text):
        if piece.start() != end:
            break
        end = piece.end()
        if piece["open"] or piece["close"]:
            if bool(piece["open"]) == parts[-1][0]:
                raise ValueError(f"a bracket is not closed or not opened: {text}")
            parts.append((bool(piece["open"]), []))
        elif piece["figure"]:
            parts[-1][1].append(_figure(piece))
        else:
            parts[-1][1].append(piece["text"] or piece["escaped"][0])
    if end != len(text) or parts[-1][0]:
        raise ValueError(f"a brace or bracket is not closed or not opened: {text}")
    return Template(tuple((optional, tuple(_join_pieces(pieces))) for optional, pieces in parts if pieces))


def _figure(piece: re.Match[str]) -> Figure:
    form = piece["form"] or ""
    if form and form not in _WORDS and not re.fullmatch("[0-9]", form):
        raise ValueError(
            f"{piece[0]}: the form of a figure must be a digit for its decimals, or one of {', '.join(_WORDS)}"
        )
    return Figure(piece["figure"], "" if form == "0" else form, piece["otherwise"])


def _join_pieces(pieces: Iterable[str | Figure]) -> list[str | Figure]:
    """Return successive texts as one."""
    joined: list[str | Figure] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _part(optional: bool, pieces: tuple[str | Figure, ...], unknown: str | None) -> str:
    """Return SQL of a part; ``unknown`` is the text for a missing figure without a replacement of its own."""
    if not optional:
        return THEN.join(
            literal(piece) if isinstance(piece, str) else _replace_unknown(piece, unknown) for piece in pieces
        )
    text = " || ".join(literal(piece) if isinstance(piece, str) else piece.column for piece in pieces)
    there = " AND ".join(f"{piece.column} IS NOT NULL" for piece in pieces if isinstance(piece, Figure))
    return f"CASE WHEN {there} THEN {text} ELSE '' END" if there else text


def _replace_unknown(figure: Figure, unknown: str | None) -> str:
    otherwise = unknown if figure.otherwise is None else figure.otherwise
    return figure.column if otherwise is None else f"COALESCE({figure.column}, {literal(otherwise)})"


class Figures:
    """Reads the templates of a rule, and notes the figures that they write as text."""

    def __init__(self) -> None:
        self.noted: dict[str, Figure] = {}

    def read(self, text: str) -> Template:
        """Return a parsed template. Raise ValueError as ``read`` does."""
        template = read(text)
        for figure in template.figures:
            if figure.form != "text":
                self.noted[figure.column] = figure
        return template


def choose_text(group: list[dict[str, Any]], texts: list[str]) -> str:
    """Return SQL of the text of the alternative that applies; an empty text if none does."""
    if "when" not in group[0]:
        return texts[0]
    branches = " ".join(
        f"WHEN {each['when']} THEN {text}" for each, text in zip(group, texts, strict=True) if "when" in each
    )
    last = "''" if "when" in group[-1] else texts[-1]
    return f"CASE {branches} ELSE {last} END"
