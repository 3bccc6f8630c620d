"""The words of one SQL statement, and the elements that all parsers of DDL share."""

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

_TOKEN = re.compile(r"--[^\n]*|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|[^\s\"'(),;]+|[(),;]|\S")
_NAME = re.compile(r"(?:[^\W\d]|[#@]\w)(?!.*\$[{(])")  # $TBS is a variable of a script
_PART = r"\"(?:[^\"]|\"\")+\"|(?:[^\W\d]|[#@])[\w#@$]*+"
_QUALIFIED = re.compile(rf"(?:({_PART})\.)?({_PART})")
_OPEN_QUOTES = frozenset("'\"")

Name = tuple[str, str]  # of a table or index: schema and name
Item = TypeVar("Item")


class NotUnderstoodError(ValueError):
    """The text is not a statement of Db2."""


def split_words(text: str) -> list[str]:
    """Return the words, names, strings and punctuation of a text, without comments."""
    tokens = _TOKEN.findall(text)
    return [token for token in tokens if token[:2] != "--"] if "--" in text else tokens


def split_statements(tokens: list[str]) -> list[list[str]]:
    """Return the words of each statement between semicolons."""
    if ";" not in tokens:  # the usual case
        return [tokens] if tokens else []
    result: list[list[str]] = []
    begin = 0
    while begin < len(tokens):
        end = tokens.index(";", begin) if ";" in tokens[begin:] else len(tokens)
        if end > begin:
            result.append(tokens[begin:end])
        begin = end + 1
    return result


def parse_name(token: str) -> str:
    """Return a quoted or plain identifier as the catalog stores it."""
    if token[0] == '"':
        return token[1:-1].replace('""', '"').rstrip()
    return token.upper()


class Words:
    """A parser of the words of one statement."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._words = [*map(str.upper, tokens), ""]  # with an empty one at the end
        self._at = 0

    def _next_word(self) -> str:
        word = self._words[self._at]
        self._at += word != ""
        return word

    def _take(self, *words: str) -> bool:
        """Skip these words if they come next."""
        at = self._at
        if self._words[at] != words[0] or (*self._words[at : at + len(words)],) != words:
            return False
        self._at = at + len(words)
        return True

    def _require(self, *words: str) -> None:
        """Skip these words. Raise NotUnderstoodError if others come next."""
        if not self._take(*words):
            raise NotUnderstoodError(words[0])

    def _clauses(self) -> Iterator[str]:
        """Return an iterator over the words outside parentheses; the caller may take the words after each."""
        return iter(self._next_clause, "")

    def _next_clause(self) -> str:
        """Return the next word outside parentheses, "" at the end."""
        word = self._next_word()
        while word == "(":
            self._skip()
            word = self._next_word()
        if word in ("'", '"', ")"):
            raise NotUnderstoodError(word)
        return word

    def _items(self, parse: Callable[[], Item]) -> list[Item]:
        """Return the items between commas up to a closing parenthesis."""
        found = [parse()]
        while self._take(","):
            found.append(parse())
        self._require(")")
        return found

    def _name(self) -> str:
        """Return an identifier as the catalog stores it."""
        if self._next_word() == "":
            raise NotUnderstoodError("no name")
        token = self._tokens[self._at - 1]
        if token[0] == '"' and len(token) > 2:
            return parse_name(token)
        if not (token.isidentifier() or _NAME.match(token)):
            raise NotUnderstoodError(token)
        return token.upper()

    def _qualified_name(self) -> Name:
        """Return the schema, which may be empty, and the name of an object."""
        words, tokens = self._words, self._tokens
        at = self._at
        text = tokens[at] if at < len(tokens) else ""
        at += 1
        while at < len(tokens) and (text.endswith(".") or words[at][0] == "."):
            text += tokens[at]
            at += 1
        match = _QUALIFIED.fullmatch(text)
        if match is None:
            raise NotUnderstoodError(text)
        self._at = at
        return parse_name(match[1]) if match[1] else "", parse_name(match[2])

    def _string(self) -> str:
        token = self._tokens[self._at] if self._at < len(self._tokens) else ""
        if len(token) < 2 or token[0] != "'":
            raise NotUnderstoodError(token)
        self._at += 1
        return token[1:-1].replace("''", "'")

    def _skip(self) -> None:
        """Skip the text in parentheses."""
        depth = 1
        while depth:
            word = self._next_word()
            if not word or word in _OPEN_QUOTES:
                raise NotUnderstoodError("(")
            depth += (word == "(") - (word == ")")
