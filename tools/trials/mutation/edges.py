"""``python -m tools.trials.mutation.edges FILE ...``: find edges that notice mutants which no case of a rule notices yet.

A FILE is the output of ``python -m tools.trials.mutation``. Each number of a case that fires is moved away until the rule is
silent; that point is an edge. The few edges that notice most mutants are printed, for ``edges`` of the rule's cases. An
edge records what the rule does now. Add it to the cases if its numbers agree with the header or the manual.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.sources import all_sources
from advisor.judgement.cases import EDGES, FIRES, SILENT, find_differences, make_edge_cases, set_value
from advisor.judgement.run import evaluate
from advisor.judgement.states import observe_state, settle_state, state_of
from tests.support.carrying_out import is_at_edge
from tests.support.data_files import written
from tests.support.paths import cases_path
from tools.trials.mutation.checks import Check
from tools.trials.mutation.explained import explain
from tools.trials.mutation.mutants import Mutant, mutants_of
from tools.trials.mutation.trial import list_noticed

FACTORS = (0, 0.05, 0.2, 0.5, 0.8, 0.95, 1.05, 1.25, 2, 5, 20)
MEASURES = ("INTEGER", "BIGINT", "DOUBLE")  # a SMALLINT is a flag
PAGE_SIZE = re.compile("PAGE_?SIZE")  # of which there are four
MOST = 2**31 - 1  # of an INTEGER; larger numbers are only made smaller
MOST_CASES, MOST_PLACES = 4, 40

Case = dict[str, Any]


@dataclass(frozen=True)
class Number:
    """A number of a case, in steps of ``unit``."""

    case: Case
    place: str
    unit: float
    begin: int

    def value(self, steps: int) -> float:
        return steps if self.unit == 1 else round(steps * self.unit, 9)

    def fires(self, rule: Rule, steps: int) -> bool | None:
        """Return whether the rule fires with this value; None if the result is unclear or the state is impossible."""
        try:
            state = observe_state(settle_state(state_of(set_value(self.case, self.place, self.value(steps)))))
        except (ValueError, OverflowError, KeyError):
            return None
        advice = evaluate(state, [rule])
        if not find_differences(FIRES, {}, advice):
            return True
        return None if find_differences(SILENT, {}, advice) else False

    def find_edge(self, rule: Rule, others: list[int]) -> dict[str, Any] | None:
        """Return the edge before the first of some values, each farther away, with which the rule is silent."""
        last, beyond = self.begin, None
        for steps in others:
            fires = self.fires(rule, steps)
            if fires:
                last = steps
            else:
                beyond = steps if fires is False else None
                break
        while beyond is not None and abs(beyond - last) > 1:
            middle = (last + beyond) // 2
            if self.fires(rule, middle):
                last = middle
            else:
                beyond = middle
        if beyond is None:
            return None
        return {"of": self.case["name"], self.place: [self.value(last), self.value(beyond)]}


def find_edges(rule: Rule, case: Case) -> Iterator[dict[str, Any]]:
    """Yield the edges of a case, on both sides of its numbers."""
    for place, value in list(_list_places(case))[:MOST_PLACES]:
        digits = len(str(int(abs(value))))
        unit = 1 if isinstance(value, int) else 0.01 * 10 ** (digits - 1) / (1 if abs(value) >= 1 else 100)
        number = Number(case, place, unit, round(value / unit))
        begin = number.begin
        near = {*(round(begin * factor) for factor in FACTORS), begin - 1, begin + 1} if begin else {1, 10, 1000, 10**6}
        above = sorted(steps for steps in near if begin < steps <= MOST)
        below = sorted((steps for steps in near if steps < begin), reverse=True)
        yield from filter(None, (number.find_edge(rule, others) for others in (below, above)))


def _list_places(case: Case) -> Iterator[tuple[str, float]]:
    """Yield the places of a case's numbers, each with its number."""
    for name, here in case.items():
        if name in ("config", "dbm", "registry_values"):
            yield from ((f"{name}.{key}", value) for key, value in here.items() if _is_number(value))
        elif name == "seconds":
            yield name, here
        elif name in all_sources() and isinstance(here, list):
            for column in all_sources()[name].columns:
                if column.kind != "key" and column.type in MEASURES and not PAGE_SIZE.search(column.name):
                    values = [row.get(column.name) for row in here]
                    if len({*values}) == 1 < len(values) and _is_number(values[0]):
                        yield f"{name}.{column.name}", values[0]
                    yield from ((f"{name}.{n}.{column.name}", v) for n, v in enumerate(values[:4]) if _is_number(v))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def choose_edges(rule: Rule, cases: list[Case], mutants: list[Mutant]) -> Iterator[dict[str, Any]]:
    """Yield the few edges of cases that notice all mutants that any of their edges notices."""
    found = []
    for case in cases:
        for edge in find_edges(rule, case):
            noticed = set[Mutant]()
            for kind, at in make_edge_cases({FIRES: [case], EDGES: [edge]}):
                check = Check(at["name"], partial(is_at_edge, rule, kind, at))
                noticed.update(list_noticed(check, mutants))
            found.append((edge, noticed))
    while found:
        edge, noticed = max(found, key=lambda pair: len(pair[1]))
        if not noticed:
            break
        yield edge
        found = [(other, left - noticed) for other, left in found]


def main(arguments: list[str]) -> int:
    lines = {line for name in arguments for line in Path(name).read_text(encoding="utf-8").splitlines()}
    for rule in all_rules().values():
        mutants = [m for m in mutants_of(rule.path) if str(m) in lines and m.form is None and not explain(m)]
        if mutants:
            for edge in choose_edges(rule, written(cases_path(rule))[FIRES][:MOST_CASES], mutants):
                print(f"{rule.name}: - {edge}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
