"""What an index could do for a statement, from its text and the catalog."""

from dataclasses import dataclass

from sqlglot import exp

from advisor.indexes.catalog import Catalog, Key
from advisor.indexes.dialect import ChangedRows, parse
from advisor.indexes.hindrances import Hindrance
from advisor.indexes.reader import Reader
from advisor.indexes.scopes import Bound, Equal, Join, Use
from advisor.indexes.simplify import UnreadableTextError

__all__ = ["Bound", "Equal", "Join", "Statement", "TableUse", "read_statement"]

_KINDS = ((exp.Insert, "insert"), (exp.Update, "update"), (exp.Delete, "delete"), (exp.Merge, "merge"))
_LISTS = ("equal", "ranges", "likes", "bounds", "joins", "order", "group", "distinct", "changed")


@dataclass(frozen=True)
class TableUse:
    """One table reference of a statement, and the columns that an index on the table could use.

    ``name`` is its correlation name. ``equal``, ``ranges``, ``likes`` and ``joins`` are predicates that every returned
    row satisfies. ``bounds`` are the values of ``ranges`` and ``likes``. ``order``, ``group`` and ``distinct`` are set only if all their columns belong to this reference.
    ``needed`` are the columns that the statement reads, in the order of the table, or None if that is not known.
    ``more_predicates`` is true if an index cannot use all predicates of the query. ``changed`` are the columns that an UPDATE or MERGE sets; ``is_target`` is true for the table that is changed.
    ``obstacle`` is why the table is not known.
    """

    schema: str
    table: str
    name: str
    equal: tuple[Equal, ...] = ()
    ranges: tuple[str, ...] = ()
    likes: tuple[str, ...] = ()
    bounds: tuple[Bound, ...] = ()
    joins: tuple[Join, ...] = ()
    order: tuple[Key, ...] = ()
    group: tuple[str, ...] = ()
    distinct: tuple[str, ...] = ()
    needed: tuple[str, ...] | None = ()
    changed: tuple[str, ...] = ()
    is_target: bool = False
    more_predicates: bool = False
    obstacle: str = ""

    @property
    def compared(self) -> list[str]:
        """Return the columns that an index could find rows by."""
        equal, joined = (item.column for item in self.equal), (join.column for join in self.joins)
        return [*equal, *joined, *self.ranges, *self.likes]


@dataclass(frozen=True)
class Statement:
    """A statement. ``kind`` is select, insert, update, delete, merge or other.

    ``reason`` describes why the text cannot be read; such a statement has no tables. ``limit`` is the number of FETCH FIRST.
    ``returns_matches`` is true if the rows that satisfy the predicates are the rows that it returns or changes.
    ``hindrances`` are the predicates that no index can use.
    """

    kind: str
    tables: tuple[TableUse, ...] = ()
    limit: int | None = None
    reason: str | None = None
    returns_matches: bool = False
    hindrances: tuple[Hindrance, ...] = ()


def read_statement(text: str, catalog: Catalog, default_schema: str = "") -> Statement:
    """Return the table references of a complete statement text. Never raise: an unreadable text has a reason."""
    try:
        tree = parse(text)
        if tree is None:
            return Statement("other")
        reader = Reader(tree, catalog, default_schema)
        reader.statement(tree)
    except UnreadableTextError as error:
        return Statement("other", reason=str(error))
    except RecursionError:
        return Statement("other", reason="The text nests expressions too deeply.")
    except (AttributeError, KeyError, TypeError, ValueError, IndexError):
        return Statement("other", reason="The text contains syntax that is not supported.")
    tables = tuple(map(_table_use, reader.uses))
    matches = len(tables) == 1 and _returns_matches(tree)
    return Statement(_kind(tree), tables, _limit(tree), None, matches, tuple(reader.hindrances))


def _kind(tree: exp.Expr) -> str:
    changed = tree.find(ChangedRows)
    inner = changed.this if changed else tree
    return next((name for kind, name in _KINDS if isinstance(inner, kind)), "select")


def _limit(tree: exp.Expr) -> int | None:
    limit = tree.args.get("limit")
    if not isinstance(limit, (exp.Fetch, exp.Limit)):
        return None
    count = limit.args.get("count") or limit.args.get("expression")
    if count is None and isinstance(limit, exp.Fetch):
        return 1  # FETCH FIRST ROW ONLY
    return int(count.this) if isinstance(count, exp.Literal) and str(count.this).isdigit() else None


def _returns_matches(tree: exp.Expr) -> bool:
    """Return whether a statement on one table returns or changes each row that satisfies its predicates."""
    if isinstance(tree, (exp.Update, exp.Delete)):
        return isinstance(tree.this, exp.Table) and not tree.args.get("limit")
    parts = ("distinct", "group", "having", "limit", "offset", "joins", "with_")
    if not isinstance(tree, exp.Select) or any(tree.args.get(part) for part in parts):
        return False
    source = tree.args.get("from_")
    return (
        source is not None
        and isinstance(source.this, exp.Table)
        and all(isinstance(item.unalias(), (exp.Column, exp.Star, exp.Literal)) for item in tree.expressions)
    )


def _table_use(use: Use) -> TableUse:
    columns = list(use.known.columns) if use.known else sorted(use.needed)
    return TableUse(
        use.schema,
        use.table,
        use.name,
        needed=None if use.needs_unknown else tuple(column for column in columns if column in use.needed),
        is_target=use.target,
        more_predicates=use.more_predicates,
        obstacle=use.obstacle,
        **{name: tuple(getattr(use, name)) for name in _LISTS},
    )
