"""From lark's parse tree to names, types, embedded text and declarations; a method is named after its rule."""

import re
from dataclasses import dataclass
from types import UnionType
from typing import Any, NamedTuple

from lark import Token, Transformer, v_args
from lark.tree import Meta

from tests.standin.errors import Db2Error
from tests.standin.pl import tree
from tests.standin.pl.conditions import valid_state
from tests.standin.types import SqlType, sql_type

_SQL_STATEMENTS = frozenset(
    [
        "ALTER",
        "COMMENT",
        "COMMIT",
        "CREATE",
        "DECLARE",
        "DELETE",
        "DROP",
        "EXPLAIN",
        "FLUSH",
        "GRANT",
        "INSERT",
        "LOCK",
        "MERGE",
        "REFRESH",
        "RELEASE",
        "RENAME",
        "REVOKE",
        "ROLLBACK",
        "SAVEPOINT",
        "SET",
        "TRANSFER",
        "TRUNCATE",
        "UPDATE",
    ]
)


@dataclass(frozen=True)
class Marked:
    """A part that its parent tells from others by its kind."""

    kind: str
    value: Any = None


class _Length(NamedTuple):
    """Length of a type, its scale, and the unit K, M or G."""

    length: int | None = None
    scale: int | None = None
    unit: str | None = None


def whole_number(digits: str) -> int:
    if not digits.isdigit():
        raise Db2Error(-104, "42601", digits, "", "<integer>")
    return int(digits)


def unquoted(literal: str) -> str:
    quote = literal[0]
    return literal[1:-1].replace(quote * 2, quote)


def given(parts: tuple[Any, ...], kind: type | UnionType) -> tuple[Any, ...]:
    return tuple(part for part in parts if isinstance(part, kind))


def marks_of(parts: tuple[Any, ...]) -> dict[str, Any]:
    return {part.kind: part.value for part in parts if isinstance(part, Marked)}


@v_args(inline=True)
class Embedded(Transformer[Token, Any]):
    """Names, types, and text that is kept as written."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def slice(self, meta: Meta) -> str:
        return self.text[meta.start_pos : meta.end_pos]

    @v_args(meta=True)
    def expression(self, meta: Meta, _: list[Any]) -> str:
        return self.slice(meta)

    query = for_query = expression

    @v_args(meta=True)
    def sql(self, meta: Meta, _: list[Any]) -> tree.Sql:
        text = self.slice(meta)
        word = re.split(r"\W", text, maxsplit=1)[0]
        if word.upper() not in _SQL_STATEMENTS:
            raise Db2Error(-104, "42601", word, self.text[: meta.start_pos].rstrip()[-20:], "<statement>")
        return tree.Sql(text=text)

    @v_args(meta=True)
    def head(self, meta: Meta, _: list[Any]) -> Marked:
        return Marked("end", meta.end_pos)

    def tail(self, *_: Any) -> None:
        return None

    def identifier(self, token: Token) -> str:
        return token.upper() if token.type == "WORD" else unquoted(token)

    def identifiers(self, *names: str) -> tuple[str, ...]:
        return names

    def name(self, first: str, second: str | None) -> tree.Name:
        return tree.Name(None, first) if second is None else tree.Name(first, second)

    target = name

    def targets(self, *targets: tree.Name) -> tuple[tree.Name, ...]:
        return targets

    def type_name(self, *words: Token | None) -> str:
        given = [word.upper() for word in words if word is not None]
        return " ".join(given) + (" OBJECT" if given[-1] == "LARGE" else "")

    def length(self, length: Token, _: Any, scale: Token | None) -> _Length:
        unit = length[-1].upper() if length[-1].isalpha() else None
        return _Length(
            whole_number(length[:-1] if unit else length), None if scale is None else whole_number(scale), unit
        )

    def bit_data(self) -> bool:
        return True

    def type(self, words: str, length: _Length | None, bit_data: bool | None) -> SqlType:
        return sql_type(words, *(length or _Length()), bool(bit_data))


@v_args(inline=True)
class Declarations(Embedded):
    def initial(self, kind: Token, expression: str) -> Marked:
        return Marked(kind.type, expression)

    def variables(self, names: tuple[str, ...], sql_type: SqlType, initial: Marked | None) -> tree.Variables:
        if initial is None:
            return tree.Variables(names, sql_type)
        return tree.Variables(names, sql_type, initial.value, initial.kind == "CONSTANT")

    def locators(self, names: tuple[str, ...]) -> tree.Locators:
        return tree.Locators(names)

    def statement_names(self, names: tuple[str, ...]) -> tree.StatementNames:
        return tree.StatementNames(names)

    def condition(self, name: str, state: Token | None) -> tree.ConditionName:
        return (
            tree.ConditionName(name)
            if state is None
            else tree.ConditionName(name, valid_state(unquoted(state), -782, "428D7"))
        )

    def hold(self, _: Token) -> Marked:
        return Marked("hold")

    def with_return(self, client: Token | None = None) -> Marked:
        return Marked("returns", "CALLER" if client is None else "CLIENT")

    def ignored(self, *_: Any) -> None:
        return None

    def cursor(self, name: str, *rest: Any) -> tree.CursorDeclaration:
        marks = marks_of(rest)
        return tree.CursorDeclaration(
            name, marks.get("query"), marks.get("statement"), "hold" in marks, marks.get("returns")
        )

    def of_query(self, query: str) -> Marked:
        return Marked("query", query)

    def of_statement(self, name: str) -> Marked:
        return Marked("statement", name)

    def for_cursor(self, name: str, *options: Any) -> tree.CursorDeclaration:
        return tree.CursorDeclaration(name, hold="hold" in marks_of(options))

    def action(self, word: Token) -> str:
        return str(word.upper())

    def general(self, word: Token) -> Marked:
        return Marked("general", "NOT FOUND" if word.type == "FOUND" else str(word.type))

    def state(self, literal: Token) -> Marked:
        return Marked("state", valid_state(unquoted(literal), -782, "428D7"))

    def condition_name(self, name: str) -> Marked:
        return Marked("name", name)

    def handler(self, action: str, *rest: Any) -> tree.Handler:
        handled, statement = given(rest, Marked), rest[-1]
        of_kind = {
            kind: tuple(part.value for part in handled if part.kind == kind) for kind in ("state", "name", "general")
        }
        return tree.Handler(action, of_kind["state"], of_kind["name"], of_kind["general"], statement)
