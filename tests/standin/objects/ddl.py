"""Reads one statement of data definition or of the session, by the grammar ddl.lark, and finds what carries it out."""

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken
from lark.exceptions import VisitError

from tests.standin.errors import Db2Error
from tests.standin.objects import statements as st
from tests.standin.objects.alter import alter_table, comment, rename, truncate
from tests.standin.objects.create import (
    alter_sequence,
    create_alias,
    create_index,
    create_role,
    create_schema,
    create_sequence,
    create_variable,
    create_view,
)
from tests.standin.objects.ddl_tables import Marks, Names, TableReader, Text, all_of, fields_of, first_of, setting, word
from tests.standin.objects.define import Definer
from tests.standin.objects.definitions import Generated, Name
from tests.standin.objects.drop import drop
from tests.standin.objects.grants import grant
from tests.standin.objects.tables import create_table
from tests.standin.types import SqlType


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("ddl.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", propagate_positions=True, maybe_placeholders=False)


@lru_cache(maxsize=2048)
def parse(text: str) -> st.Statement:
    """The statement; SQL0104N with the unexpected token otherwise. The same text is read once: statements are frozen."""
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        raise _syntax_error(text, error) from error
    try:
        return Reader(text).transform(tree)
    except VisitError as error:
        if isinstance(error.orig_exc, Db2Error):
            raise error.orig_exc from error
        raise


def _syntax_error(text: str, error: UnexpectedInput) -> Db2Error:
    """-104 with the token, the text before it and one that would have been right."""
    if isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        return Db2Error(-104, "42601", "END-OF-STATEMENT", text[-20:].strip(), "JOIN")
    position = error.pos_in_stream or 0
    expected = error.expected if isinstance(error, UnexpectedToken) else set()
    if isinstance(error, UnexpectedCharacters):
        expected = set(error.allowed or ())
    token = str(error.token) if isinstance(error, UnexpectedToken) else text[position]
    return Db2Error(-104, "42601", token, text[max(0, position - 20) : position].strip(), min(expected, default="END"))


