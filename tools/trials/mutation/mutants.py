"""The mutants of an SQL file: each changes one token of the code, or a number or condition of a rule's header.

Mutants that cannot make a difference are recognized by their form and left out; forms.csv has the reason for each form.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.resources import SQL

if TYPE_CHECKING:
    from sqlglot.tokenizer_core import Token

SWAPPED = {
    "=": ("<>",), "<>": ("=",), "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",),
    "AND": ("OR",), "OR": ("AND",), "LEAST": ("GREATEST",), "GREATEST": ("LEAST",), "MIN": ("MAX",), "MAX": ("MIN",),
    "INNER": ("LEFT",), "LEFT": ("INNER",),
}  # fmt: skip
ROUNDED, GUARDED, SIZED, SAID, EXISTS = "rounded", "guarded", "sized", "said", "exists"  # forms: forms.csv
NUMBERED = "numbered"
_NUMBER = re.compile(
    r"(?:MAX|MIN) \( CASE WHEN (?:(?:\w+ \. )?(?:N|PLACE|WORD|COLSEQ) = \d+|FACT_KEY = '' AND ITEM = '') THEN"
)
_FRONT_MATTER = re.compile(r"/\*---\n.*?^---\*/$", re.DOTALL | re.MULTILINE)
_HEADER = re.compile(r"^(?P<field>recover|confidence|claims): +(?P<value>.*)$|^.*\bdefault: +(?P<default>[\d.]+)")
_TOP_LEVEL = re.compile(r"^(?P<key>\w+):")
_CONDITION = re.compile(r"^ +- \{?when: +(?P<value>.*?)(?:, (?:set|command|manual|undo): .*)?$")
_TYPES = {"VARCHAR", "CHAR", "DECIMAL", "DECFLOAT"}


@dataclass(frozen=True)
class Mutant:
    """One change: its place in the text and the new text. ``form`` names the reason for not trying it."""

    file: str  # below sql/
    text: str
    start: int
    end: int
    after: str
    form: str | None = None

    @property
    def before(self) -> str:
        return self.text[self.start : self.end]

    @property
    def mutated(self) -> str:
        return self.text[: self.start] + self.after + self.text[self.end :]

    @property
    def is_of_header(self) -> bool:
        header = _FRONT_MATTER.match(self.text)
        return header is not None and self.start < header.end()

    @property
    def line(self) -> int:
        return self.text.count("\n", 0, self.start) + 1

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Return what identifies the mutant, independent of its line number in the file."""
        start = self.text.rfind("\n", 0, self.start) + 1
        line = self.text[start : (self.text + "\n").index("\n", self.start)]
        number = line[: self.start - start].count(self.before) + 1
        before = " ".join(self.before.split())
        return self.file, line.strip(), f"{before}{f' ({number})' if number > 1 else ''}", " ".join(self.after.split())

    def __str__(self) -> str:
        file, _, before, after = self.key
        return f"{file}:{self.line}: {before} -> {after}"


def mutants_of(path: Path) -> list[Mutant]:
    """All of a file, in the order of its text; those that are left out have a form."""
    file, text = path.relative_to(SQL).as_posix(), path.read_text(encoding="utf-8")
    header = _FRONT_MATTER.match(text)
    begin = header.end() if header else 0
    found = {change[:3]: Mutant(file, text, *change) for change in [*_of_header(text), *_of_code(text[begin:], begin)]}
    return [found[key] for key in sorted(found)]


Change = tuple[int, int, str, str | None]


def _of_header(text: str) -> Iterator[Change]:
    position, key = 0, ""
    header = _FRONT_MATTER.match(text)
    for line in header[0].splitlines(keepends=True) if header else ():
        if top := _TOP_LEVEL.match(line):
            key = top["key"]
        if found := _HEADER.match(line):
            group = "default" if found["default"] else "value"
            for number in re.finditer(r"(?<![\w.])\d+(\.\d+)?(?![\w.])", found[group]):
                start = position + found.start(group) + number.start()
                form = SAID if found["field"] == "confidence" else None
                for after in _others(number[0], found["field"] or group):
                    yield start, start + len(number[0]), after, form
        elif key == "actions" and (found := _CONDITION.match(line)):
            yield from _of_code(found["value"], position + found.start("value"))
        position += len(line)


def _others(number: str, field: str = "") -> list[str]:
    """Return replacements for a number: the neighbours of a small integer, otherwise half and twice the number."""
    value = float(number)
    if value in (0, 1) and not field:
        return ["1"] if value == 0 else ["0", "2"]
    if value == 0:
        return ["0.1"]
    if value == int(value) and value < 100 and not field:
        return [str(int(value) - 1), str(int(value) + 1)]
    return [f"{value / 2:.10g}", f"{value * 2:.10g}"]


def _of_code(text: str, offset: int) -> Iterator[Change]:
    import sqlglot

    code = _Code(sqlglot.tokenize(text, read="duckdb"), text)
    for start, end, after, form in code.changes():
        yield offset + start, offset + end, after, form


