"""The plan of one statement, whatever printed it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

Name = tuple[str, str]  # schema ("" if the text has none) and name

JOINS = frozenset({"NLJOIN", "HSJOIN", "MSJOIN", "ZZJOIN"})
OPERATORS = (  # a pattern
    "RETURN|TBSCAN|IXSCAN|FETCH|RIDSCN|SORT|GRPBY|NLJOIN|HSJOIN|MSJOIN|ZZJOIN|IXAND|IXOR|FILTER|TEMP|UNION|UNIQUE"
    "|[BDLMC]{0,2}TQ|INSERT|UPDATE|DELETE|EISCAN|GENROW|SHIP|RPD|CMPEXP|PIPE|STREAM|XSCAN|XISCAN|XANDOR|REBAL"
)


@dataclass
class Object:
    """A table, index or table function at the end of a branch, with its rows (of the table, for an index too)."""

    kind: str  # TABLE, INDEX, TABFNC, TEMP and others, as printed
    name: Name
    rows: float | None = None


@dataclass
class Operator:
    """An operator of a plan. ``rows`` are estimated, ``actual`` counted; ``cost`` is cumulative, in timerons.

    ``predicates`` have the kind (START, STOP, SARG, JOIN, RESID), the filter factor and the text. ``matched`` is the
    number of key columns that limit an index scan.
    """

    number: int
    type: str
    rows: float | None = None
    actual: float | None = None
    cost: float | None = None
    io: float | None = None
    inputs: list[int] = field(default_factory=list)
    object: Object | None = None
    table: Name | None = None
    predicates: list[tuple[str, float | None, str]] = field(default_factory=list)
    matched: int | None = None
    spilled_pages: float | None = None
    details: dict[str, str] = field(default_factory=dict)

    @property
    def counted(self) -> float | None:
        """Return the rows that were counted, otherwise those estimated."""
        return self.rows if self.actual is None else self.actual


@dataclass
class Plan:
    """The operators of a plan by number, with its total cost and the facts that were printed with it."""

    operators: dict[int, Operator] = field(default_factory=dict)
    cost: float | None = None
    facts: dict[str, str] = field(default_factory=dict)
    without_statistics: list[Name] = field(default_factory=list)
    is_graph: bool = False

    def __post_init__(self) -> None:
        self._above: dict[int, int] = {}

    def below(self, number: int) -> Iterator[Operator]:
        """Yield an operator and all below it."""
        waiting, seen = [number], set()
        while waiting:
            at = waiting.pop()
            if at in self.operators and at not in seen:
                seen.add(at)
                yield self.operators[at]
                waiting += self.operators[at].inputs

    def above(self, number: int) -> Operator | None:
        """Return the operator that an operator feeds."""
        if not self._above:
            self._above = {below: each.number for each in self.operators.values() for below in each.inputs}
        return self.operators.get(self._above.get(number, -1))

    def inner(self, join: Operator) -> Operator | None:
        """Return the operator of the inner side of a join: the last of its inputs."""
        return self.operators.get(join.inputs[-1]) if len(join.inputs) > 1 else None

    def looped(self) -> set[int]:
        """Return the operators below the inner side of a nested-loop join, which run once per outer row."""
        joins = (each for each in self.operators.values() if each.type == "NLJOIN" and len(each.inputs) > 1)
        return {below.number for join in joins for below in self.below(join.inputs[-1])}

    def own_cost(self, operator: Operator) -> float | None:
        """Return the cost of an operator without that of its inputs."""
        costs = [self.operators[number].cost or 0.0 for number in operator.inputs if number in self.operators]
        return None if operator.cost is None else max(0.0, operator.cost - sum(costs))

    def tables(self) -> dict[Name, list[Operator]]:
        """Return the operators that read each table, directly or by one of its indexes."""
        found: dict[Name, list[Operator]] = {}
        for each in self.operators.values():
            if each.table:
                found.setdefault(each.table, []).append(each)
        return found
