"""Predicates that an index can use, per table reference."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from sqlglot import exp

from advisor.indexes.hindrances import Hindrance, find_hindrances, same_kind
from advisor.indexes.scopes import Bound, Equal, Join, Reference, Scope, Use, columns_and_queries, fold, unwrap

_Item = TypeVar("_Item")
Projections = list[tuple[str, Reference | None]] | None

_RANGES = (exp.LT, exp.LTE, exp.GT, exp.GTE)
_OPPOSITES: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.LT: exp.GTE,
    exp.GTE: exp.LT,
    exp.GT: exp.LTE,
    exp.LTE: exp.GT,
}


@dataclass(frozen=True)
class QueryResult:
    """The columns of a query that was read. ``whole`` is false if it returns some or aggregated rows only."""

    columns: Projections
    scope: Scope
    whole: bool = False


class Conjuncts:
    """Attaches each usable predicate to its table reference, and collects why the others are not usable."""

    hindrances: dict[Hindrance, None]

    def query(self, tree: exp.Expr, outer: Scope | None, semi: bool = False, merges: bool = False) -> QueryResult:
        """Read a query."""
        raise NotImplementedError

    def ref(self, node: exp.Expr | None, scope: Scope) -> Reference | None:
        """Return the table column that an expression consists of."""
        node = unwrap(node)
        return scope.resolve(node)[1] if isinstance(node, exp.Column) else None

    def note(self, node: exp.Expr, scope: Scope, aliases: Collection[str]) -> None:
        """Note the columns that an expression needs, and read the queries in it."""
        for part in columns_and_queries(node):
            if isinstance(part, exp.Column):
                if part.args.get("table") is None and fold(part.this) in aliases:
                    continue
                found, ref = scope.resolve(part)
                if ref:
                    ref.use.needed.add(ref.column)
                elif not found:
                    _doubt(scope)
            elif isinstance(part, exp.Identifier):
                _doubt(scope)
            elif not part.meta.get("read"):
                self.query(part, scope)

    def conjuncts(self, node: exp.Expr, scope: Scope, allowed: list[Use]) -> None:
        """Attach the usable predicates of a search condition to the allowed table references."""
        condition = unwrap(node)
        waiting = [condition] if condition is not None else []
        while waiting:
            this = _without_not(waiting.pop())
            if isinstance(this, exp.And):
                waiting += [part for part in (unwrap(this.expression), unwrap(this.this)) if part is not None]
            else:
                before = _attached(scope)
                self._conjunct(this, scope, allowed)
                if _attached(scope) == before:
                    self.hindrances |= dict.fromkeys(find_hindrances(this, scope, allowed))
                    for use in scope.uses:
                        use.more_predicates = True

    def using(self, name: str, scope: Scope, allowed: list[Use]) -> None:
        """Attach the equality of JOIN ... USING."""
        sides = [found for _, found in (source.find(name) for source in scope.sources) if found]
        for one, other in pairwise(sides):
            self._join(one, other, allowed)
        for ref in sides:
            ref.use.needed.add(ref.column)

    def _conjunct(self, node: exp.Expr, scope: Scope, allowed: list[Use]) -> None:
        if isinstance(node, exp.Exists):
            self.query(node.this, scope, semi=any(use in allowed for use in scope.uses))
            node.this.meta["read"] = True
        elif isinstance(node, exp.In):
            self._in(node, scope, allowed)
        elif isinstance(node, exp.Between):
            low, high = node.args["low"], node.args["high"]
            self._range(node.this, {"low": low, "high": high}, scope, allowed)
            self._range(low, {"high": node.this}, scope, allowed)
            self._range(high, {"low": node.this}, scope, allowed)
        elif isinstance(node, exp.EQ):
            self._equal(node.this, node.expression, scope, allowed)
        elif isinstance(node, _RANGES):
            kinds = ("high", "low") if isinstance(node, (exp.LT, exp.LTE)) else ("low", "high")
            self._range(node.this, {kinds[0]: node.expression}, scope, allowed)
            self._range(node.expression, {kinds[1]: node.this}, scope, allowed)
        elif isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
            found = self.ref(node.this, scope)
            if found and found.use in allowed and not found.use.supplies_nulls:
                _add(found.use.equal, Equal(found.column, is_null=True))
        elif isinstance(node, (exp.Like, exp.Escape)):
            self._like(node, scope, allowed)
        elif isinstance(node, exp.Or):
            self._or(node, scope, allowed)

    def _equal(self, left: exp.Expr, right: exp.Expr, scope: Scope, allowed: list[Use]) -> None:
        one, other = unwrap(left), unwrap(right)
        if one is None or other is None:
            return
        if isinstance(other, exp.Any) and isinstance(other.this, exp.Query):  # = ANY and = SOME are IN
            self._in_query(one, other.this, scope, allowed)
            return
        if isinstance(one, exp.Tuple) and isinstance(other, exp.Tuple):
            if len(one.expressions) == len(other.expressions):
                for pair in zip(one.expressions, other.expressions, strict=True):
                    self._equal(*pair, scope, allowed)
            return
        left_ref, right_ref = self.ref(one, scope), self.ref(other, scope)
        if left_ref and right_ref:
            self._join(left_ref, right_ref, _outer_marked(one, other, left_ref, right_ref, allowed))
            return
        for ref, value in ((left_ref, other), (right_ref, one)):
            if ref and ref.use in allowed:
                self._equal_to(ref, value, scope)

    def _equal_to(self, ref: Reference, value: exp.Expr, scope: Scope) -> None:
        """Attach a comparison with an expression: constants, or columns of other table references."""
        others = self._depends_on(value, scope)
        if others is None or ref.use in others or not same_kind(ref, value):
            return
        if not others and not _derived(value, scope):
            _add(ref.use.equal, Equal(ref.column, value=_constant(value)))
        elif len(others) <= 1:
            other = next(iter(others), None)
            _add(ref.use.joins, Join(ref.column, *((other.schema, other.table) if other else ())))

    def _join(self, one: Reference, other: Reference, allowed: list[Use]) -> None:
        if one.use is other.use:
            return
        for ref, to in ((one, other), (other, one)):
            if ref.use in allowed:
                _add(ref.use.joins, Join(ref.column, to.use.schema, to.use.table, to.column))

    def _range(self, side: exp.Expr, bounds: dict[str, exp.Expr], scope: Scope, allowed: list[Use]) -> None:
        ref = self.ref(side, scope)
        if not ref or ref.use not in allowed:
            return
        for kind, bound in bounds.items():
            if self._depends_on(bound, scope) == set() and not _derived(bound, scope) and same_kind(ref, bound):
                _add(ref.use.ranges, ref.column)
                _add(ref.use.bounds, Bound(ref.column, kind, _constant(bound)))

    def _like(self, node: exp.Expr, scope: Scope, allowed: list[Use]) -> None:
        like = node.this if isinstance(node, exp.Escape) else node
        if not isinstance(like, exp.Like) or like.args.get("negate"):
            return
        ref, pattern = self.ref(like.this, scope), unwrap(like.expression)
        while isinstance(pattern, exp.DPipe):
            pattern = unwrap(pattern.this)
        if ref and ref.use in allowed and isinstance(pattern, exp.Literal) and pattern.is_string:
            escape = str(node.expression.this) if isinstance(node, exp.Escape) else None
            text = str(pattern.this)
            if text[:1] not in ("", "%", "_", escape):
                _add(ref.use.likes, ref.column)
                ends = [place for place, letter in enumerate(text) if letter in ("%", "_", escape)]
                _add(ref.use.bounds, Bound(ref.column, "prefix", text[: min(ends, default=len(text))]))

    def _in(self, node: exp.In, scope: Scope, allowed: list[Use]) -> None:
        query = node.args.get("query")
        if query is not None:
            self._in_query(node.this, query, scope, allowed)
            return
        columns = node.this.expressions if isinstance(node.this, exp.Tuple) else [node.this]
        for place, column in enumerate(columns):
            ref = self.ref(column, scope)
            values = [
                item.expressions[place] if isinstance(item, exp.Tuple) and len(columns) > 1 else item
                for item in node.expressions
                if len(columns) == 1 or (isinstance(item, exp.Tuple) and len(item.expressions) == len(columns))
            ]
            if (
                ref
                and ref.use in allowed
                and len(values) == len(node.expressions) > 0
                and all(self._depends_on(value, scope) == set() and same_kind(ref, value) for value in values)
            ):
                _add(ref.use.equal, Equal(ref.column, len(values)))

    def _in_query(self, side: exp.Expr, query: exp.Expr, scope: Scope, allowed: list[Use]) -> None:
        sides = side.expressions if isinstance(side, exp.Tuple) else [side]
        refs = [self.ref(item, scope) for item in sides]
        result = self.query(query, scope, semi=any(ref is not None and ref.use in allowed for ref in refs))
        query.meta["read"] = True
        found = [ref for _, ref in result.columns] if result.columns is not None else []
        for place, ref in enumerate(refs):
            other = found[place] if len(found) == len(refs) else None
            if ref and other and result.whole:
                self._join(ref, other, [*allowed, *result.scope.uses])
            elif ref and ref.use in allowed and ref.use not in result.scope.crossed and not result.scope.unresolved:
                _add(ref.use.joins, Join(ref.column))

    def _or(self, node: exp.Or, scope: Scope, allowed: list[Use]) -> None:
        """Attach A = 1 OR A = 2 as a list of values."""
        refs, waiting = [], [node]
        while waiting:
            this: exp.Expr | None = unwrap(waiting.pop())
            if isinstance(this, exp.Or):
                waiting += [this.this, this.expression]
                continue
            ref = self.ref(this.this, scope) if isinstance(this, exp.EQ) else None
            if this is None or ref is None or ref.use not in allowed or not same_kind(ref, this.expression):
                return
            if self._depends_on(this.expression, scope) != set() or _derived(this.expression, scope):
                return
            refs.append(ref)
        if len(set(refs)) == 1:
            _add(refs[0].use.equal, Equal(refs[0].column, len(refs)))

    def _depends_on(self, node: exp.Expr, scope: Scope) -> set[Use] | None:
        """Return the table references that an expression needs a row of; None if this is in doubt."""
        if isinstance(unwrap(node), (exp.Any, exp.All)):
            return None  # several values
        needed: set[Use] = set()
        for part in columns_and_queries(node):
            if isinstance(part, exp.Column):
                found, ref = scope.resolve(part)
                if not found:
                    return None
                needed |= {ref.use} if ref else set()
            elif isinstance(part, exp.Identifier):
                return None
            else:
                result = self.query(part, scope)
                part.meta["read"] = True
                if result.scope.unresolved:
                    return None
                needed |= result.scope.crossed
        return needed


def _derived(node: exp.Expr, scope: Scope) -> bool:
    """Return whether an expression needs a column of a derived table."""
    return any(
        scope.resolve(part) == (True, None) for part in columns_and_queries(node) if isinstance(part, exp.Column)
    )


def _doubt(scope: Scope) -> None:
    """Note a column of unknown origin: it may belong to any table reference in sight."""
    around: Scope | None = scope
    while around:
        for use in around.uses:
            use.needs_unknown = True
        around = around.outer


def _without_not(node: exp.Expr) -> exp.Expr:
    """Return a condition without NOT before a comparison, AND, OR or another NOT."""
    while isinstance(node, exp.Not):
        inner = unwrap(node.this) or node
        if isinstance(inner, exp.Not):
            node = unwrap(inner.this) or node
        elif type(inner) in _OPPOSITES and not inner.find(exp.Any, exp.All):
            node = _OPPOSITES[type(inner)](this=inner.this, expression=inner.expression)
        elif isinstance(inner, (exp.And, exp.Or)):
            sides = {side: exp.Not(this=inner.args[side]) for side in ("this", "expression")}
            node = (exp.Or if isinstance(inner, exp.And) else exp.And)(**sides)
        else:
            break
    return node


def _attached(scope: Scope) -> int:
    """Return the number of predicates that are attached to table references."""
    return sum(len(use.equal) + len(use.bounds) + len(use.joins) for use in scope.uses)


def _constant(value: exp.Expr) -> str | None:
    """Return a number or text constant as text."""
    found = unwrap(value)
    sign = "-" if isinstance(found, exp.Neg) else ""
    found = unwrap(found.this) if isinstance(found, exp.Neg) else found
    return sign + str(found.this) if isinstance(found, exp.Literal) else None


def _outer_marked(one: exp.Expr, other: exp.Expr, left: Reference, right: Reference, allowed: list[Use]) -> list[Use]:
    """Return the references that a join may reach: with (+), only the marked side."""
    marked = [ref.use for node, ref in ((one, left), (other, right)) if node.args.get("join_mark")]
    return [use for use in allowed if use in marked] if marked else allowed


def _add(items: list[_Item], item: _Item) -> None:
    if item not in items:
        items.append(item)
