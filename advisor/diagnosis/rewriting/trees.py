"""Syntax trees that can be written again as SQL of Db2 without loss, and what is known of their columns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, cast

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.generator import Generator
from sqlglot.tokenizer_core import Token, TokenType

from advisor.indexes.dialect import CHANGES, QUERIES, Db2Reader, Db2Text, parse
from advisor.indexes.scopes import fold, unwrap
from advisor.indexes.simplify import UnreadableTextError, first_word, simplify

_NEUTRAL = ("(", ")", "AS", "ASC", "FIRST", "INNER", "NEXT", "ONLY", "OUTER", "NOT", "ROW", "ROWS")
_TEXTS = (TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NUMBER)


class Duration(exp.Expression):
    """A labeled duration, such as 1 DAY."""

    arg_types: ClassVar = {"this": True, "unit": True}


class Converted(exp.Expression):
    """CAST: ``to`` is the text from AS to the end."""

    arg_types: ClassVar = {"this": True, "to": True}


class Parts(exp.Expression):
    """TRIM, STRIP or EXTRACT: ``text`` has the arguments as given."""

    arg_types: ClassVar = {"this": True, "expressions": True, "text": True}


class Prefixed(exp.Expression):
    """A literal with its type, such as DATE '2026-01-01'."""

    arg_types: ClassVar = {"this": True, "word": True}


class _Reader(Db2Reader):
    PLACEHOLDER_PARSERS: ClassVar = {
        TokenType.PLACEHOLDER: lambda self: self.expression(exp.Placeholder(this=self._prev.text))
    }

    def _make_duration(self, number: exp.Expr | None) -> exp.Expr | None:
        return cast("exp.Expr", Duration(this=number, unit=self._prev.text.upper()))

    def _parse_type(self, parse_interval: bool = True, fallback_to_identifier: bool = False) -> exp.Expr | None:
        word, is_column = self._curr and self._curr.text, self._next and self._next.token_type is not TokenType.STRING
        found = super()._parse_type(parse_interval, fallback_to_identifier)
        if isinstance(found, exp.Literal) and not is_column and word and word.upper() in ("DATE", "TIME", "TIMESTAMP"):
            return cast("exp.Expr", Prefixed(this=found, word=word.upper()))
        return found

    def _parse_cast(self, strict: bool, safe: bool | None = None) -> exp.Expr:
        start = self._index
        super()._parse_cast(strict, safe)
        end = self._index
        self._retreat(start)
        this = self._parse_disjunction()
        text = self._find_sql(self._curr, self._tokens[end - 1])
        self._advance(end - self._index)
        return cast("exp.Expr", Converted(this=this, to=text))

    def _parse_parts(self) -> exp.Expr:
        start, name = self._index, self._tokens[self._index - 2].text.upper()
        found = super()._parse_parts()
        text = self._find_sql(self._tokens[start], self._tokens[self._index - 1])
        return cast("exp.Expr", Parts(this=name, expressions=found.expressions, text=text))


class _Writer(Generator):
    TRANSFORMS: ClassVar = {
        **Generator.TRANSFORMS,
        Duration: lambda self, node: f"{self.sql(node, 'this')} {node.args['unit']}",
        Converted: lambda self, node: f"CAST({self.sql(node, 'this')} {node.args['to']})",
        Parts: lambda self, node: f"{node.this}({node.args['text']})",
        Prefixed: lambda self, node: f"{node.args['word']} {self.sql(node, 'this')}",
        exp.Exists: lambda self, node: f"EXISTS {self.wrap(node)}",
    }

    def placeholder_sql(self, expression: exp.Placeholder) -> str:
        return str(expression.this or "?")

    def offset_sql(self, expression: exp.Offset) -> str:
        is_limit = expression.parent and isinstance(expression.parent.args.get("limit"), exp.Limit)
        return f" OFFSET {self.sql(expression, 'expression')}{'' if is_limit else ' ROWS'}"

    def fetch_sql(self, expression: exp.Fetch) -> str:
        count = self.sql(expression, "count")
        return f" FETCH {expression.args.get('direction') or 'FIRST'} {f'{count} ROWS' if count else 'ROW'} ONLY"

    def not_sql(self, expression: exp.Not) -> str:
        """Write NOT within the predicate, as in IS NOT NULL."""
        this, sql = expression.this, self.sql(expression, "this")
        words = {exp.In: " IN ", exp.Is: " IS ", exp.Like: " LIKE ", exp.Between: " BETWEEN "}
        if type(this) not in words:
            return f"NOT {sql}"
        before, word = self.sql(this, "this"), words[type(this)]
        after = sql[len(before) + len(word) :]
        return f"{before} IS NOT {after}" if isinstance(this, exp.Is) else f"{before} NOT{word}{after}"


class Db2Exact(Db2Text):
    """Db2Text without loss: types of CAST, durations, markers and registers are kept."""

    Tokenizer = Db2Text.Tokenizer
    Parser = _Reader
    Generator = _Writer


def write(tree: exp.Expr) -> str:
    """Return the SQL of a tree."""
    return tree.sql(dialect=Db2Exact, comments=False)


@dataclass(frozen=True)
class Source:
    """A statement: its tree, and the text before and after that the tree lacks."""

    tree: exp.Expr
    before: str = ""
    after: str = ""

    def write(self, tree: exp.Expr) -> str:
        """Return the whole statement with another tree."""
        return f"{self.before}{write(tree)}{self.after}"


def read(text: str) -> Source | None:
    """Return the statement of a text; None if it is unreadable, or if its tree would lose a word of it."""
    try:
        if parse(text) is None:
            return None
        tokens = Db2Text().tokenize(text)
        kept = simplify(list(tokens))
        if first_word(kept) not in (*QUERIES, *CHANGES):
            return None
        (tree,) = _Reader(dialect=Db2Exact()).parse(kept, text)
        first, last = kept[0].start, kept[-1].end
        within = [token for token in tokens if first <= token.start <= last]
        if tree is None or any(column.args.get("join_mark") for column in tree.find_all(exp.Column)):
            return None
        if _list_words(within) != _list_words(Db2Text().tokenize(write(tree))):
            return None
    except (UnreadableTextError, SqlglotError, RecursionError, ValueError, LookupError, TypeError, AttributeError):
        return None
    ends = [token for token in tokens if token.start > last and token.token_type is not TokenType.SEMICOLON]
    after = f" {text[ends[0].start : ends[-1].end + 1]}" if ends else ""
    starts = [token for token in tokens if token.end < first]
    before = f"{text[starts[0].start : starts[-1].end + 1]} " if starts else ""
    return None if "--" in before + after else Source(tree, before, after)


def _list_words(tokens: list[Token]) -> list[object]:
    """Return the words of a text without those that a tree may lack, and the number of NOT, which may move."""
    words = [(token, token.text.upper()) for token in tokens]
    kept = [word if token.token_type in _TEXTS else token.token_type for token, word in words if word not in _NEUTRAL]
    return [*kept, sum(word == "NOT" for _, word in words)]


@dataclass(frozen=True)
class Known:
    """Facts of the catalog. Names are in upper case: of a table without its schema, and of a column."""

    types: Mapping[tuple[str, str], str] = field(default_factory=dict)
    not_null: frozenset[tuple[str, str]] = frozenset()
    unique: frozenset[tuple[str, frozenset[str]]] = frozenset()

    def find_type(self, column: exp.Expr) -> str:
        """Return the type of a column without its length; empty if unknown."""
        if not self.types:
            return ""
        return self.types.get((find_owner(column)[1], fold(column.this)), "").upper().split("(")[0].strip()

    def is_never_null(self, column: exp.Expr) -> bool:
        """Return whether a column of a table, not of an outer join's result, is defined NOT NULL."""
        query, name = find_owner(column)
        outer = query and any(join.side for join in query.args.get("joins") or ())
        return not outer and (name, fold(column.this)) in self.not_null

    def has_key(self, table: exp.Expr, columns: set[str]) -> bool:
        """Return whether no two rows of a table have the same values in columns."""
        name = _name_table(table)
        keys = [key for owner, key in self.unique if owner == name and key <= columns]
        return any(all((name, column) in self.not_null for column in key) for key in keys)


