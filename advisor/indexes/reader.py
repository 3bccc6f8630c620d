"""The walk through a statement's tree: sources, predicates and columns of each table reference.

Predicates count only if every row of the result satisfies them: not under OR or NOT, and not on a preserved table of
an outer join.
"""

from collections import Counter
from collections.abc import Iterable

from sqlglot import exp

from advisor.indexes.catalog import Catalog, Definition, Table
from advisor.indexes.dialect import ChangedRows
from advisor.indexes.hindrances import OBSTACLES, Hindrance, describe_obstacle
from advisor.indexes.predicates import Projections, QueryResult
from advisor.indexes.result_columns import Output
from advisor.indexes.scopes import Reference, Scope, Source, Use, columns_and_queries, fold, unwrap
from advisor.indexes.simplify import UnreadableTextError
from advisor.indexes.views import read_view

MAX_TABLES = 200  # table references of one statement
MAX_DEPTH = 8  # of views on views, and of aliases of aliases


class Reader(Output):
    """Reads one statement; ``uses`` are its table references in the order of the text."""

    def __init__(self, tree: exp.Expr, catalog: Catalog, default_schema: str) -> None:
        self.catalog = catalog
        self.default_schema = default_schema
        self.uses: list[Use] = []
        self.shared: dict[str, Projections] = {}  # common table expressions
        self.mentioned = _count_tables(tree)
        self.hindrances: dict[Hindrance, None] = {}
        self.depth = 0  # of views

    def statement(self, tree: exp.Expr) -> None:
        """Read a query or data change."""
        self._common_tables(tree)
        if isinstance(tree, exp.Insert):
            self._insert(tree)
        elif isinstance(tree, (exp.Update, exp.Delete)):
            self._change(tree)
        elif isinstance(tree, exp.Merge):
            self._merge(tree)
        else:
            self.query(tree, None)

    # Queries

    def query(self, tree: exp.Expr, outer: Scope | None, semi: bool = False, merges: bool = False) -> QueryResult:
        """Read a query. ``semi``: rows of the outer query need a match; ``merges``: its table may be read through it."""
        while isinstance(tree, exp.Subquery) and isinstance(tree.this, exp.Query):
            self._common_tables(tree)
            tree = tree.this
        self._common_tables(tree)
        if isinstance(tree, exp.Select):
            return self._select(tree, outer, semi, merges)
        if isinstance(tree, exp.SetOperation):
            return self._set_operation(tree, outer)
        scope = Scope(outer)
        if isinstance(tree, exp.Subquery):
            self._source(tree, scope)
        return QueryResult(None, scope)

    def _set_operation(self, tree: exp.Expr, outer: Scope | None) -> QueryResult:
        branches: list[exp.Expr] = []
        while isinstance(tree, exp.SetOperation):
            branches.append(tree.expression)
            tree = tree.this
        together = Scope(outer)
        names: Projections = None
        for branch in (tree, *reversed(branches)):
            result = self.query(branch, outer)
            names = result.columns if branch is tree else names
            together.crossed |= result.scope.crossed
            together.unresolved |= result.scope.unresolved
        return QueryResult([(name, None) for name, _ in names] if names is not None else None, together)

    def _select(self, tree: exp.Select, outer: Scope | None, semi: bool, merges: bool) -> QueryResult:
        scope = Scope(outer)
        for source in (tree.args["from_"].this,) if tree.args.get("from_") else ():
            self._source(source, scope)
        semi_uses = outer.uses if semi and outer else []
        joined = self._joins(tree.args.get("joins") or (), scope, semi_uses)
        simple = not any(tree.args.get(part) for part in ("distinct", "group", "having", "limit", "offset"))
        merges = merges and simple and not any(item.find(exp.Window) for item in tree.expressions)
        projections = self.projections(
            tree.expressions, scope, count=not (merges or isinstance(tree.parent, exp.Exists))
        )
        where = tree.args.get("where")
        if where:
            self.conjuncts(where.this, scope, [*scope.uses, *semi_uses])
        read = (*tree.expressions, *joined, where, *(tree.args.get(part) for part in ("having", "group", "order")))
        self.order_and_group(tree, scope, projections)
        aliases = {name for name, _ in projections or ()}
        for part in read:
            if part is not None and not (merges and isinstance(unwrap(part), exp.Column)):
                self.note(part, scope, aliases if part is tree.args.get("order") else ())
        if not merges and projections is not None:
            projections = [(name, found if simple else None) for name, found in projections]
        return QueryResult(projections, scope, simple or bool(tree.args.get("distinct")))

    # Sources

    def _joins(self, joins: Iterable[exp.Expr], scope: Scope, semi_uses: list[Use]) -> list[exp.Expr]:
        """Add joined sources; return the join conditions."""
        conditions: list[exp.Expr] = []
        for join in joins:
            before = list(scope.uses)
            self._source(join.this, scope)
            added = [use for use in scope.uses if use not in before]
            side = str(join.args.get("side") or "").upper()
            nullable = {"LEFT": added, "RIGHT": before, "FULL": [*before, *added]}.get(side, [])
            for use in nullable:
                use.supplies_nulls = True
            allowed = {"LEFT": added, "RIGHT": before, "FULL": []}.get(side, [*before, *added, *semi_uses])
            if join.args.get("on"):
                conditions.append(join.args["on"])
                self.conjuncts(join.args["on"], scope, allowed)
            for name in join.args.get("using") or ():
                self.using(fold(name), scope, allowed)
        return conditions

    def _source(self, node: exp.Expr, scope: Scope) -> None:
        alias = node.args.get("alias")
        name = fold(alias.this) if isinstance(alias, exp.TableAlias) and alias.this else ""
        renamed = [fold(item) for item in alias.args.get("columns") or ()] if isinstance(alias, exp.TableAlias) else []
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            self._table(node, name, renamed, scope)
        elif isinstance(node, ChangedRows):
            before = len(self.uses)
            self.statement(node.this)
            target = next((use for use in self.uses[before:] if use.target), None)
            columns = dict.fromkeys(target.known.columns) if target and target.known else None
            scope.add(Source(name or (target.name if target else ""), columns=columns))
        elif isinstance(node, exp.Subquery) and isinstance(node.this, exp.Query):
            result = self.query(node, scope.outer, merges=True)
            scope.add(Source(name, columns=_columns(result.columns, renamed)))
        elif isinstance(node, exp.Subquery):  # parentheses around a join
            self._source(node.this, scope)
        else:
            around = Scope(scope.outer, list(scope.sources))
            queries = [part for part in columns_and_queries(node) if isinstance(part, exp.Query)]
            results = [self.query(query, around) for query in queries]
            columns = _columns(results[0].columns if len(results) == 1 else None, renamed)
            scope.add(Source(name, columns=dict.fromkeys(columns) if columns is not None else None))
        self._joins(node.args.get("joins") or (), scope, [])

    def _table(self, node: exp.Table, name: str, renamed: list[str], scope: Scope) -> None:
        table, schema = fold(node.this), fold(node.args.get("db"))
        if not schema and table in self.shared:
            scope.add(Source(name or table, columns=_columns(self.shared[table], renamed)))
            return
        found = self._find(schema, table)
        definition = found[2].definition if found[2] else None
        columns: dict[str, Reference | None] | None = None
        reason = ""
        if definition and definition.text:
            try:
                columns = self._view(definition)
            except _UnreadableViewError as error:
                reason = str(error)
            else:
                columns = _columns(list(columns.items()), renamed) if columns is not None else None
                scope.add(Source(name or table, None if name else found[0], columns=columns))
                return
        use = self._use(node, target=False)
        use.obstacle = reason or use.obstacle
        if use.known:
            columns = {column: Reference(use, column) for column in use.known.columns}
            columns = _columns(list(columns.items()), renamed)
        scope.add(Source(name or table, None if name else use.schema, use, columns))

    def _use(self, node: exp.Expr, target: bool) -> Use:
        if len(self.uses) >= MAX_TABLES:
            raise UnreadableTextError(f"The text contains more than {MAX_TABLES} table references.")
        schema, table, known, schemas = self._find(fold(node.args.get("db")), fold(node.this))
        use = Use(schema, table, fold(node.alias_or_name), known, target)
        use.obstacle = describe_obstacle(schema, known, schemas)
        use.known = None if use.obstacle else known
        self.uses.append(use)
        return use

    def _find(self, schema: str, table: str) -> tuple[str, str, Table | None, list[str]]:
        """Return the table that a name or alias is for, and the schemas that have one if the text names none."""
        schemas: list[str] = []
        schema = schema or self.default_schema
        if not schema:
            schemas = sorted(schema for schema, name in self.catalog if name == table)
            schema = schemas[0] if len(schemas) == 1 else ""
        known = self.catalog.get((schema, table))
        for _ in range(MAX_DEPTH):
            if known is None or known.definition is None or known.definition.base is None:
                break
            schema, table = known.definition.base
            known = self.catalog.get((schema, table))
        return schema, table, known, schemas

    def _view(self, definition: Definition) -> dict[str, Reference | None] | None:
        """Read the query of a view in place of its name; return its columns."""
        if self.depth == MAX_DEPTH:
            raise _UnreadableViewError(OBSTACLES["depth"])
        try:
            names, tree = read_view(definition.text or "")
        except UnreadableTextError as error:
            raise _UnreadableViewError(OBSTACLES["view"].format(reason=error)) from None
        around = self.default_schema, self.shared, self.mentioned
        self.default_schema, self.shared, self.mentioned = definition.qualifier, {}, _count_tables(tree)
        self.depth += 1
        result = self.query(tree, None, merges=True)
        self.default_schema, self.shared, self.mentioned = around
        self.depth -= 1
        return _columns(result.columns, list(names))

    def _common_tables(self, tree: exp.Expr) -> None:
        clause = tree.args.get("with_")
        if clause is None or clause.meta.get("read"):
            return
        clause.meta["read"] = True
        for shared in clause.expressions:
            name = fold(shared.args["alias"].this)
            renamed = [fold(item) for item in shared.args["alias"].args.get("columns") or ()]
            if renamed:
                self.shared[name] = [(column, None) for column in renamed]  # a recursive one reads itself
            result = self.query(shared.this, None, merges=self.mentioned[name] == 1)
            columns = _columns(result.columns, renamed)
            if columns is not None and self.mentioned[name] != 1:
                columns = dict.fromkeys(columns)
            self.shared[name] = list(columns.items()) if columns is not None else None

    # Data changes

    def _insert(self, tree: exp.Insert) -> None:
        table = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
        if isinstance(table, exp.Table):
            self._use(table, target=True)
        if isinstance(tree.expression, exp.Query):
            self.query(tree.expression, None)
        elif tree.expression:
            self.note(tree.expression, Scope(), ())

    def _change(self, tree: exp.Expr) -> None:
        scope = Scope()
        before = len(self.uses)
        self._source(tree.this, scope)
        for use in scope.uses[:1] or self.uses[before : before + 1]:
            use.target = True
        self._joins(tree.this.args.get("joins") or (), scope, [])
        if tree.args.get("from_"):
            self._source(tree.args["from_"].this, scope)
        if tree.args.get("where"):
            self.conjuncts(tree.args["where"].this, scope, scope.uses)
            self.note(tree.args["where"], scope, ())
        self._assignments(tree.expressions, scope, Scope(None, scope.sources[:1]))

    def _assignments(self, items: Iterable[exp.Expr], scope: Scope, target: Scope) -> None:
        for item in items:
            if isinstance(item, exp.EQ):
                left = item.this.expressions if isinstance(item.this, exp.Tuple) else [item.this]
                for ref in (self.ref(column, target) for column in left):
                    if ref and ref.column not in ref.use.changed:
                        ref.use.changed.append(ref.column)
                self.note(item.expression, scope, ())

    def _merge(self, tree: exp.Merge) -> None:
        scope = Scope()
        self._source(tree.this, scope)
        target = list(scope.uses)
        for use in target:
            use.target = True
        self._source(tree.args["using"], scope)
        inserts = any(when.args.get("matched") is False for when in tree.args["whens"].expressions)
        self.conjuncts(tree.args["on"], scope, target if inserts else scope.uses)
        self.note(tree.args["on"], scope, ())
        for when in tree.args["whens"].expressions:
            then = when.args.get("then")
            if isinstance(then, exp.Update):
                self._assignments(then.expressions, scope, Scope(None, scope.sources[:1]))
            elif isinstance(then, exp.Insert) and then.expression:
                self.note(then.expression, scope, ())


class _UnreadableViewError(Exception):
    """A view that cannot be read; the message is the reason."""


def _count_tables(tree: exp.Expr) -> Counter[str]:
    return Counter(fold(table.this) for table in tree.find_all(exp.Table))


def _columns(found: Projections, renamed: list[str]) -> dict[str, Reference | None] | None:
    """Return the columns of a derived table by name."""
    if renamed:
        refs = [ref for _, ref in found] if found is not None and len(found) == len(renamed) else [None] * len(renamed)
        return dict(zip(renamed, refs, strict=True))
    return {name: ref for name, ref in found if name} if found is not None else None
