"""Reads CREATE TABLE and ALTER TABLE, and what other statements share with them: names, types, text, constraints."""

from dataclasses import replace
from typing import Any

from lark import Token, Transformer, v_args

from tests.standin.errors import Db2Error
from tests.standin.objects import statements as st
from tests.standin.objects.definitions import Check, Foreign, Generated, Name, TableColumn, Unique
from tests.standin.types import LONGEST_NAME, SqlType, sql_type

IGNORED = object()  # a clause that means nothing to the stand-in
Marks = dict[str, Any]  # fields that a clause sets


def folded(token: Token) -> str:
    return token[1:-1].replace('""', '"') if token.type == "QUOTED" else token.upper()


def fields_of(children: list[Any]) -> Marks:
    """The fields that the clauses among these set; later ones win."""
    merged: Marks = {}
    for child in children:
        if isinstance(child, dict):
            merged |= child
    return merged


def all_of(kind: type | tuple[type, ...], children: list[Any]) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kind))


def first_of(kind: type | tuple[type, ...], children: list[Any]) -> Any:
    return next(iter(all_of(kind, children)), None)


class Names(list[str]):
    """Column names in parentheses."""


class Text(str):
    """A query, expression or condition, as it was written."""

    __slots__ = ()


class Labels(str):
    """The name of a constraint."""

    __slots__ = ()


def setting(**fields: Any) -> Any:
    """A rule that sets these fields."""
    return lambda self, children: dict(fields)


def word(value: Any) -> Any:
    """Return a rule of the grammar whose result is this value."""
    return lambda self, children: value


