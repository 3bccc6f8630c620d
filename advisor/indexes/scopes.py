"""Names in a statement: which table reference a column belongs to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from advisor.indexes.catalog import Key, Table


@dataclass(frozen=True)
class Equal:
    """A column compared with constants: one value, a list of ``values`` values, or NULL.

    ``value`` is the one constant as text; None if it is a marker or an expression.
    """

    column: str
    values: int = 1
    is_null: bool = False
    value: str | None = None


@dataclass(frozen=True)
class Join:
    """A column equal to a column of another table reference.

    ``schema``, ``table`` and ``other_column`` are None if the other side is an expression or a derived table.
    """

    column: str
    schema: str | None = None
    table: str | None = None
    other_column: str | None = None


@dataclass(frozen=True)
class Bound:
    """One side of a range, or the prefix of a LIKE pattern.

    ``kind`` is low, high or prefix. ``value`` is the constant as text; None if it is a marker or an expression.
    """

    column: str
    kind: str
    value: str | None = None


@dataclass(eq=False)
class Use:
    """What one table reference requires, collected while a statement is read."""

    schema: str
    table: str
    name: str
    known: Table | None
    target: bool = False
    equal: list[Equal] = field(default_factory=list)
    ranges: list[str] = field(default_factory=list)
    likes: list[str] = field(default_factory=list)
    bounds: list[Bound] = field(default_factory=list)
    joins: list[Join] = field(default_factory=list)
    order: list[Key] = field(default_factory=list)
    group: list[str] = field(default_factory=list)
    distinct: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    needed: set[str] = field(default_factory=set)
    needs_unknown: bool = False
    supplies_nulls: bool = False
    more_predicates: bool = False
    obstacle: str = ""

    @property
    def compared(self) -> set[str]:
        """Return the columns that an index could find rows by."""
        equal, joined = (item.column for item in self.equal), (join.column for join in self.joins)
        return {*equal, *joined, *self.ranges, *self.likes}

    def need_all(self) -> None:
        """Note that the statement reads every column."""
        if self.known:
            self.needed.update(self.known.columns)
        else:
            self.needs_unknown = True


@dataclass(frozen=True)
class Reference:
    """A column of a table reference."""

    use: Use
    column: str


Columns = Mapping[str, Reference | None]


@dataclass(eq=False)
class Source:
    """A table or derived table of a FROM clause; ``columns`` is None if its columns are unknown."""

    name: str
    schema: str | None = None
    use: Use | None = None
    columns: Columns | None = None

    def find(self, column: str) -> tuple[bool, Reference | None]:
        """Return whether a qualified column exists, and what it refers to."""
        if self.columns is not None:
            return column in self.columns, self.columns.get(column)
        return self.use is not None, Reference(self.use, column) if self.use else None


@dataclass(eq=False)
class Scope:
    """The sources of one SELECT, and the query around it. ``crossed`` are the outer references that it uses."""

    outer: "Scope | None" = None
    sources: list[Source] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    crossed: set[Use] = field(default_factory=set)
    unresolved: bool = False

    def add(self, source: Source) -> None:
        """Add a source, with the table references behind its columns."""
        self.sources.append(source)
        behind = [source.use] if source.use else []
        behind += [found.use for found in (source.columns or {}).values() if found]
        self.uses.extend(use for use in dict.fromkeys(behind) if use not in self.uses)

    def resolve(self, column: exp.Column) -> tuple[bool, Reference | None]:
        """Return whether a column is found without doubt, and its table reference, if any."""
        name = fold(column.this)
        table, schema = fold(column.args.get("table")), fold(column.args.get("db"))
        scope: Scope | None = self
        passed: list[Scope] = []
        while scope:
            matches = [
                source
                for source in scope.sources
                if (source.name == table and (not schema or source.schema == schema)) or not table
            ]
            if table and matches:
                return self._crossing(passed, matches[0].find(name) if len(matches) == 1 else (False, None))
            if not table:
                found = scope._unqualified(name)
                if found is not None:
                    return self._crossing(passed, found)
            passed.append(scope)
            scope = scope.outer
        self.unresolved = True
        return False, None

    def _unqualified(self, name: str) -> tuple[bool, Reference | None] | None:
        """Return the only source of a name; None if no source has it, and (False, None) if this is in doubt."""
        owners = [source for source in self.sources if source.columns is not None and name in source.columns]
        unknown = [source for source in self.sources if source.columns is None]
        if len(owners) == 1 and not unknown:
            return owners[0].find(name)
        if not owners and len(self.sources) == 1 and unknown and self.outer is None:
            return unknown[0].find(name)
        return (False, None) if owners or unknown else None

    def _crossing(self, passed: "list[Scope]", found: tuple[bool, Reference | None]) -> tuple[bool, Reference | None]:
        for scope in passed:
            if found[1]:
                scope.crossed.add(found[1].use)
            else:
                scope.unresolved = True  # an outer derived column: the subquery is correlated
        if not found[0]:
            self.unresolved = True
        return found


def fold(name: exp.Expr | str | None) -> str:
    """Return a name as the catalog stores it: capitals unless it is delimited."""
    if isinstance(name, exp.Identifier):
        text = str(name.this)
        return (text if name.args.get("quoted") else text.upper()).rstrip()
    return str(name or "").upper()


def unwrap(node: exp.Expr | None) -> exp.Expr | None:
    """Return an expression without parentheses around it."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def columns_and_queries(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the columns, the outermost queries and the names that are neither in an expression."""
    waiting: list[exp.Expr] = [node]
    while waiting:
        this = waiting.pop()
        if isinstance(this, (exp.Column, exp.Query)):
            if not isinstance(this.this, exp.Star):
                yield this
        elif isinstance(this, exp.Identifier):
            if not isinstance(this.parent, (exp.Alias, exp.TableAlias)):
                yield this
        elif isinstance(this, exp.Dot) and isinstance(this.expression, exp.Func):
            waiting.append(this.expression)  # a function with its schema
        else:
            waiting.extend(this.iter_expressions())