class _Code:
    """The tokens of a statement, each with its enclosing call or parenthesis."""

    def __init__(self, tokens: "list[Token]", text: str) -> None:
        self.tokens, self.text = tokens, text
        self.words = [token.text.upper() if token.token_type.name != "STRING" else "''" for token in tokens]
        self.inside: list[int] = []  # for each token its enclosing parenthesis, -1 if none
        self.closing: dict[int, int] = {}
        opened: list[int] = []
        for number, word in enumerate(self.words):
            if word == ")":
                self.closing[opened.pop()] = number
            self.inside.append(opened[-1] if opened else -1)
            if word == "(":
                opened.append(number)

    def changes(self) -> Iterator[Change]:
        for number, word in enumerate(self.words):
            token = self.tokens[number]
            if token.token_type.name == "NUMBER":
                yield from self._of_number(number)
            elif word in ("NULL", "EXISTS", "IN", "LIKE"):
                yield from self._negated(number)
            elif word == "COALESCE":
                yield from self._of_default(number)
            elif word == "CASE":
                yield from self._of_case(number)
            elif word in SWAPPED and self._is_operator(number):
                form = NUMBERED if _NUMBER.match(" ".join(self.words[number : number + 12])) else None
                for after in SWAPPED[word]:
                    yield token.start, token.end + 1, after, form

    def _word(self, number: int) -> str:
        return self.words[number] if 0 <= number < len(self.words) else ""

    def _is_operator(self, number: int) -> bool:
        word, before, after = self.words[number], self._word(number - 1), self._word(number + 1)
        if word == "*":
            return before not in (".", "(", "SELECT", ",", "DISTINCT") and after not in (",", "FROM", ")")
        if word in ("LEAST", "GREATEST", "MIN", "MAX"):
            return after == "("
        if word in ("INNER", "LEFT"):
            return "JOIN" in (after, self._word(number + 2))
        if word == "AND":
            return not self._of_between(number)
        return True

    def _of_between(self, number: int) -> bool:
        for other in range(number - 1, -1, -1):
            if self.inside[other] == self.inside[number]:
                if self.words[other] == "BETWEEN":
                    return True
                if self.words[other] in ("AND", "OR", "WHERE", "ON", "WHEN"):
                    return False
        return False

    def _of_number(self, number: int) -> Iterator[Change]:
        token, form = self.tokens[number], None
        opened = self.inside[number]
        called, first = self._word(opened - 1) if opened > 0 else "", self._word(number - 1)
        if called in _TYPES:
            form = SIZED
        elif called == "ROUND" and first == ",":
            form = ROUNDED
        elif called == "NULLIF" and first == "," and token.text == "0":
            form = GUARDED
        elif called == "EXISTS" and first == "SELECT":
            form = EXISTS
        elif called == "COALESCE" and first == "," and self._word(number + 1) == ")":
            return  # the default is left out as a whole
        for after in _others(token.text):
            yield token.start, token.end + 1, after, form

    def _negated(self, number: int) -> Iterator[Change]:
        token, before = self.tokens[number], self._word(number - 1)
        if self.words[number] == "NULL":
            if before == "IS":
                yield token.start, token.end + 1, "NOT NULL", None
            elif before == "NOT" and self._word(number - 2) == "IS":
                yield self.tokens[number - 1].start, token.end + 1, "NULL", None
        elif before == "NOT":
            yield self.tokens[number - 1].start, token.end + 1, self.words[number], None
        else:
            yield token.start, token.end + 1, f"NOT {self.words[number]}", None

    def _of_default(self, number: int) -> Iterator[Change]:
        """COALESCE without what comes last."""
        closing = self.closing[number + 1]
        commas = [n for n in range(number, closing) if self.words[n] == "," and self.inside[n] == number + 1]
        last = commas[-1] + 1
        yield self.tokens[last].start, self.tokens[closing - 1].end + 1, "NULL", None

    def _of_case(self, number: int) -> Iterator[Change]:
        """Without one of its arms, ELSE included; of a single arm what ELSE says is left."""
        depth, arms = 0, []
        for other in range(number, len(self.words)):
            depth += (self.words[other] == "CASE") - (self.words[other] == "END")
            if depth == 1 and self.words[other] in ("WHEN", "ELSE"):
                arms.append(other)
            if depth == 0:
                arms.append(other)
                break
        if self.words[number + 1] != "WHEN":
            return  # it compares one value
        whens = [arm for arm in arms if self.words[arm] == "WHEN"]
        for arm, following in pairwise(arms):
            start, end = self.tokens[arm].start, self.tokens[following - 1].end + 1
            if self.words[arm] == "WHEN" and len(whens) == 1:
                then = next(n for n in range(arm, following) if self.words[n] == "THEN" and self._depth(arm, n) == 0)
                yield self.tokens[arm + 1].start, self.tokens[then - 1].end + 1, "1 = 0", None
            elif self._text(arm, following) != "ELSE NULL":
                yield start, end, "", None

    def _depth(self, first: int, last: int) -> int:
        words = self.words[first:last]
        return words.count("CASE") - words.count("END")

    def _text(self, first: int, following: int) -> str:
        return " ".join(self.words[first:following])