def list_tables(select: exp.Expr) -> list[exp.Expr]:
    """Return the tables and derived tables of a FROM clause."""
    joins = [join.this for join in select.args.get("joins") or ()]
    return [select.args["from_"].this, *joins] if select.args.get("from_") else joins


def name_of(table: exp.Expr) -> str:
    """Return the name that qualifies the columns of a table."""
    return fold_name((table.args.get("alias") or table).this)


def fold_name(node: exp.Expr | None) -> str:
    """Return an identifier as the catalog stores it; empty for other expressions, such as a function."""
    return fold(node) if isinstance(node, exp.Identifier) else ""


def find_owner(column: exp.Expr) -> tuple[exp.Expr | None, str]:
    """Return the query of a column's table and its name in the catalog; an empty name if it is in doubt."""
    qualifier, kinds = fold(column.args.get("table")), (exp.Select, exp.Update, exp.Delete)
    select: exp.Expr | None = column.find_ancestor(*kinds)
    while select:
        changed = [select.this] if isinstance(select.this, exp.Table) else []
        tables = list_tables(select) if isinstance(select, exp.Select) else changed
        found = [table for table in tables if not qualifier or name_of(table) == qualifier]
        if found:
            certain = len(found) == 1 and (qualifier or not select.find_ancestor(*kinds))
            return select, _name_table(found[0]) if certain else ""
        select = select.find_ancestor(*kinds)
    return None, ""


