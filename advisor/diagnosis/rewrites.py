"""Other forms of one statement that return the same rows."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlglot import exp

from advisor.diagnosis.rewriting import alternatives, conditions, functions, joins, pages, scalars, subqueries
from advisor.diagnosis.rewriting.parts import Change
from advisor.diagnosis.rewriting.trees import Known, Source, read, write
from advisor.indexes.scopes import fold

__all__ = ["KINDS", "Kind", "Known", "Rewrite", "list_rewrites"]

MARKERS = "Bind the markers again: their number or order changes."
_MARK = re.compile(r"QQ(\d+|X)QQ")
_CHANGED = (exp.Predicate, exp.Connector, exp.Not, exp.Query)
_PASSES = 8


@dataclass(frozen=True)
class Rewrite:
    """A statement in another form.

    ``condition`` is what must hold for equal rows and is not visible in the input; empty if the rows are certain to be
    equal. ``columns`` are those that an index can use afterwards.
    """

    name: str
    reason: str
    sql: str
    condition: str
    columns: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True)
class Kind:
    """A kind of rewrite: its function returns what replaces a part of a tree, or None."""

    name: str
    reason: str
    change: Callable[[exp.Expr, Known], Change | None]
    source: str = ""


_DOCS = "https://www.ibm.com/docs/en/db2/11.5.x?topic="
_EXPRESSIONS = f"{_DOCS}statements-avoiding-expressions-over-columns-in-local-predicates"

_FUNCTION = "A function over the column prevents start and stop keys of an index on it."

KINDS = (
    Kind("date-range", _FUNCTION, functions.change_dates, _EXPRESSIONS),
    Kind("cast-of-column", _FUNCTION, functions.change_cast, _EXPRESSIONS),
    Kind(
        "arithmetic",
        "Arithmetic on the column prevents start and stop keys.",
        functions.change_arithmetic,
        _EXPRESSIONS,
    ),
    Kind(
        "prefix",
        "SUBSTR and LEFT hide the beginning of the column from an index.",
        functions.change_prefix,
        _EXPRESSIONS,
    ),
    Kind(
        "trim",
        "The function prevents the use of an index. Comparisons ignore blanks at the end.",
        functions.change_trim,
        _EXPRESSIONS,
    ),
    Kind("coalesce", _FUNCTION, functions.change_coalesce, _EXPRESSIONS),
    Kind(
        "optional-parameter",
        "One access plan serves values and NULL: it reads the whole table.",
        conditions.change_optional,
    ),
    Kind("number-for-text", "Db2 converts the column to a number in each row.", conditions.change_number, _EXPRESSIONS),
    Kind(
        "long-list",
        "Db2 compiles one more plan for each list of literals. A table of values can be joined.",
        conditions.change_list,
    ),
    Kind(
        "count-to-exists", "COUNT reads all rows of the subquery. EXISTS stops at the first.", subqueries.change_count
    ),
    Kind("not-in", "NULL prevents an anti-join for NOT IN.", subqueries.change_not_in),
    Kind(
        "greatest-row",
        "The subquery runs per row. A window reads the table once, which is slower for few rows.",
        subqueries.change_greatest,
    ),
    Kind(
        "distinct-join",
        "The join multiplies rows that DISTINCT removes. EXISTS stops at the first match.",
        subqueries.change_distinct,
    ),
    Kind("outer-to-inner", "Db2 may start an inner join from either table.", joins.change_outer),
    Kind("explicit-joins", "After a comma, LEFT JOIN binds only the last table.", joins.change_list_of_tables),
    Kind("distinct-derived", "DISTINCT reads all rows. EXISTS stops at the first match.", joins.change_derived),
    Kind(
        "distinct-scalar", "The subqueries run per row before DISTINCT, not per group.", scalars.change_distinct_total
    ),
    Kind("one-pass", "Each subquery runs per row. One pass is slower for few rows.", scalars.change_totals),
    Kind(
        "or-over-tables",
        "Db2 applies an OR over several tables only after their join.",
        alternatives.change_or_over_tables,
    ),
    Kind(
        "or-to-union",
        "No single range of an index has the rows of all sides of the OR.",
        alternatives.change_or_to_union,
    ),
    Kind("union-all", "UNION compares the rows of branches that cannot be equal.", alternatives.change_union),
    Kind(
        "paging",
        "Db2 numbers all rows before it takes the page. Continuing after the last key is even faster.",
        pages.change_paging,
    ),
    Kind("offset", "Db2 reads and drops all rows before the page.", pages.change_offset),
)


def list_rewrites(text: str, known: Known | None = None) -> list[Rewrite]:
    """Return the other forms of a statement; an empty list if it is unreadable."""
    source = read(text)
    return list(_list(source, known or Known())) if source else []


def _list(source: Source, known: Known) -> Iterator[Rewrite]:
    for number, marker in enumerate(source.tree.find_all(exp.Placeholder)):
        marker.meta["number"] = number
    markers, before = _order_markers(source.tree), write(source.tree)
    for kind in KINDS:
        try:
            tree, changes = _apply(kind, source, known)
        except (
            RecursionError,
            AttributeError,
            TypeError,
            LookupError,
            ValueError,
        ):  # a syntax that no kind has foreseen
            continue
        sql = source.write(tree) if changes and write(tree) != before else ""
        if sql and read(sql):
            notes = [change.condition for change in changes] + [MARKERS] * (_order_markers(tree) != markers)
            columns = dict.fromkeys(fold(column.this) for change in changes for column in change.columns)
            condition = " ".join(dict.fromkeys(note for note in notes if note))
            yield Rewrite(kind.name, kind.reason, sql, condition, tuple(columns), kind.source)


def _apply(kind: Kind, source: Source, known: Known) -> tuple[exp.Expr, list[Change]]:
    """Return a changed copy of the tree, and the changes."""
    tree, changes = source.tree.copy(), list[Change]()
    kinds = (exp.Predicate, exp.Connector, exp.Not) if "UPDATE" in source.after.upper() else _CHANGED
    for _ in range(_PASSES):
        count, nodes, gone = len(changes), [node for node in tree.walk() if isinstance(node, kinds)], set[int]()
        for node in nodes:
            change = None if id(node) in gone else kind.change(node, known)
            if change and change.tree is not node:
                gone.update(map(id, node.walk()))
                tree = change.tree if node is tree else tree
                node.replace(_wrap(change.tree, node.parent))
            changes += [change] if change else []
        if len(changes) == count:
            break
    return tree, changes


def _wrap(new: exp.Expr, parent: exp.Expr | None) -> exp.Expr:
    """Return a condition in parentheses if its parent binds more tightly."""
    is_looser = isinstance(new, exp.Connector) and isinstance(parent, (exp.Connector, exp.Not))
    return exp.Paren(this=new) if is_looser and type(new) is not type(parent) else new


def _order_markers(tree: exp.Expr) -> list[str]:
    """Return the numbers of the markers in the order of the text."""
    copy = tree.copy()
    for marker in copy.find_all(exp.Placeholder):
        if marker.this == "?":
            marker.set("this", f"QQ{marker.meta.get('number', 'X')}QQ")
    return _MARK.findall(write(copy))