class TableReader(Transformer[Token, Any]):
    """Turns the tree of a table's statement into it; a clause becomes the fields that it sets."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def _slice(self, meta: Any) -> Text:
        return Text("" if meta.empty else self._text[meta.start_pos : meta.end_pos])

    def start(self, children: list[Any]) -> st.Statement:
        return children[0]

    # names, types, text

    def name(self, children: list[Any]) -> str:
        """Raises -107 for a name that is too long."""
        name = folded(children[0])
        if len(name.encode()) > LONGEST_NAME:
            raise Db2Error(-107, "42622", name, str(LONGEST_NAME))
        return name

    def qname(self, children: list[Any]) -> Name:
        return Name(children[0] if len(children) > 1 else None, children[-1])

    def names(self, children: list[Any]) -> Names:
        return Names(children)

    def number(self, children: list[Any]) -> int:
        return int("".join(children))

    def rest(self, children: list[Any]) -> Text:
        return Text(children[0].rstrip())

    @v_args(meta=True)
    def parens(self, meta: Any, _children: list[Any]) -> Text:
        return Text(self._slice(meta)[1:-1].strip())

    @v_args(meta=True)
    def default_value(self, meta: Any, _children: list[Any]) -> Text:
        return self._slice(meta)

    ignored = word(IGNORED)

    def length(self, children: list[Any]) -> Marks:
        numbers = [int(token) for token in children if token.type == "NUMBER"]
        units = [token.upper() for token in children if token.type == "WORD"]
        return {
            "length": numbers[0],
            "scale": numbers[1] if len(numbers) > 1 else None,
            "unit": next(iter(units), None),
        }

    precision = setting(word="PRECISION")
    varying = setting(word="VARYING")
    large_object = setting(word="LARGE OBJECT")
    bit_data = setting(bit_data=True)
    text_data = setting(bit_data=False)

    def type(self, children: list[Any]) -> SqlType:
        marks = fields_of(children)
        name = " ".join(filter(None, (children[0].upper(), marks.get("word"))))
        sized = (marks.get("length"), marks.get("scale"), marks.get("unit"))
        return sql_type(name, *sized, marks.get("bit_data", False))

    # columns and constraints

    not_null = setting(nullable=False)
    always = setting(always=True)
    by_default = setting(always=False)

    def default(self, children: list[Any]) -> Marks:
        return {"default": str(children[0]) if children else ""}

    def identity(self, children: list[Any]) -> Marks:
        options = {"always": True} | fields_of(children)
        return {"identity": Generated(**options), "nullable": False}

    def sequence_options(self, children: list[Any]) -> Marks:
        return fields_of(children)

    def start_with(self, children: list[Any]) -> Marks:
        return {"start": children[0]}

    def restart_with(self, children: list[Any]) -> Marks:
        return {"restart": children[0] if children else None}

    def increment_by(self, children: list[Any]) -> Marks:
        return {"increment": children[0]}

    def minvalue(self, children: list[Any]) -> Marks:
        return {"minimum": children[0]}

    def maxvalue(self, children: list[Any]) -> Marks:
        return {"maximum": children[0]}

    cycle = setting(cycle=True)

    def constraint_name(self, children: list[Any]) -> Labels:
        return Labels(children[0])

    def column_primary(self, children: list[Any]) -> Unique:
        return Unique(first_of(Labels, children) or "", (), "P")

    def column_unique(self, children: list[Any]) -> Unique:
        return Unique(first_of(Labels, children) or "", (), "U")

    def column_check(self, children: list[Any]) -> Check:
        return self.check(children, first_of(Labels, children) or "")

    def column_references(self, children: list[Any]) -> Foreign:
        return replace(first_of(Foreign, children), name=first_of(Labels, children) or "")

    def primary_key(self, children: list[Any]) -> Unique:
        return Unique("", tuple(children[0]), "P")

    def unique_key(self, children: list[Any]) -> Unique:
        return Unique("", tuple(children[0]), "U")

    def check(self, children: list[Any], name: str = "") -> Check:
        return Check(name, str(first_of(Text, children)))

    def foreign_key(self, children: list[Any]) -> Foreign:
        return replace(first_of(Foreign, children), columns=tuple(children[0]))

    def references(self, children: list[Any]) -> Foreign:
        parent_columns = tuple(first_of(Names, children) or ())
        return Foreign("", (), children[0], parent_columns, fields_of(children).get("on_delete", "NO ACTION"))

    def on_delete(self, children: list[Any]) -> Marks:
        return {"on_delete": children[0]}

    no_action = word("NO ACTION")
    restrict = word("RESTRICT")
    cascade = word("CASCADE")
    set_null = word("SET NULL")

    def constraint(self, children: list[Any]) -> Unique | Check | Foreign:
        body = first_of((Unique, Check, Foreign), children)
        return replace(body, name=first_of(Labels, children) or "")

    def column(self, children: list[Any]) -> tuple[TableColumn, tuple[Unique | Check | Foreign, ...]]:
        name, kind, *options = children
        constraints = tuple(
            option if isinstance(option, Check) else replace(option, columns=(name,))
            for option in all_of((Unique, Check, Foreign), options)
        )
        marks = fields_of(options)
        if any(isinstance(one, Unique) and one.kind == "P" for one in constraints):
            marks["nullable"] = False
        return TableColumn(name, kind, **marks), constraints

    # tables

    def elements(self, children: list[Any]) -> Marks:
        columns = tuple(column for column, _ in all_of(tuple, children))
        constraints = [one for _, inline in all_of(tuple, children) for one in inline]
        constraints += all_of((Unique, Check, Foreign), children)
        return {
            "columns": columns,
            "uniques": all_of(Unique, constraints),
            "checks": all_of(Check, constraints),
            "foreigns": all_of(Foreign, constraints),
        }

    def like_table(self, children: list[Any]) -> Marks:
        return {"like": children[0]}

    def as_query(self, children: list[Any]) -> Marks:
        return {"query": str(first_of(Text, children)), "query_columns": tuple(first_of(Names, children) or ())}

    def in_space(self, children: list[Any]) -> Marks:
        return {"tablespace": children[0]}

    def index_in(self, children: list[Any]) -> Marks:
        return {"index_tablespace": children[0]}

    commit_delete = setting(delete_on_commit=True)
    commit_preserve = setting(delete_on_commit=False)
    with_replace = setting(replace=True)
    by_row = setting(organization="ROW")
    by_column = setting(organization="COLUMN")
    created_temporary = setting(temporary="CREATED")

    def create_table(self, children: list[Any]) -> st.CreateTable:
        return st.CreateTable(first_of(Name, children), **fields_of(children))

    def declare_table(self, children: list[Any]) -> st.CreateTable:
        return st.CreateTable(first_of(Name, children), temporary="DECLARED", **fields_of(children))

    def alter_table(self, children: list[Any]) -> st.AlterTable:
        return st.AlterTable(children[0], all_of(st.Alteration, children))

    def add_column(self, children: list[Any]) -> st.Alteration:
        column, constraints = children[0]
        return st.Alteration("ADD COLUMN", column.name, column, constraints)

    def add_constraint(self, children: list[Any]) -> st.Alteration:
        return st.Alteration("ADD CONSTRAINT", constraints=(children[0],))

    def drop_column(self, children: list[Any]) -> st.Alteration:
        return st.Alteration("DROP COLUMN", children[0], restricted=len(children) > 1)

    restricted = word(True)

    def drop_constraint(self, children: list[Any]) -> st.Alteration:
        return st.Alteration("DROP CONSTRAINT", children[0])

    def drop_primary(self, _children: list[Any]) -> st.Alteration:
        return st.Alteration("DROP PRIMARY")

    def set_type(self, children: list[Any]) -> st.Alteration:
        return st.Alteration("SET TYPE", children[0], type=children[1])

    def set_default(self, children: list[Any]) -> st.Alteration:
        return st.Alteration("SET DEFAULT", children[0], default=str(children[1]) if len(children) > 1 else "")

    def drop_default(self, children: list[Any]) -> st.Alteration:
        return st.Alteration("SET DEFAULT", children[0])

    def set_not_null(self, children: list[Any]) -> st.Alteration:
        return st.Alteration("SET NOT NULL", children[0])

    def drop_not_null(self, children: list[Any]) -> st.Alteration:
        return st.Alteration("DROP NOT NULL", children[0])

    def restart_identity(self, children: list[Any]) -> st.Alteration:
        return st.Alteration("RESTART", children[0], number=children[1] if len(children) > 1 else None)

    restart = setting(restart=True)

    def truncate(self, children: list[Any]) -> st.Truncate:
        return st.Truncate(children[0], **fields_of(children))

    def rename_table(self, children: list[Any]) -> st.Rename:
        return st.Rename("TABLE", *children)

    def rename_index(self, children: list[Any]) -> st.Rename:
        return st.Rename("INDEX", *children)

    def lock_table(self, children: list[Any]) -> st.LockTable:
        return st.LockTable(children[0])
