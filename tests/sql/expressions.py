"""Constructs of queries and data changes: functions, operators, joins and clauses with the kinds of their operands."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sqlglot import exp

from advisor.catalogue.tables import run_tables, snapshot_columns
from tests.standin.sql.dialect import Duration, Register, SequenceValue

TEXT, NUMBER, TIMESTAMP, UNKNOWN = "text", "number", "timestamp", "value"
_FUNCTIONS = {
    **dict.fromkeys(("CHAR", "CHR", "HEX", "LOWER", "REPLACE", "RTRIM", "SUBSTR", "SUBSTRING", "UPPER"), TEXT),
    **{"VARCHAR_FORMAT": TEXT, "DATE": TIMESTAMP, "TIMESTAMP": TIMESTAMP},
}
_REGISTERS = {"CURRENT TIMESTAMP": TIMESTAMP, "CURRENT DATE": TIMESTAMP, "CURRENT TIMEZONE": NUMBER}
_SAME = {"COALESCE", "NULLIF", "MIN", "MAX", "GREATEST", "LEAST", "LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE"}
_TYPES = {**dict.fromkeys(("TIMESTAMP", "DATE"), TIMESTAMP), **dict.fromkeys(("VARCHAR", "CHAR", "CLOB", "BLOB"), TEXT)}
_ANY_NUMBER_OF_ARGUMENTS = {"COALESCE", "GREATEST", "LEAST"}
_TURNS = 4  # of the search for the kinds of columns of columns


def show_type(text: str) -> str:
    """Return a type without its numbers."""
    name, _, length = text.upper().replace(" ", "").partition("(")
    return name + ("(n, n)" if "," in length else "(n)" if length else "")


def _kind_of_type(text: str) -> str:
    return _TYPES.get(show_type(text).partition("(")[0], NUMBER)


class Kinds:
    """Kinds of expressions. A column has the kind of its name, if all columns of this name have it."""

    def __init__(self, trees: Iterable[exp.Expr], variables: Iterable[tuple[str, str]]) -> None:
        self._names = defaultdict[str, set[str]](set)
        declared = ",".join((*run_tables().values(), *snapshot_columns().values())).split(",")
        columns = (column.split()[:2] for column in declared if " " in column.strip())
        for name, type_ in [*variables, *columns]:
            self._names[name.upper()].add(_kind_of_type(type_))
        items = [item for tree in trees for item in _named_items(tree)]
        for turn in range(1, _TURNS + 1):
            for name, item in items:
                kind = self.of(item)
                if kind != "NULL" and (kind != UNKNOWN or turn == _TURNS):
                    self._names[name.upper()].add(kind)

    def of(self, node: Any) -> str:
        """Return the kind of an expression."""
        show = _KINDS.get(type(node), UNKNOWN)
        return show if isinstance(show, str) else show(self, node)

    def of_column(self, node: exp.Column) -> str:
        kinds = self._names.get(node.name.upper(), set())
        return "OCTETS" if node.name == "OCTETS" else next(iter(kinds)) if len(kinds) == 1 else UNKNOWN

    def of_call(self, node: exp.Anonymous) -> str:
        name = str(node.this).upper()
        return self.first(node.expressions) if name in _SAME else _FUNCTIONS.get(name, NUMBER)

    def of_query(self, node: exp.Query) -> str:
        select = node.find(exp.Select)
        return self.of(select.expressions[0]) if select else UNKNOWN

    def first(self, nodes: Iterable[exp.Expr]) -> str:
        """Return the first known kind."""
        return next((kind for kind in map(self.of, nodes) if kind not in {UNKNOWN, "NULL"}), UNKNOWN)

    def call(self, node: exp.Expr) -> str:
        """Return a call with the kinds of its arguments."""
        name, arguments = str(node.this).upper(), node.expressions
        if name in _ANY_NUMBER_OF_ARGUMENTS:
            return f"{name}({self.first(arguments)}, ...)"
        return f"{name}({', '.join(map(self.of, arguments))})"


def _of_sum(kinds: Kinds, node: exp.Binary) -> str:
    return TIMESTAMP if isinstance(node.expression, Duration) else NUMBER


_KINDS: dict[type[exp.Expr], str | Callable[[Kinds, Any], str]] = {
    **{exp.Null: "NULL", exp.Star: "*", exp.Placeholder: "?", exp.Tuple: "(row)"},
    **dict.fromkeys((exp.Mul, exp.Div, exp.Neg, SequenceValue), NUMBER),
    **dict.fromkeys((exp.DPipe, exp.HexString), TEXT),
    **dict.fromkeys((exp.Sub, exp.Add), _of_sum),
    **dict.fromkeys((exp.Paren, exp.Window, exp.Alias), lambda kinds, node: kinds.of(node.this)),
    **dict.fromkeys((exp.Subquery, exp.Select), Kinds.of_query),
    exp.Column: Kinds.of_column,
    exp.Anonymous: Kinds.of_call,
    exp.Literal: lambda _, node: TEXT if node.is_string else NUMBER,
    exp.Cast: lambda _, node: _kind_of_type(node.args["to"].name),
    exp.Case: lambda kinds, node: kinds.first(each.args["true"] for each in node.args["ifs"]),
    exp.Dot: lambda kinds, node: kinds.of(node.expression),
    Register: lambda _, node: _REGISTERS.get(node.this, TEXT),
}


def _named_items(tree: exp.Expr) -> Iterator[tuple[str, exp.Expr]]:
    """Yield expressions with the names of their columns."""
    for alias in tree.find_all(exp.Alias):
        yield alias.alias, alias.this
    for named in tree.find_all(exp.TableAlias):
        query: Any = named.parent if isinstance(named.parent, exp.Values) else named.parent and named.parent.this
        first = query.find(exp.Select, exp.Values) if named.columns and isinstance(query, exp.Expr) else None
        if first:
            row = first.expressions[0].expressions if isinstance(first, exp.Values) else first.expressions
            yield from ((column.name, item.unalias()) for column, item in zip(named.columns, row, strict=False))


def find_constructs(tree: exp.Expr, kinds: Kinds) -> Iterator[str]:
    """Yield the constructs of a tree, with repetitions."""
    for node in tree.walk():
        if show := _SHOWN.get(type(node)):
            yield from filter(None, (show(node, kinds) or "").split("\n"))
        if isinstance(node, exp.Query):
            yield from filter(None, _clauses(node))


def _operation(node: Any, kinds: Kinds) -> str:
    if isinstance(node.parent, exp.Update) and node.arg_key == "expressions":
        return ""
    left, right = kinds.of(node.this), kinds.of(node.expression)
    if isinstance(node.expression, Duration):
        return f"{left} {_OPERATORS[type(node)]} number {node.expression.args['unit']}S"
    if _OPERATORS[type(node)] in "=<":
        known = {left, right} - {UNKNOWN}
        left, right = sorted((left, right)) if len(known) > 1 else [*known, UNKNOWN][:1] * 2
    return f"{left} {_OPERATORS[type(node)]} {right}"


_OPERATORS: dict[type[exp.Expr], str] = {
    **{exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.DPipe: "||", exp.Like: "LIKE"},
    **dict.fromkeys((exp.EQ, exp.NEQ), "="),
    **dict.fromkeys((exp.LT, exp.LTE, exp.GT, exp.GTE), "<"),
}


def _call(node: Any, kinds: Kinds) -> str:
    dot = node.parent if isinstance(node.parent, exp.Dot) else None
    around = dot.parent if dot else node.parent
    is_table = isinstance(around, exp.Anonymous) and str(around.this).upper() == "TABLE"
    if is_table or str(node.this).upper() == "TABLE" or isinstance(around, exp.Window):
        return ""
    return (f"{dot.this.name}." if dot else "") + kinds.call(node)


def _window(node: Any, kinds: Kinds) -> str:
    spec = node.args.get("spec")
    parts = ["PARTITION BY" * bool(node.args.get("partition_by")), "ORDER BY" * bool(node.args.get("order"))]
    if spec:
        begin, end = (f"{spec.args[side]} {spec.args.get(f'{side}_side') or ''}".strip() for side in ("start", "end"))
        parts.append(f"{spec.args['kind']} BETWEEN {begin} AND {end}")
    return f"{kinds.call(node.this)} OVER ({' '.join(filter(None, parts))})"


def _named(node: Any) -> str:
    alias = node.args.get("alias")
    return " AS name (columns)" if alias and alias.columns else " AS name" if alias else ""


def _source(node: Any, kinds: Kinds) -> str:
    """Return a table, query, function or list of rows in a FROM clause."""
    if not isinstance(node.parent, exp.From | exp.Join):
        return _ROWS[min(len(node.expressions), 2)] if isinstance(node, exp.Values) else _value(node)
    return f"FROM {_what(node, kinds)}{_named(node)}"


_ROWS = ("", "VALUES (row)", "VALUES (row), (row)")


def _value(node: Any) -> str:
    return "(query) as a value" if isinstance(node, exp.Subquery) and not isinstance(node.parent, exp.In) else ""


def _what(node: Any, kinds: Kinds | None) -> str:
    if not isinstance(node.this, exp.Anonymous):
        return {exp.Values: "(VALUES (row))", exp.Subquery: "(query)"}.get(type(node), "name")
    if kinds is None:
        return "TABLE(...)"
    (inner,) = node.this.expressions
    if isinstance(inner, exp.Query):
        return "TABLE(query)"
    call = inner.expression if isinstance(inner, exp.Dot) else inner
    arguments = ["column" if isinstance(each, exp.Column) else kinds.of(each) for each in call.expressions]
    return f"TABLE({f'{inner.this.name}.' if isinstance(inner, exp.Dot) else ''}{call.this}({', '.join(arguments)}))"


def _join(node: Any, _: Kinds) -> str:
    words = " ".join(filter(None, (node.side, node.kind)))
    if not words and not node.args.get("on"):
        return f"FROM name, {_what(node.this, None)}"
    return f"{words} JOIN {_what(node.this, None)}{' ON condition' if node.args.get('on') else ''}"


def _common(node: Any, _: Kinds) -> str:
    recursive = any(table.name == node.alias and not table.db for table in node.this.find_all(exp.Table))
    return f"WITH name{' (columns)' if node.args['alias'].columns else ''} AS ({'recursive ' * recursive}query)"


def _negation(node: Any, _: Kinds) -> str:
    named = {exp.Exists: "EXISTS", exp.In: "IN", exp.Like: "LIKE", exp.Between: "BETWEEN"}
    return "value IS NOT NULL" if isinstance(node.this, exp.Is) else f"NOT {named.get(type(node.this), '(condition)')}"


def _change(node: Any, _: Kinds) -> str:
    if isinstance(node.parent, exp.When):
        return ""
    if isinstance(node, exp.Delete):
        return f"DELETE FROM name{' WHERE condition' if node.args.get('where') else ''}"
    if isinstance(node, exp.Update):
        queries = {isinstance(item.expression, exp.Subquery) for item in node.expressions}
        return "\n".join(f"UPDATE name SET column = {'(query)' if query else 'value'}" for query in queries)
    what = "VALUES" if isinstance(node.expression, exp.Values) else "query"
    common = "WITH name AS (query) " if node.expression.args.get("with_") else ""
    return f"INSERT INTO name{' (columns)' if isinstance(node.this, exp.Schema) else ''} {common}{what}"


def _clauses(node: Any) -> Iterator[str]:
    args = node.args
    for item in node.expressions if isinstance(node, exp.Select) else ():
        star = isinstance(item, exp.Column) and isinstance(item.this, exp.Star)
        yield "SELECT name.*" if star else "SELECT *" if isinstance(item, exp.Star) else ""
        yield "SELECT NULL" if isinstance(item.unalias(), exp.Null) else ""
    for item in args["order"].expressions if args.get("order") else ():
        what = {exp.Column: "column", exp.Literal: "number"}.get(type(item.this), "expression")
        last = " NULLS LAST" if item.args.get("desc") and item.args.get("nulls_first") is False else ""
        yield f"ORDER BY {what}{' DESC' if item.args.get('desc') else ''}{last}"
    if isinstance(args.get("limit"), exp.Fetch):
        yield f"FETCH FIRST n ROWS ONLY{' in a subselect' if node.parent else ''}"
    yield from (f"GROUP BY {'column' if isinstance(item, exp.Column) else 'expression'}" for item in _groups(args))
    yield from (name for key, name in _CLAUSES.items() if args.get(key))


def _groups(args: dict[str, Any]) -> list[exp.Expr]:
    return list(args["group"].expressions) if args.get("group") else []


_CLAUSES = {"distinct": "SELECT DISTINCT", "having": "HAVING condition", "where": "WHERE condition"}
_SHOWN: dict[type[exp.Expr], Callable[[Any, Kinds], str | None]] = {
    **dict.fromkeys(_OPERATORS, _operation),
    **dict.fromkeys((exp.Table, exp.Values, exp.Subquery, exp.Lateral), _source),
    **dict.fromkeys((exp.Insert, exp.Update, exp.Delete), _change),
    exp.Union: lambda node, _: "UNION" if node.args.get("distinct") else "UNION ALL",
    exp.Except: lambda *_: "EXCEPT",
    exp.Intersect: lambda *_: "INTERSECT",
    exp.CTE: _common,
    exp.Join: _join,
    exp.Window: _window,
    exp.Anonymous: _call,
    exp.Cast: lambda node, kinds: f"CAST({kinds.of(node.this)} AS {show_type(node.args['to'].name)})",
    exp.Case: lambda node, _: (
        f"CASE {'value WHEN value' if node.this else 'WHEN condition'} THEN value"
        f"{' ELSE value' if node.args.get('default') else ''} END"
    ),
    exp.In: lambda node, kinds: f"{kinds.of(node.this)} IN ({'query' if node.args.get('query') else 'list'})",
    exp.Exists: lambda *_: "EXISTS (query)",
    exp.Between: lambda node, kinds: (
        f"{kinds.of(node.this)} BETWEEN {kinds.of(node.args['low'])} AND {kinds.of(node.args['high'])}"
    ),
    exp.Is: lambda node, _: None if isinstance(node.parent, exp.Not) else "value IS NULL",
    exp.Not: _negation,
    exp.Escape: lambda *_: "text LIKE text ESCAPE text",
    exp.And: lambda *_: "AND",
    exp.Or: lambda *_: "OR",
    exp.Neg: lambda *_: "-number",
    exp.Placeholder: lambda *_: "?",
    exp.HexString: lambda *_: "X'hex'",
    exp.When: lambda node, _: (
        f"MERGE: WHEN {'' if node.args['matched'] else 'NOT '}MATCHED"
        f"{' AND condition' if node.args.get('condition') else ''} THEN {type(node.args['then']).__name__.upper()}"
    ),
    exp.Merge: lambda node, _: (
        f"MERGE INTO name AS name USING {_what(node.args['using'], None)}{_named(node.args['using'])} ON condition"
    ),
    exp.Literal: lambda node, _: (
        None if node.is_string else f"{'floating-point' if 'E' in node.this.upper() else 'decimal'} constant"
        if set(node.this.upper()) & set("E.") else "integer constant"
    ),
    Register: lambda node, _: str(node.this),
    SequenceValue: lambda *_: "NEXT VALUE FOR sequence",
}  # fmt: skip
