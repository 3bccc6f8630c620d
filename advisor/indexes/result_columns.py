"""The columns of a query's result, and the order and groups in which it returns them."""

from collections.abc import Iterable

from sqlglot import exp

from advisor.indexes.catalog import Key
from advisor.indexes.predicates import Conjuncts, Projections
from advisor.indexes.scopes import Reference, Scope, fold, unwrap


class Output(Conjuncts):
    """Notes what the SELECT list, ORDER BY, GROUP BY and DISTINCT require of each table reference."""

    def projections(self, items: Iterable[exp.Expr], scope: Scope, count: bool) -> Projections:
        """Return the columns of a SELECT list by name; ``count`` notes those of a star."""
        found: list[tuple[str, Reference | None]] = []
        known = True
        for item in items:
            this = item.this if isinstance(item, exp.Alias) else item
            if this.is_star and isinstance(this, (exp.Star, exp.Column)):
                wanted = fold(this.args.get("table"))
                for source in scope.sources:
                    if not wanted or source.name == wanted:
                        known = known and source.columns is not None
                        found += (source.columns or {}).items()
                        if count and source.use:
                            source.use.need_all()
                        elif count:
                            for ref in filter(None, (source.columns or {}).values()):
                                ref.use.needed.add(ref.column)
            else:
                column = unwrap(this)
                name = item.args["alias"] if item is not this else getattr(column, "this", None)
                is_named = item is not this or isinstance(column, exp.Column)
                found.append((fold(name) if is_named else "", self.ref(column, scope)))
        return found if known else None

    def order_and_group(self, tree: exp.Select, scope: Scope, projections: Projections) -> None:
        """Note the columns of ORDER BY, GROUP BY and DISTINCT if all belong to one table reference."""
        group = tree.args.get("group")
        if group and not any(group.args.get(part) for part in ("rollup", "cube", "grouping_sets", "totals")):
            self._one_use("group", [self.ref(item, scope) for item in group.expressions])
        if tree.args.get("distinct") and projections:
            self._one_use("distinct", [found for _, found in projections])
        order = tree.args.get("order")
        found = [(item, self._ordered(item, scope, projections)) for item in order.expressions] if order else []
        uses = {ref.use for _, ref in found if ref}
        if len(uses) == 1 and all(ref for _, ref in found):
            by = [Key(ref.column, bool(item.args.get("desc"))) for item, ref in found if ref]
            if all(bool(item.args.get("nulls_first")) is bool(item.args.get("desc")) for item, _ in found):
                first: dict[str, Key] = {}
                for key in by:
                    first.setdefault(key.column, key)
                uses.pop().order = list(first.values())

    def _ordered(self, item: exp.Expr, scope: Scope, projections: Projections) -> Reference | None:
        this = unwrap(item.this)
        if isinstance(this, exp.Literal) and not this.is_string and projections:
            place = int(this.this) if str(this.this).isdigit() else 0
            return projections[place - 1][1] if 0 < place <= len(projections) else None
        if isinstance(this, exp.Column) and not this.args.get("table"):
            named = [found for name, found in projections or () if name == fold(this.this)]
            if named:
                return named[0]
        return self.ref(this, scope)

    def _one_use(self, part: str, found: list[Reference | None]) -> None:
        uses = {ref.use for ref in found if ref}
        if len(uses) == 1 and all(found):
            setattr(uses.pop(), part, list(dict.fromkeys(ref.column for ref in found if ref)))