class Reader(TableReader):
    """Turns the tree of any statement into it."""

    # other objects

    unique = setting(unique=True)
    or_replace = setting(replace=True)
    exclude_nulls = setting(exclude_nulls=True)
    desc = word("DESC")
    asc = word("ASC")

    def index_column(self, children: list[Any]) -> tuple[str, bool]:
        return children[0], children[-1] == "DESC"

    def create_index(self, children: list[Any]) -> st.CreateIndex:
        name, table = all_of(Name, children)
        columns = tuple(child for child in children if type(child) is tuple)
        return st.CreateIndex(name, table, columns, **({"unique": False} | fields_of(children)))

    def create_view(self, children: list[Any]) -> st.CreateView:
        columns = tuple(first_of(Names, children) or ())
        return st.CreateView(
            first_of(Name, children), bool(fields_of(children)), self._text, columns, str(first_of(Text, children))
        )

    def constant(self, children: list[Any]) -> Marks:
        return {"default": str(children[0]), "constant": True}

    def default_expression(self, children: list[Any]) -> Marks:
        return {"default": str(children[0])}

    def create_variable(self, children: list[Any]) -> st.CreateVariable:
        fields = {"replace": False, "default": None, "constant": False} | fields_of(children)
        return st.CreateVariable(first_of(Name, children), type=first_of(SqlType, children), **fields)

    def create_sequence(self, children: list[Any]) -> st.CreateSequence:
        options = fields_of(children)
        again = options.pop("replace", False)
        kind = first_of(SqlType, children) or SqlType("INTEGER")
        return st.CreateSequence(first_of(Name, children), again, kind, Generated(**options))

    def alter_sequence(self, children: list[Any]) -> st.AlterSequence:
        return st.AlterSequence(children[0], fields_of(children))

    def create_alias(self, children: list[Any]) -> st.CreateAlias:
        name, target = all_of(Name, children)
        return st.CreateAlias(name, target, bool(fields_of(children)))

    def create_schema(self, children: list[Any]) -> st.CreateSchema:
        return st.CreateSchema(children[0], children[1] if len(children) > 1 else None)

    def create_role(self, children: list[Any]) -> st.CreateRole:
        return st.CreateRole(children[0])

    def object_kind(self, children: list[Any]) -> str:
        return str(children[0]).upper().replace("SYNONYM", "ALIAS")

    comment_kind = routine_kind = securable_kind = object_kind

    def drop(self, children: list[Any]) -> st.Drop:
        kind, name, *types = children
        return st.Drop(kind, name, _count(types[0]) if types else None)

    def drop_specific(self, children: list[Any]) -> st.Drop:
        return st.Drop("PROCEDURE", children[0], specific=True)

    def comment_name(self, children: list[Any]) -> tuple[str, ...]:
        return tuple(child for child in children if not isinstance(child, Text))

    def comment(self, children: list[Any]) -> st.Comment:
        return st.Comment(children[0], children[1], children[2][1:-1].replace("''", "'"))

    # privileges

    def privilege(self, children: list[Any]) -> str:
        return " ".join(token.upper() for token in all_of(Token, children))

    def privileges(self, children: list[Any]) -> tuple[str, ...]:
        return tuple(children)

    def any_name(self, children: list[Any]) -> Name:
        return children[0]

    def every_name(self, children: list[Any]) -> Name:
        return Name(children[0], "*")

    def on_database(self, _children: list[Any]) -> Marks:
        return {"kind": "DATABASE", "name": Name("", "")}

    def on_specific(self, children: list[Any]) -> Marks:
        return {"kind": children[0], "name": children[1], "specific": True}

    def on_routine(self, children: list[Any]) -> Marks:
        return {"kind": children[0], "name": children[1]}

    on_object = on_routine

    def on_table(self, children: list[Any]) -> Marks:
        return {"kind": "TABLE", "name": children[0]}

    def grantee(self, children: list[Any]) -> str:
        return children[0]

    def grantees(self, children: list[Any]) -> tuple[str, ...]:
        return tuple(children)

    def grant(self, children: list[Any], revoke: bool = False) -> st.GrantOrRevoke:
        privileges, securable, grantees = children
        return st.GrantOrRevoke(revoke, privileges, grantees=grantees, **securable)

    def revoke(self, children: list[Any]) -> st.GrantOrRevoke:
        return self.grant(children, revoke=True)

    def grant_role(self, children: list[Any], revoke: bool = False) -> st.GrantOrRevoke:
        return st.GrantOrRevoke(revoke, ("MEMBER",), "ROLE", Name("", children[0]), children[1])

    def revoke_role(self, children: list[Any]) -> st.GrantOrRevoke:
        return self.grant_role(children, revoke=True)

    # statements of the session

    def set_register(self, children: list[Any]) -> st.SetRegister:
        return st.SetRegister(children[0])

    def set_schema(self, children: list[Any]) -> st.SetRegister:
        return st.SetRegister("SCHEMA " + children[0])

    def set_path(self, children: list[Any]) -> st.SetRegister:
        return st.SetRegister("PATH " + children[0])

    def savepoint(self, children: list[Any]) -> st.Savepoint:
        return st.Savepoint(children[0])

    def release(self, children: list[Any]) -> st.Release:
        return st.Release(children[0])

    def rollback_to(self, children: list[Any]) -> st.RollbackTo:
        return st.RollbackTo(children[0] if children else None)


def _count(types: str) -> int:
    """The number of types in a list like INTEGER, DECIMAL(5,2)."""
    depth, count = 0, bool(types)
    for character in types:
        depth += {"(": 1, ")": -1}.get(character, 0)
        count += character == "," and not depth
    return int(count)


CARRY_OUT: dict[type, Callable[[Definer, Any], None]] = {
    st.CreateTable: create_table,
    st.CreateIndex: create_index,
    st.CreateView: create_view,
    st.CreateVariable: create_variable,
    st.CreateSequence: create_sequence,
    st.AlterSequence: alter_sequence,
    st.CreateAlias: create_alias,
    st.CreateSchema: create_schema,
    st.CreateRole: create_role,
    st.Drop: drop,
    st.AlterTable: alter_table,
    st.Truncate: truncate,
    st.Rename: rename,
    st.Comment: comment,
    st.GrantOrRevoke: grant,
}
