"""What an index could do for a statement, from its text and the catalog."""

from dataclasses import dataclass

from sqlglot import exp

from advisor.indexes.catalog import Catalog
from advisor.indexes.dialect import ChangedRows, parse
from advisor.indexes.reader import Reader
from advisor.indexes.scopes import Bound, Equal, Join, Order, Use
from advisor.indexes.simplify import UnreadableTextError

__all__ = ["Bound", "Equal", "Join", "Order", "Statement", "TableUse", "read_statement"]

_KINDS = ((exp.Insert, "insert"), (exp.Update, "update"), (exp.Delete, "delete"), (exp.Merge, "merge"))


@dataclass(frozen=True)
class TableUse:
    """One table reference of a statement, and the columns that an index on the table could use.

    ``name`` is its correlation name. ``equal``, ``ranges``, ``likes`` and ``joins`` are predicates that every returned
    row satisfies. ``bounds`` are the values of ``ranges`` and ``likes``. ``order``, ``group`` and ``distinct`` are set only if all their columns belong to this reference.
    ``needed`` are the columns that the statement reads, in the order of the table, or None if that is not known.
    ``changed`` are the columns that an UPDATE or MERGE sets; ``is_target`` is true for the table that is changed.
    """

    schema: str
    table: str
    name: str
    equal: tuple[Equal, ...] = ()
    ranges: tuple[str, ...] = ()
    likes: tuple[str, ...] = ()
    bounds: tuple[Bound, ...] = ()
    joins: tuple[Join, ...] = ()
    order: tuple[Order, ...] = ()
    group: tuple[str, ...] = ()
    distinct: tuple[str, ...] = ()
    needed: tuple[str, ...] | None = ()
    changed: tuple[str, ...] = ()
    is_target: bool = False
    in_catalog: bool = True


@dataclass(frozen=True)
class Statement:
    """A statement. ``kind`` is select, insert, update, delete, merge or other.

    ``reason`` describes why the text cannot be read; such a statement has no tables. ``limit`` is the number of FETCH FIRST.
    """

    kind: str
    tables: tuple[TableUse, ...] = ()
    limit: int | None = None
    reason: str | None = None


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
    return Statement(_kind(tree), tuple(map(_table_use, reader.uses)), _limit(tree))


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


def _table_use(use: Use) -> TableUse:
    columns = list(use.known.columns) if use.known else sorted(use.needed)
    return TableUse(
        schema=use.schema,
        table=use.table,
        name=use.name,
        equal=tuple(use.equal),
        ranges=tuple(use.ranges),
        likes=tuple(use.likes),
        bounds=tuple(use.bounds),
        joins=tuple(use.joins),
        order=tuple(use.order),
        group=tuple(use.group),
        distinct=tuple(use.distinct),
        needed=None if use.needs_unknown else tuple(column for column in columns if column in use.needed),
        changed=tuple(use.changed),
        is_target=use.target,
        in_catalog=use.known is not None,
    )
