"""Statements that define tables and indexes, as db2look and people write them.

One pass over the words of a statement. Words of clauses that no source needs are skipped, so that statements of every
level can be read.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache, partial

from advisor.imports.column_types import TYPES, describe_type
from advisor.imports.sql_words import Name, NotUnderstoodError, Words, split_words

_UNNAMED_TYPES = frozenset({"NCHAR", "NVARCHAR", "NCLOB", "NATIONAL"})  # a setting decides what they are
_BEFORE_NO_TYPE = frozenset({"GENERATED", ",", ")", ""})
_CONSTRAINTS = {
    "CONSTRAINT": (),
    "PRIMARY": ("KEY",),
    "UNIQUE": ("(",),
    "FOREIGN": ("KEY",),
    "CHECK": ("(",),
    "PERIOD": ("SYSTEM_TIME", "BUSINESS_TIME", "FOR"),
}
_NO_ELEMENTS = frozenset({"PARTITION", "RESTRICT", "VERSIONING", "MATERIALIZED", "QUERY", "DISTRIBUTE", "ORGANIZE"})
_ORDERS = {"ASC": "A", "DESC": "D", "RANDOM": "R"}
INCLUDED = "I"

# A table as db2look prints most of them, and its columns.
_HEADING = re.compile(r'\s*CREATE TABLE "([^"]+)"\."([^"]+)"\s*\(')
_PLAIN_COLUMN = re.compile(
    r'\s*"([^"]+)" ([A-Z]+(?:\([\w ,]*\))?)(?: FOR BIT DATA)?(?: NOT NULL)?'
    r"(?: WITH DEFAULT(?: (?:'[^']*'|[-+\w.]+(?: TIMESTAMP)?))?)?\s*([,)])"
)

TABLE, INDEX, ALTERED_TABLE, QUERY, OTHER = "table", "index", "altered table", "query", "view or alias"


@dataclass
class Key:
    """A primary key or unique constraint. ``rule`` is UNIQUERULE, ``name`` empty if Db2 chooses it."""

    rule: str
    columns: list[str]
    name: str = ""


@dataclass
class TableStatement:
    """A statement: its object, and what it states. ``name`` is the table's; all facts are columns of the catalog."""

    what: str
    name: Name
    facts: dict[str, str] = field(default_factory=dict)
    columns: dict[str, dict[str, str]] = field(default_factory=dict)
    keys: list[Key] = field(default_factory=list)
    index: Name = ("", "")
    parts: list[tuple[str, str]] = field(default_factory=list)  # of an index: column and COLORDER
    expression: str = ""  # the first key of an index, if it is not a column


def parse_table_ddl(tokens: list[str]) -> TableStatement:
    """Return the statement of some words on a table or index. Raise NotUnderstoodError."""
    return _Parser(tokens).statement()


def parse_plain_table(text: str) -> TableStatement | None:
    """Return a table of plain columns as db2look prints it, None for all other texts: for speed."""
    heading = _HEADING.match(text)
    if heading is None:
        return None
    result = TableStatement(TABLE, (heading[1].rstrip(), heading[2].rstrip()))
    at, end, columns = heading.end(), ",", result.columns
    while end == ",":
        match = _PLAIN_COLUMN.match(text, at)
        if match is None:
            return None
        column, type, end = match.groups()
        at = match.end()
        facts = _read_plain_type(type)
        if facts is None:
            return None
        columns[column.rstrip()] = facts
    tokens = split_words(text[at:])
    if ";" in tokens:
        return None
    _Parser(tokens).read_table_clauses(result)
    return result


@lru_cache(1 << 10)
def _read_plain_type(text: str) -> dict[str, str] | None:
    """Return the facts of a type; do not change them."""
    try:
        return _Parser(split_words(text)).read_type()
    except NotUnderstoodError:
        return None