def _name_table(table: exp.Expr) -> str:
    """Return the name of a table in the catalog; empty for a common table expression and for what is not a table."""
    name = fold_name(table.this) if isinstance(table, exp.Table) else ""
    above: exp.Expr | None = None if table.args.get("db") else table
    while above:
        ctes = above.args["with_"].expressions if above.args.get("with_") else []
        name = "" if any(fold(cte.args["alias"].this) == name for cte in ctes) else name
        above = above.parent
    return name


def list_conjuncts(node: exp.Expr | None, kind: type[exp.Expr] = exp.And) -> list[exp.Expr]:
    """Return the conditions that AND, or another operator, connects."""
    waiting, found = [node], []
    while waiting:
        this = unwrap(waiting.pop())
        if isinstance(this, kind):
            waiting += [this.args["expression"], this.this]
        elif this:
            found.append(this)
    return found


def join_conditions(parts: list[exp.Expr], kind: type[exp.Expr] = exp.And) -> exp.Expr:
    """Return one condition of several."""
    other = exp.Or if kind is exp.And else exp.And
    whole, *rest = [
        exp.Paren(this=part.copy()) if isinstance(part, other) and len(parts) > 1 else part.copy() for part in parts
    ]
    for part in rest:
        whole = kind(this=whole, expression=part)
    return whole


def is_filter(node: exp.Expr) -> bool:
    """Return whether a row is dropped alike if a condition is false or unknown."""
    parent = node.parent
    while isinstance(parent, (exp.And, exp.Or, exp.Paren)):
        parent = parent.parent
    return isinstance(parent, (exp.Where, exp.Join, exp.Having))


def fill(text: str, **parts: exp.Expr) -> exp.Expr:
    """Return the tree of a condition with expressions in the place of names in braces."""
    holder = _parse_condition(text.format(**{name: f'"{name}"' for name in parts})).copy()
    for column in list(holder.find_all(exp.Column)):
        if column.this.args.get("quoted") and column.name in parts:
            column.replace(parts[column.name].copy())
    return cast("exp.Expr", holder.this.pop())


@lru_cache(maxsize=256)
def _parse_condition(text: str) -> exp.Expr:
    sql = f"SELECT 1 FROM T WHERE {text}"
    (tree,) = _Reader(dialect=Db2Exact()).parse(Db2Text().tokenize(sql), sql)
    return cast("exp.Expr", tree.args["where"].pop() if tree else exp.Null())
