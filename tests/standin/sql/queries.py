"""Binding queries: SELECT, VALUES, set operations and common table expressions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from tests.standin.api import Temporary
from tests.standin.errors import Db2Error
from tests.standin.sql import expressions, predicates, tables, temporaries
from tests.standin.sql.conversions import coerce, distinct_key
from tests.standin.sql.dialect import only, shown, syntax_error
from tests.standin.sql.frames import Common, Frame, with_clause
from tests.standin.sql.sqltypes import BIGINT, common_type
from tests.standin.sql.values import Statement, Value, failing, quoted
from tests.standin.sql.windows import sort_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.standin.types import SqlType


@dataclass(frozen=True)
class Output:
    """A column of a result; its type is None for an untyped NULL that nothing has given one yet."""

    name: str
    type: SqlType | None
    nullable: bool = True


@dataclass(frozen=True)
class Query:
    """A bound query; ``free`` are the columns of outer queries that it reads.

    ``some`` is a shorter query: if it has no rows, this query has no rows either. It is empty if no such query is
    known.
    """

    text: str
    items: tuple[Output, ...]
    free: frozenset[str] = frozenset()
    some: str = ""


_CLAUSES = {
    "expressions",
    "from_",
    "joins",
    "where",
    "group",
    "having",
    "order",
    "limit",
    "offset",
    "distinct",
    "with_",
}
_SETS: dict[type[exp.Expr], str] = {exp.Union: "UNION", exp.Except: "EXCEPT", exp.Intersect: "INTERSECT"}


class Binder:
    """Binds the parts of one statement."""

    def __init__(self, statement: Statement, is_view: bool = False) -> None:
        self.statement = statement
        self.is_view = is_view
        self.inside: list[str] = []

    def expression(self, node: exp.Expr, frame: Frame) -> Value:
        return expressions.expression(self, node, frame)

    def condition(self, node: exp.Expr, frame: Frame, place: str) -> Value:
        """Bind a condition of WHERE or ON, which must not contain aggregates. Raise -120."""
        value = predicates.condition_of(self, node, frame)
        if value.aggregate or value.olap:
            raise Db2Error(-120, "42903", place)
        return value

    @staticmethod
    def object_name(table: exp.Expr) -> tuple[str | None, str]:
        """Schema and name of a table or sequence."""
        if table.args.get("catalog"):
            raise Db2Error(-204, "42704", table.sql())
        schema = table.args.get("db")
        return (expressions.name_of(schema) if schema else None), expressions.name_of(table.this)

    def query(self, node: exp.Expr, parent: Frame | None, untyped: bool = False, name: str = "") -> Query:
        """A fullselect. A column that is an untyped NULL stays so if ``untyped``, else it is refused with -418."""
        self.inside.append(name or (self.inside[-1] if self.inside else ""))
        query = self._query(node, parent, untyped)
        self.inside.pop()
        return query

    def _query(self, node: exp.Expr, parent: Frame | None, untyped: bool) -> Query:
        while isinstance(node, exp.Subquery) and not any(node.args.get(key) for key in ("with_", "order", "limit")):
            node = node.this
        frame = Frame(parent)
        self._commons(node.args.get("with_"), frame)
        if isinstance(node, exp.Select):
            result = self._select(node, frame)
        elif isinstance(node, exp.Values):
            result = self._values(node, frame)
        elif type(node) in _SETS:
            result = self._set_operation(node, frame)
        elif isinstance(node, exp.Subquery):
            inner = self.query(node.this, frame, untyped=True)
            result = self._ordered(replace(inner, text=f"SELECT * FROM ({inner.text})"), node, frame)
        else:
            raise syntax_error(shown(node), "")
        if not untyped and any(item.type is None for item in result.items):
            raise Db2Error(-418, "42610")
        self.statement.temporaries += temporaries.read_twice(frame)
        return replace(result, text=with_clause(frame.written) + result.text)

    # --- common table expressions

    def _commons(self, clause: exp.Expr | None, frame: Frame) -> None:
        if clause is None:
            return
        only(clause, "expressions")
        for cte in clause.expressions:
            frame.written.append(self._common(cte, frame))

    def _common(self, cte: exp.Expr, frame: Frame) -> str:
        name = expressions.name_of(cte.args["alias"].this)
        if name in frame.commons:
            raise Db2Error(-742, "42726", name)
        alias = self.statement.alias(name)
        columns = [expressions.name_of(column) for column in cte.args["alias"].columns]

        def publish(items: Sequence[Output], some: str = "") -> None:
            frame.commons[name] = Common(alias, tables.offered(items, columns, name), some)

        if self._is_recursive(cte.this, name):
            if not columns:
                raise Db2Error(-343, "42908", name)
            query = self._recursive(cte.this, name, frame, publish)
        else:
            query = self.query(cte.this, frame, name=name)
        publish(query.items, query.some)
        names = ", ".join(item.text for item in frame.commons[name].items)
        return f"{alias}({names}) AS ({query.text})"

    @staticmethod
    def _is_recursive(node: exp.Expr, name: str) -> bool:
        return isinstance(node, exp.Union) and any(
            not table.args.get("db")
            and isinstance(table.this, exp.Identifier)
            and expressions.name_of(table.this) == name
            for table in node.expression.find_all(exp.Table)
        )

    def _recursive(self, node: exp.Expr, name: str, frame: Frame, publish: Callable[[Sequence[Output]], None]) -> Query:
        """Bind a recursive query: the first part defines the columns; the second part reads the expression itself.

        r0059217 (common-table-expression): -342 for DISTINCT, -345 for groups and explicit joins, -344 for other types.
        """
        if node.args.get("distinct") or node.expression.args.get("distinct"):
            raise Db2Error(-342, "42925", name)
        if node.expression.args.get("group") or any(
            join.args.get("on") for join in node.expression.args.get("joins") or ()
        ):
            raise Db2Error(-345, "42836", name)
        first = self.query(node.this, frame)
        publish(first.items)
        second = self.query(node.expression, frame, untyped=True)
        if len(first.items) != len(second.items):
            raise Db2Error(-421, "42826", "UNION ALL")
        for one, other, published in zip(first.items, second.items, frame.commons[name].items, strict=True):
            if one.type and other.type and (one.type.name != other.type.name or one.type.length < other.type.length):
                raise Db2Error(-344, "42825", name, published.name)
        kinds = [item.type for item in first.items if item.type is not None]
        return Query(f"{first.text} UNION ALL {self._fitted(second, kinds)}", first.items, first.free | second.free)

    # --- SELECT

    def _select(self, node: exp.Select, frame: Frame) -> Query:
        only(node, *_CLAUSES)
        if not node.expressions or node.args.get("from_") is None:
            raise syntax_error("END-OF-STATEMENT" if node.expressions else "FROM", shown(node))
        source = tables.from_clause(self, node, frame)
        text = [f"FROM {source.text}"]
        free = source.free
        if node.args.get("where"):
            where = self.condition(node.args["where"].this, frame, "WHERE")
            text.append(f"WHERE {where.text}")
            free |= where.free
        groups = self._group(node, frame)
        values = self._select_list(node, frame)
        having = predicates.condition_of(self, node.args["having"].this, frame) if node.args.get("having") else None
        if groups:  # DuckDB matches a group key in a nested query only by the key's exact text
            keys = (value.text if frame.keys_below else distinct_key(value.text, value.type) for value in groups)
            text.append(f"GROUP BY {', '.join(keys)}")
        if having is not None:
            text.append(f"HAVING {having.text}")
        grouped = frame.groups is not None or having is not None or any(value.aggregate for _, value in values)
        frame.groups = frame.groups or (frozenset() if grouped else None)
        for value in [value for _, value in values] + ([having] if having else []):
            self._check_grouping(value, frame)
            free |= value.free
        distinct = bool(node.args.get("distinct"))
        if distinct:
            self._check_lobs([(name, value.type) for name, value in values])
        items = tuple(Output(name, value.type, value.nullable) for name, value in values)
        listed = ", ".join(f"{finite(value)} AS {quoted(name or str(n))}" for n, (name, value) in enumerate(values, 1))
        some = "" if frame.groups is not None or free - frame.own(free) else frame.some(source.some, text)
        query = Query(f"SELECT {listed} {' '.join(text)}", items, free, some)
        query = self._distinct(query) if distinct else query
        self.statement.temporaries += temporaries.of_select(self.inside[-1], frame, groups, values, distinct)
        ordered = self._ordered(query, node, frame, [value for _, value in values], distinct)
        return replace(ordered, free=ordered.free - frame.own(ordered.free))

    def _distinct(self, query: Query) -> Query:
        """One row of those that are equal."""
        alias = self.statement.alias("D")
        names = [f"{alias}.{quoted(str(place))}" for place in range(1, len(query.items) + 1)]
        keys = ", ".join(distinct_key(name, item.type) for name, item in zip(names, query.items, strict=True))
        listed = ", ".join(
            f"{name} AS {quoted(item.name or str(place))}"
            for place, (name, item) in enumerate(zip(names, query.items, strict=True), 1)
        )
        columns = ", ".join(name.partition(".")[2] for name in names)
        text = f"SELECT DISTINCT ON ({keys}) {listed} FROM ({query.text}) AS {alias}({columns})"
        return replace(query, text=text)

    def _group(self, node: exp.Select, frame: Frame) -> list[Value]:
        clause = node.args.get("group")
        if clause is None:
            return []
        only(clause, "expressions")
        values = [self.expression(key, frame) for key in clause.expressions]
        if any(value.aggregate or value.olap for value in values):
            raise Db2Error(-120, "42903", "GROUP BY")
        self._check_lobs([(value.name, value.type) for value in values])
        frame.groups = frozenset(value.text for value in values)
        return values

    @staticmethod
    def _check_lobs(columns: Sequence[tuple[str, SqlType | None]]) -> None:
        for name, kind in columns:
            if kind is not None and kind.is_lob:
                raise Db2Error(-134, "42907", name)

    @staticmethod
    def _check_grouping(value: Value, frame: Frame) -> None:
        """Outside of aggregates only what the groups are made of may be read. Raises -119."""
        loose = frame.own(value.free)
        if frame.groups is not None and loose:
            raise Db2Error(-119, "42803", frame.name_of(min(loose)))

    def _select_list(self, node: exp.Select, frame: Frame) -> list[tuple[str, Value]]:
        values: list[tuple[str, Value]] = []
        for item in node.expressions:
            star = item if isinstance(item, exp.Star) else item.this if isinstance(item, exp.Column) else None
            if isinstance(star, exp.Star):
                only(star)
                if star is item and len(node.expressions) > 1:
                    raise syntax_error(",", "*")
                values += tables.starred(item, frame)
                continue
            value = self.expression(item.unalias(), frame)
            name = expressions.name_of(item.args["alias"]) if isinstance(item, exp.Alias) else value.name
            values.append((name, value))
        return values

    # --- VALUES and set operations

    def _values(self, node: exp.Values, frame: Frame) -> Query:
        rows = [[self.expression(cell, frame) for cell in row.expressions] for row in node.expressions]
        if len({len(row) for row in rows}) != 1:
            raise Db2Error(-421, "42826", "VALUES")
        kinds = [self._column_type([row[place] for row in rows], place) for place in range(len(rows[0]))]
        texts, items = [], []
        for row in rows:
            cells = [
                value if kind is None else coerce(self.statement.typed(value, kind), kind)
                for value, kind in zip(row, kinds, strict=True)
            ]
            texts.append(f"({', '.join(finite(cell) for cell in cells)})")
        for place, kind in enumerate(kinds):
            items.append(Output("", kind, any(row[place].nullable for row in rows)))
        if any(value.aggregate or value.olap for row in rows for value in row):
            raise Db2Error(-120, "42903", "VALUES")
        free = frozenset().union(*(value.free for row in rows for value in row))
        names = ", ".join(f'"{place}"' for place in range(1, len(items) + 1))
        alias = self.statement.alias("VALUES")
        query = Query(f"SELECT * FROM (VALUES {', '.join(texts)}) AS {alias}({names})", tuple(items), free)
        return self._ordered(query, node, frame)

    @staticmethod
    def _column_type(values: Sequence[Value], place: int) -> SqlType | None:
        kinds = [value.type for value in values if value.type is not None]
        if not kinds:
            if any(value.marker is not None for value in values):
                raise Db2Error(-418, "42610")
            return None
        kind = common_type(kinds)
        if kind is None:
            raise Db2Error(-415, "42825", str(place + 1))
        return kind

    def _set_operation(self, node: exp.Expr, frame: Frame) -> Query:
        only(node, "this", "expression", "distinct", "order", "limit", "offset", "with_")
        word = _SETS[type(node)] + ("" if node.args.get("distinct") else " ALL")
        legs = [self.query(leg, frame, untyped=True) for leg in (node.this, node.expression)]
        if len(legs[0].items) != len(legs[1].items):
            raise Db2Error(-421, "42826", word)
        pairs = list(zip(legs[0].items, legs[1].items, strict=True))
        items = tuple(self._joined(place, *pair) for place, pair in enumerate(pairs, 1))
        if not word.endswith(" ALL"):
            self._check_lobs([(item.name, item.type) for item in items])
            self.statement.temporaries.append(Temporary(self.inside[-1], word, temporaries.columns(items)))
        compare = word not in {"UNION", "UNION ALL"}
        texts = [self._fitted(leg, [item.type for item in items], compare) for leg in legs]
        joined = Query(
            f" {'UNION ALL' if word == 'UNION' else word} ".join(f"({text})" for text in texts),
            items,
            legs[0].free | legs[1].free,
        )
        return self._ordered(self._distinct(joined) if word == "UNION" else joined, node, frame)

    @staticmethod
    def _joined(place: int, one: Output, other: Output) -> Output:
        kinds = [item.type for item in (one, other) if item.type is not None]
        kind = common_type(kinds) if kinds else None
        if kinds and kind is None:
            raise Db2Error(-415, "42825", str(place))
        return Output(one.name if one.name == other.name else "", kind, one.nullable or other.nullable)

    def _fitted(self, query: Query, kinds: Sequence[SqlType | None], compare: bool = False) -> str:
        """The text of a query whose columns are converted to these types; to ``compare``, without trailing blanks."""
        same = all(item.type == kind for item, kind in zip(query.items, kinds, strict=True))
        if same and not (compare and any(distinct_key("", kind) for kind in kinds)):
            return query.text
        alias = self.statement.alias("X")
        names = [f'"{place}"' for place in range(1, len(kinds) + 1)]
        cells = []
        for name, item, kind in zip(names, query.items, kinds, strict=True):
            value = Value(f"{alias}.{name}", item.type)
            text = value.text if kind is None else coerce(self.statement.typed(value, kind), kind).text
            cells.append(distinct_key(text, kind) if compare else text)
        return f"SELECT {', '.join(cells)} FROM ({query.text}) AS {alias}({', '.join(names)})"

    # --- ORDER BY and FETCH FIRST

    def _ordered(
        self, query: Query, node: exp.Expr, frame: Frame, values: Sequence[Value] = (), distinct: bool = False
    ) -> Query:
        text, free = query.text, query.free
        order = node.args.get("order")
        if order is not None:
            keys, others = [], []
            for item in order.expressions:
                place = self._place(item.this, query.items)
                if place is not None:
                    self._check_lobs([(query.items[place].name, query.items[place].type)])
                    keys.append(sort_key(str(place + 1), item))
                    continue
                if not values or distinct:
                    raise Db2Error(-214, "42822", shown(item.this), "ORDER BY", "2" if distinct else "1")
                key = self.expression(item.this, frame)
                self._check_lobs([(key.name, key.type)])
                self._check_grouping(key, frame)
                keys.append(sort_key(key.text, item))
                others.append(key)
                free |= key.free
            sorted_row = temporaries.columns((*query.items, *others))
            self.statement.temporaries.append(Temporary(self.inside[-1], "ORDER BY", sorted_row))
            text += f" ORDER BY {', '.join(keys)}"
        limit = self._limit(node, frame)
        return replace(query, text=text + limit, free=free, some="" if limit else query.some)

    @staticmethod
    def _place(key: exp.Expr, items: Sequence[Output]) -> int | None:
        """Where the result has the column that a sort key names or numbers."""
        if isinstance(key, exp.Literal) and not key.is_string:
            if not key.this.isdigit() or not 1 <= int(key.this) <= len(items):
                raise Db2Error(-125, "42805", key.this)
            return int(key.this) - 1
        if not isinstance(key, exp.Column) or len(key.parts) > 1:
            return None
        found = [place for place, item in enumerate(items) if item.name == expressions.name_of(key.this)]
        return found[0] if len(found) == 1 else None

    def _limit(self, node: exp.Expr, frame: Frame) -> str:
        text = ""
        limit, offset = node.args.get("limit"), node.args.get("offset")
        if limit is not None:
            count = limit.args.get("count") if isinstance(limit, exp.Fetch) else limit.expression
            rows = self.statement.typed(self.expression(count, frame), BIGINT).text if count else "1"
            text += f" LIMIT {rows}"
        if offset is not None:
            text += f" OFFSET {self.statement.typed(self.expression(offset.expression, frame), BIGINT).text}"
        return text


def finite(value: Value) -> str:
    """A result; a DOUBLE that overflowed on the way is an error."""
    if not value.unsafe or value.type is None or value.type.name not in {"REAL", "DOUBLE"}:
        return value.text
    return f"CASE WHEN isfinite({value.text}) IS FALSE THEN {failing(802, '22003')} ELSE {value.text} END"
