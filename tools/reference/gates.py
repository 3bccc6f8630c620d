"""The page docs/gates.md: each comparison of a rule with a threshold, and the kind of figure that it tests."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import sqlglot
from sqlglot import exp

from advisor.catalogue.options import all_options
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.views import model_views
from advisor.report.text import number
from tools.reference.markdown import environment

FIGURES = Path(__file__).with_name("gate_figures.csv")
KINDS = {
    "time": "share of database time, or time, of the database or of one object",
    "worst": "value of the worst or largest: member, host, statement, index, latch, log",
    "each": "mean per event of one object, such as milliseconds per read of a table space",
    "part": "share of pages or events, of one object or of one object among all",
    "events": "number or rate of events",
    "busy": "use of a host's processors or of a device, average number of active sessions",
    "age": "time since an event, or length of the interval",
    "size": "pages, bytes, number of objects",
    "setting": "configured value",
    "mean": "mean over everything",
}
NO_KIND = "no kind"
SHARED = {"O_SITE": "site.", "CONSTANT": "constant."}  # the views of thresholds that rules share
LIMITS = {  # columns of the model that contain thresholds of the site only
    "NORMAL_MS": ("site.read_ms_disk", "site.read_ms_flash", "site.read_ms_unknown"),
    "NORMAL_PER_HOUR": ("site.escalations_oltp", "site.escalations_bi"),
    "NORMAL_SPILL_PCT": ("site.spill_oltp_pct", "site.spill_bi_pct"),
}
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
OPERATORS: dict[type[exp.Expr], str] = {exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}


@dataclass(frozen=True)
class Kind:
    """A row of gate_figures.csv: the kind of the figures that match; ``reason`` permits a mean over everything."""

    rule: str
    figure: str
    kind: str
    reason: str

    def matches(self, gate: "Gate") -> bool:
        """Return whether rule and figure match; an asterisk does not stand for a slash."""
        alike = (" / " in gate.figure) == (" / " in self.figure)
        return alike and fnmatchcase(gate.rule, self.rule or "*") and fnmatchcase(gate.figure, self.figure)


@dataclass(frozen=True)
class Gate:
    """A comparison of a figure with a threshold.

    ``figure`` has the columns compared, and after a slash those that the threshold is multiplied with.
    """

    rule: str
    figure: str
    operator: str
    thresholds: tuple[str, ...]

    @property
    def kind(self) -> Kind | None:
        """The first row of gate_figures.csv that matches."""
        return next((row for row in kinds() if row.matches(self)), None)

    @property
    def text(self) -> str:
        return f"{self.figure} {self.operator} {', '.join(self.thresholds)}"

    @property
    def defaults(self) -> str:
        """The default of each threshold, in their order."""
        own = {threshold.name: threshold.value for threshold in all_rules()[self.rule].thresholds}
        return ", ".join(number({**_shared(), **own}[name]) for name in self.thresholds)


@cache
def kinds() -> tuple[Kind, ...]:
    """Return a row for each figure of gate_figures.csv, in its order."""
    with FIGURES.open(encoding="utf-8", newline="") as file:
        return tuple(
            Kind(row["RULE"], figure.strip(), row["KIND"], row["REASON"])
            for row in csv.DictReader(file)
            for figure in row["FIGURES"].split(";")
        )


def find_faults(gates: Iterable[Gate]) -> list[str]:
    """Return the gates whose figure has no kind, or is a mean that gate_figures.csv does not permit to the rule."""
    found = [(gate, _fault(gate.kind)) for gate in gates]
    return [f"{gate.rule}: {gate.text}: {fault}{_row(gate, fault)}" for gate, fault in found if fault]


def _row(gate: Gate, fault: str) -> str:
    """Return the row that a figure without a kind needs, and the file for it."""
    if fault != NO_KIND:
        return ""
    return f"; add the row {gate.rule},{gate.figure},<kind>, to tools/reference/gate_figures.csv ({', '.join(KINDS)})"


def _fault(row: Kind | None) -> str | None:
    if row is None:
        return NO_KIND
    if row.kind not in KINDS:
        return f"unknown kind {row.kind}"
    permitted = row.kind != "mean" or (row.rule and row.reason and "*" not in row.rule)
    return None if permitted else "mean over everything without a rule and a reason"


def page() -> str:
    """Return the page of all gates by area and rule. Raise SystemExit for gates with faults."""
    areas: dict[str, list[tuple[Rule, list[Gate]]]] = {}
    for rule in all_rules().values():
        if found := gates_of(rule):
            areas.setdefault(rule.area, []).append((rule, found))
            if faults := find_faults(found):
                raise SystemExit("\n".join(faults))
    return environment().get_template("gates.md.j2").render(areas=areas, kinds=KINDS)


def gates_of(rule: Rule) -> list[Gate]:
    """Return the gates of a rule, each once, in the order of its SELECT."""
    tree = sqlglot.parse_one(rule.select, read="duckdb")
    names = _Names(tree, rule)
    found = [gate for part in tree.find_all(*OPERATORS, exp.Between, bfs=False) for gate in _gates(part, names)]
    return list(dict.fromkeys(found))


class _Names:
    """The thresholds among the columns of a SELECT."""

    def __init__(self, tree: exp.Expr, rule: Rule) -> None:
        self.rule = rule.name
        self._prefixes = SHARED | {rule.option_view.removeprefix("TUNE."): ""}
        self._views = {
            (id(table.find_ancestor(exp.Select)), table.alias_or_name): table.name
            for table in tree.find_all(exp.Table)
            if table.db
        }
        self._carried: dict[str, tuple[str, ...]] = {}
        for select in tree.find_all(exp.Select):
            for item in select.selects:
                if thresholds := self._passed_on(item.unalias()):
                    self._carried[item.alias_or_name] = thresholds

    def thresholds(self, column: exp.Column) -> tuple[str, ...]:
        """Return the thresholds in a column of an option view, or in one that another SELECT passes on."""
        view = self._views.get((id(column.find_ancestor(exp.Select)), column.table))
        if view in self._prefixes:
            return (self._prefixes[view] + column.name.lower(),)
        return (() if view else self._carried.get(column.name, ())) or LIMITS.get(column.name, ())

    def _passed_on(self, item: exp.Expr) -> tuple[str, ...]:
        """Return the thresholds of a projection; empty if it contains a figure, except in another branch of a CASE."""
        found = [self.thresholds(column) for column in _values(item)]
        if isinstance(item, exp.Case):
            branches = [*(when.args["true"] for when in item.args["ifs"]), item.args.get("default")]
            found = [self.thresholds(part) for part in branches if isinstance(part, exp.Column)]
            found = [names for names in found if names]
        return tuple(dict.fromkeys(name for names in found for name in names)) if all(found) else ()


def _values(side: exp.Expr) -> list[exp.Column]:
    """Return the columns of an expression except those in the conditions of its CASEs."""
    tests = [when.this for when in side.find_all(exp.If)] + [case.this for case in side.find_all(exp.Case) if case.this]
    conditions = {id(column) for test in tests for column in test.find_all(exp.Column)}
    return [column for column in side.find_all(exp.Column, bfs=False) if id(column) not in conditions]


def _gates(part: exp.Expr, names: _Names) -> Iterator[Gate]:
    """Yield the gate of a comparison, for BETWEEN one of each bound."""
    if isinstance(part, exp.Between):
        pairs = [(part.this, ">=", part.args["low"]), (part.this, "<=", part.args["high"])]
    else:
        pairs = [(part.this, OPERATORS[type(part)], part.expression)]
    for left, operator, right in pairs:
        flip = not _thresholds(right, names)
        side, other = (left, right) if flip else (right, left)
        above, below = _split(side, names)
        figures, per = _split(other, names)
        if _thresholds(side, names) and (figures or above):
            parts = [" ".join(dict.fromkeys(part)) for part in (figures + below, per + above)]
            figure = " / ".join(part for part in parts if part)
            yield Gate(names.rule, figure, FLIPPED[operator] if flip else operator, _thresholds(side, names))


def _thresholds(side: exp.Expr, names: _Names) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for column in _values(side) for name in names.thresholds(column)))


def _split(side: exp.Expr, names: _Names) -> tuple[list[str], list[str]]:
    """Return the figures of one side of a comparison, and those that it is divided by."""
    divisors = {id(column) for part in side.find_all(exp.Div) for column in part.expression.find_all(exp.Column)}
    columns = [column for column in _values(side) if not names.thresholds(column)]
    above = [_figure(column) for column in columns if id(column) not in divisors]
    return above, [_figure(column) for column in columns if id(column) in divisors]


def _figure(column: exp.Column) -> str:
    """Return the name of a figure; for NUM of a setting or host fact, the setting or fact."""
    part: exp.Expr | None = column if column.name == "NUM" else None
    while part := part.parent if part else None:
        for equal in part.find_all(exp.EQ):
            if equal.this.name in ("NAME", "ITEM") and equal.this.table == column.table:
                return str(equal.expression.name)
    return column.name


@cache
def _shared() -> dict[str, float]:
    """Return the default of each shared threshold by its name in a gate."""
    constants = sqlglot.parse_one(model_views()["CONSTANT"], read="duckdb").find_all(exp.Alias)
    found = {f"constant.{item.alias.lower()}": float(item.this.name) for item in constants}
    return found | {option.shown: option.number for option in all_options([]).values() if option.kind == "number"}