class _Parser(Words):
    """A parser of one statement."""

    def statement(self) -> TableStatement:
        verb = self._next_word()
        if verb == "CREATE":
            if self._take("TABLE"):
                return self._table()
            unique = self._take("UNIQUE")
            if self._take("INDEX"):
                return self._index(unique)
            self._take("OR", "REPLACE")
            if self._take("VIEW"):
                facts = {"INDNAME": "V", "DEFINITION": " ".join(self._tokens)}
                return TableStatement(OTHER, self._qualified_name(), facts)
            if self._take("ALIAS"):
                return self._alias()
        elif verb == "ALTER" and self._take("TABLE"):
            return self._alter()
        raise NotUnderstoodError(verb)

    # Tables.

    def _table(self) -> TableStatement:
        self._take("IF", "NOT", "EXISTS")
        result = TableStatement(TABLE, self._qualified_name())
        inside = self._take("(")
        if not inside and self._words[self._at] not in ("AS", "LIKE", "OF"):
            raise NotUnderstoodError("(")
        if not inside or self._take("LIKE"):
            result.what = QUERY
            return result
        self._items(partial(self._element, result, inside=True))
        self.read_table_clauses(result)
        return result

    def _element(self, result: TableStatement, inside: bool) -> None:
        """Parse a column or a constraint of a table. It ends before a comma or parenthesis, or before ADD."""
        word = self._words[self._at]
        following = _CONSTRAINTS.get(word)
        if following is None or (following and self._words[self._at + 1] not in following):
            return self._column(result, inside)
        name, before = "", len(result.keys)
        if self._take("CONSTRAINT"):
            name = self._name()
        if self._take("PRIMARY", "KEY"):
            result.keys.append(Key("P", self._columns(), name))
        elif self._take("UNIQUE"):
            result.keys.append(Key("U", self._columns(), name))
        return self._options(result, "", inside, before)

    def _column(self, result: TableStatement, inside: bool) -> None:
        column = self._name()
        facts = self.read_type()
        if column in result.columns:
            raise NotUnderstoodError(column)
        result.columns[column] = facts
        self._options(result, column, inside, len(result.keys))

    def _options(self, result: TableStatement, column: str, inside: bool, before: int) -> None:
        """Parse the options of a column, or of a constraint if ``column`` is empty."""
        words, name = self._words, ""
        while True:
            word = words[self._at]
            if word in (",", ")", "") or (word == "ADD" and not inside):
                return
            self._at += 1
            if word == "(":
                self._skip()
            elif word in ("'", '"'):
                raise NotUnderstoodError(word)
            elif word == "CONSTRAINT":
                name = self._name()
            elif column and word == "PRIMARY" and self._take("KEY"):
                result.keys.append(Key("P", [column], name))
            elif column and word == "UNIQUE":
                result.keys.append(Key("U", [column], name))
            elif word == "NOT" and self._take("ENFORCED"):
                del result.keys[before:]  # without an index

    def read_type(self) -> dict[str, str]:
        word = self._words[self._at]
        if word in _BEFORE_NO_TYPE or word in _UNNAMED_TYPES:
            return {}
        for more, name in TYPES.get(word, ()):
            if (*self._words[self._at + 1 : self._at + 1 + len(more)],) == more:
                self._at += 1 + len(more)
                return describe_type(name, self._arguments())
        _, name = self._qualified_name()  # of the user
        if self._words[self._at] == "(":
            self._at += 1
            self._skip()
        return {"TYPENAME": name}

    def _arguments(self) -> list[str]:
        """Return the words in parentheses, if some come next."""
        found: list[str] = []
        if self._take("("):
            while (word := self._next_word()) != ")":
                if not word or word == "(" or len(found) > 4:
                    raise NotUnderstoodError("(")
                found.append(word)
        return found

    def _columns(self) -> list[str]:
        """Return the names of a list in parentheses."""
        self._require("(")
        return self._items(self._name)

    def read_table_clauses(self, result: TableStatement) -> None:
        partitioned = False
        for word in self._clauses():
            if word == "IN":
                result.facts.setdefault("TBSPACE", self._name())
            elif word in ("INDEX", "LONG") and self._take("IN"):
                result.facts[f"{word}_TBSPACE"] = self._name()
            elif word == "ORGANIZE" and self._take("BY"):
                if self._words[self._at] in ("ROW", "COLUMN"):
                    result.facts["TABLEORG"] = self._next_word()[0]
            elif word == "PARTITION" and self._take("BY"):
                partitioned = True
            elif word == "AS":
                result.what = QUERY
        if partitioned:  # each partition has its table space
            result.facts.pop("TBSPACE", None)

    def _alter(self) -> TableStatement:
        result = TableStatement(ALTERED_TABLE, self._qualified_name())
        before = ""
        for word in self._clauses():
            if word == "ADD" and self._words[self._at] not in _NO_ELEMENTS:
                self._take("COLUMN")
                self._element(result, inside=False)
            elif word == "VOLATILE" and before != "NOT":
                result.facts["VOLATILE"] = "C"
            before = word
        return result

    def _alias(self) -> TableStatement:
        result = TableStatement(OTHER, self._qualified_name(), {"INDNAME": "A"})
        self._require("FOR")
        self._take("TABLE")
        if self._words[self._at] not in ("MODULE", "SEQUENCE"):
            result.facts["BASE_SCHEMA"], result.facts["BASE_NAME"] = self._qualified_name()
        return result

    # Indexes.

    def _index(self, unique: bool) -> TableStatement:
        self._take("IF", "NOT", "EXISTS")
        index = self._qualified_name()
        self._require("ON")
        self._take("TABLE")
        result = TableStatement(INDEX, self._qualified_name(), index=index)
        facts = result.facts
        facts |= {"UNIQUERULE": "U" if unique else "D", "INDEXTYPE": "REG"}
        self._require("(")
        plain = self._parts(result)
        keys = len(result.parts)
        before = ""
        for word in self._clauses():
            if word == "INCLUDE" and self._take("("):
                plain &= self._parts(result, INCLUDED)
            elif word == "CLUSTER":
                facts["INDEXTYPE"] = "CLUS"
            elif word in ("PCTFREE", "MINPCTUSED") and before != "LEVEL2" and self._words[self._at].isdecimal():
                facts[word] = self._next_word()
            elif word == "COMPRESS" and self._words[self._at] in ("YES", "NO"):
                facts["COMPRESSION"] = self._next_word()[0]
            elif word in ("ALLOW", "DISALLOW") and self._take("REVERSE", "SCANS"):
                facts["REVERSE_SCANS"] = "Y" if word == "ALLOW" else "N"
            elif word in ("GENERATE", "EXTEND", "EXCLUDE"):  # of XML or spatial data, or without NULL
                plain = False
            elif word == "SPECIFICATION":
                raise NotUnderstoodError(word)  # of a table in another database
            before = word
        facts["PLAIN_KEY"] = str(int(plain))
        if plain:
            facts["UNIQUE_COLCOUNT"] = str(keys if unique else -1)
        else:
            result.parts.clear()
        return result

    def _parts(self, result: TableStatement, order: str = "") -> bool:
        """Parse the columns of an index; return whether they are only columns."""
        plain = True
        while True:
            begin = self._at
            while self._words[self._at] not in (",", ")", ""):
                self._at += 1
                if self._words[self._at - 1] == "(":
                    self._skip()
            tokens, end = self._tokens[begin : self._at], self._next_word()
            if not tokens or not end:
                raise NotUnderstoodError("(")
            direction = _ORDERS.get(self._words[self._at - 2], "") if len(tokens) == 2 else "A"
            if len(tokens) > 2 or not direction or tokens[0] in ("'", '"'):
                key = tokens[:-1] if tokens[-1].upper() in _ORDERS else tokens
                result.expression = result.expression or (" ".join(key) if not result.parts else "")
                plain = False
            else:
                self._at, after = begin, self._at
                result.parts.append((self._name(), order or direction))
                self._at = after
            if end == ")":
                return plain
