"""Statements that define storage, as db2look and people write them: buffer pools, table spaces, groups.

One pass over the words of a statement. Words of clauses that no source needs are skipped, so that statements of every
level can be read.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from advisor.imports.sql_words import NotUnderstoodError, Words, split_statements, split_words

_AMOUNT = re.compile(r"([-+]?\d{1,15})([KMG])?")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:E[-+]?\d+)?", re.I)
_UNITS = frozenset("KMG")
_NODES = frozenset({"DBPARTITIONNUM", "DBPARTITIONNUMS", "NODE", "NODES", "MEMBER", "MEMBERS"})
_ONE_NODE = frozenset({"DBPARTITIONNUM", "NODE", "MEMBER"})
_ACTIONS = frozenset({"ADD", "EXTEND", "RESIZE", "REDUCE", "DROP", "NEW"})

Amount = tuple[int, str | None]  # without a unit it counts pages


@dataclass
class Containers:
    """A list of containers. ``action`` is USING for a new table space and ALL for all containers."""

    action: str
    items: list[tuple[str, str, Amount | None]]  # kind, path, size
    members: list[tuple[int, int]] = field(default_factory=list)


ALL = ""


@dataclass
class Statement:
    """A statement: its object, whether it creates the object, and its clauses."""

    what: str = ""
    name: str = ""
    is_new: bool = False
    words: dict[str, str] = field(default_factory=dict)
    amounts: dict[str, Amount] = field(default_factory=dict)
    containers: list[Containers] = field(default_factory=list)
    paths: list[tuple[str, str]] = field(default_factory=list)  # ADD or DROP, and the path
    members: list[tuple[int, int]] = field(default_factory=list)
    on_one_member: bool = False


@lru_cache(1 << 9)  # the log of a script repeats statements
def parse(text: str) -> list[Statement]:
    """Return the statements of a text; do not change them. Raise NotUnderstoodError."""
    return [_Parser(tokens).statement() for tokens in split_statements(split_words(text))]


class _Parser(Words):
    """A parser of one statement."""

    def statement(self) -> Statement:
        verb = self._next_word()
        result = Statement(is_new=verb == "CREATE")
        if verb not in ("CREATE", "ALTER"):
            raise NotUnderstoodError(verb)
        word = self._next_word()
        if word == "BUFFERPOOL":
            return self._object(result, "pool")
        if word == "STOGROUP":
            return self._group_of_storage(result)
        if word == "NODEGROUP":
            return self._group(result)
        if word == "DATABASE":
            if self._take("PARTITION", "GROUP"):
                return self._group(result)
            return self._storage(result)
        return self._space(result, word)

    def _space(self, result: Statement, word: str) -> Statement:
        if word in ("LARGE", "LONG", "REGULAR", "USER", "SYSTEM", "TEMPORARY"):
            result.words["kind"] = word
            word = self._next_word()
            word = self._next_word() if word == "TEMPORARY" else word
        if word != "TABLESPACE":
            raise NotUnderstoodError(word)
        return self._object(result, "space")

    def _object(self, result: Statement, what: str) -> Statement:
        result.what, result.name = what, self._name()
        for word in self._clauses():
            if clause := _CLAUSES.get(word):
                clause(self, result, word)
        return result

    def _group(self, result: Statement) -> Statement:
        result.what, result.name = "group", self._name()
        self._require("ON")
        if self._take("ALL"):
            result.what = "group_on_all"
        elif self._next_word() in _NODES:
            result.members = self._ranges()
        else:
            raise NotUnderstoodError("members")
        return result

    def _group_of_storage(self, result: Statement) -> Statement:
        result.what, result.name = "storage_group", self._name()
        while word := self._next_word():
            if word in ("ON", "ADD", "DROP") and self._words[self._at][:1] == "'":
                result.paths += [("DROP" if word == "DROP" else "ADD", path) for path in self._strings()]
            elif word == "OVERHEAD":
                self._number(result, "overhead")
            elif word == "DEVICE" and self._take("READ", "RATE"):
                self._number(result, "rate")
            elif word in ("'", '"', "(", ")"):
                raise NotUnderstoodError(word)
        return result

    def _storage(self, result: Statement) -> Statement:
        if not self._take("ADD"):
            self._at += 1
            self._require("ADD")
        if not self._take("STORAGE", "ON") or not self._strings():
            raise NotUnderstoodError("STORAGE")
        result.what = "storage"
        return result

    # Elements of clauses.

    def _strings(self) -> list[str]:
        found = [self._string()]
        while self._take(","):
            found.append(self._string())
        return found

    def _amount(self) -> Amount | None:
        """Return a size, if one comes next."""
        word = self._words[self._at]
        match = _AMOUNT.fullmatch(word)
        if match is None:
            return None
        self._at += 1
        size, unit = match.groups()
        if unit is None and (following := self._words[self._at]) in _UNITS:
            self._at += 1
            return int(size), following
        return int(size), unit

    def _number(self, result: Statement, fact: str) -> None:
        word = self._next_word()
        if word != "INHERIT" and not _NUMBER.fullmatch(word):
            raise NotUnderstoodError(word)
        result.words[fact] = word

    def _ranges(self) -> list[tuple[int, int]]:
        self._require("(")
        return self._items(self._range)

    def _range(self) -> tuple[int, int]:
        first = last = self._next_word()
        if self._take("TO"):
            last = self._next_word()
        if not (first.isdecimal() and last.isdecimal()):
            raise NotUnderstoodError(first)
        return int(first[:16]), int(last[:16])

    # Clauses.

    def number(self, result: Statement, word: str) -> None:
        self._number(result, word.lower())

    def size(self, result: Statement, word: str) -> None:
        """Parse SIZE 1000, SIZE AUTOMATIC, SIZE 1000 AUTOMATIC."""
        first = self._words[self._at]
        if first == "AUTOMATIC" or _AMOUNT.fullmatch(first):
            self._at += 1
            result.words["npages"] = "AUTOMATIC" if self._take("AUTOMATIC") else first

    def amount(self, result: Statement, word: str) -> None:
        if word == "PREFETCHSIZE" and self._take("AUTOMATIC"):
            result.words["prefetchsize"] = "AUTOMATIC"
        elif word == "MAXSIZE" and self._take("NONE"):
            result.words["maxsize"] = "NONE"
        elif found := self._amount():
            result.amounts[word.lower()] = found
        else:
            raise NotUnderstoodError(word)

    def member(self, result: Statement, word: str) -> None:
        result.on_one_member = result.on_one_member or self._words[self._at].isdecimal()

    def parse_inside(self, result: Statement, word: str) -> None:
        _ = self._take("DATABASE", "PARTITION", "GROUP") or self._take("NODEGROUP")
        result.words["dbpgname"] = self._name()

    def parse_managed(self, result: Statement, word: str) -> None:
        if self._take("BY"):
            result.words["managed"] = self._next_word()

    def using(self, result: Statement, word: str) -> None:
        if self._take("STOGROUP"):
            result.words["stogroup"] = self._name()
        elif self._take("("):
            self.parse_list(result, "USING")

    def parse_altered(self, result: Statement, word: str) -> None:
        """Parse ADD (...), ADD TO STRIPE SET 1 (...), BEGIN NEW STRIPE SET (...), EXTEND (ALL 100 M)."""
        if word == "ADD" and self._take("TO", "STRIPE", "SET"):
            self._at += 1
        elif word == "NEW" and not self._take("STRIPE", "SET"):
            return
        if self._take("("):
            self.parse_list(result, word)

    def parse_list(self, result: Statement, action: str) -> None:
        found = Containers(action, self._items(self._container))
        if self._words[self._at] == "ON" and self._words[self._at + 1] in _NODES:
            self._at += 2
            found.members = self._ranges()
        result.containers.append(found)

    def _container(self) -> tuple[str, str, Amount | None]:
        kind = self._next_word() if self._words[self._at] in ("FILE", "DEVICE", "ALL") else ""
        if kind == "ALL":
            self._take("CONTAINERS")
            return kind, ALL, self._amount()
        return kind, self._string(), self._amount()

    def caching(self, result: Statement, word: str) -> None:
        """Parse FILE SYSTEM CACHING, with or without NO before it."""
        if self._take(*(("FILE",) if word == "NO" else ()), "SYSTEM", "CACHING"):
            result.words["caching"] = "OFF" if word == "NO" else "ON"

    def autoresize(self, result: Statement, word: str) -> None:
        answer = self._next_word()
        if answer in ("YES", "NO"):
            result.words["autoresize"] = answer


Clause = Callable[[_Parser, Statement, str], None]
_CLAUSES: dict[str, Clause] = {
    "SIZE": _Parser.size,
    "NUMBLOCKPAGES": _Parser.number,
    "BLOCKSIZE": _Parser.number,
    "OVERHEAD": _Parser.number,
    "TRANSFERRATE": _Parser.number,
    "PAGESIZE": _Parser.amount,
    "EXTENTSIZE": _Parser.amount,
    "PREFETCHSIZE": _Parser.amount,
    "MAXSIZE": _Parser.amount,
    "IN": _Parser.parse_inside,
    "MANAGED": _Parser.parse_managed,
    "USING": _Parser.using,
    "FILE": _Parser.caching,
    "NO": _Parser.caching,
    "AUTORESIZE": _Parser.autoresize,
    **dict.fromkeys(_ONE_NODE, _Parser.member),
    **dict.fromkeys(_ACTIONS, _Parser.parse_altered),
}
