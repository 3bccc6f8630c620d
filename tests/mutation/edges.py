"""``python -m tests.mutation.edges [FILE ...]``: find edges that notice mutants which no case of a rule notices yet.

A FILE is the output of ``python -m tests.mutation``. Each number of a case that fires is moved away until the rule is
silent; that point is an edge. The few edges that notice most mutants are printed, for ``edges`` of the rule's cases. An
edge records what the rule does now. Add it to the cases if its numbers agree with the header or the manual.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.sources import all_sources
from advisor.errors import UserError
from advisor.judgement.cases import EDGES, FIRES, SILENT, find_differences, make_edge_cases, set_value
from advisor.judgement.run import evaluate
from advisor.judgement.states import observe_state, settle_state, state_of
from advisor.resources import SQL
from tests.mutation.explained import explained
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.trial import parse_mutants
from tests.support.paths import cases_path
from tests.support.written import written

FACTORS = (0, 0.05, 0.2, 0.5, 0.8, 0.95, 1.05, 1.25, 2, 5, 20)
PARTS = 8  # of the remaining mutants, tried at once
MEASURES = ("INTEGER", "BIGINT", "DOUBLE")  # a SMALLINT is a flag
PAGE_SIZE = re.compile("PAGE_?SIZE")  # of which there are four
MOST = 2**31 - 1  # of an INTEGER; what is larger is moved downwards
MOST_CASES, MOST_PLACES, MOST_ROUNDS = 4, 40, 14

Case = dict[str, Any]


@dataclass
class Search:
    """A number of a case: with ``last`` the rule fires, with ``beyond`` it does not; both in steps of ``unit``."""

    case: Case
    place: str
    last: int
    beyond: int
    unit: float

    def value(self, steps: int) -> float:
        return steps if self.unit == 1 else round(steps * self.unit, 9)

    def between(self) -> list[int]:
        way = self.beyond - self.last
        return sorted({self.last + way * part // PARTS for part in range(1, PARTS)} - {self.last, self.beyond})

    @property
    def edge(self) -> dict[str, Any]:
        return {"of": self.case["name"], self.place: [self.value(self.last), self.value(self.beyond)]}


def searched(rule: Rule, cases: list[Case]) -> list[Search]:
    """The edges of some cases of a rule."""
    found = [search for case in cases for search in _begun(rule, case)]
    for _ in range(MOST_ROUNDS):
        tried = [(search, steps) for search in found for steps in search.between()]
        if not tried:
            break
        fired = _fire(rule, [set_value(search.case, search.place, search.value(steps)) for search, steps in tried])
        for search in found:
            own = [(steps, does) for (one, steps), does in zip(tried, fired, strict=True) if one is search]
            for steps, does in sorted(own, key=lambda pair: abs(pair[0] - search.last)):
                if does is not True:
                    search.beyond = steps
                    break
                search.last = steps
    return [search for search in found if abs(search.last - search.beyond) == 1]


def _begun(rule: Rule, case: Case) -> Iterator[Search]:
    """The numbers of a case that silence its rule somewhere, on either side."""
    places = list(_places(case))[:MOST_PLACES]
    tried = []
    for place, value in places:
        unit = (
            1
            if isinstance(value, int)
            else 0.01 * 10 ** (len(str(int(abs(value)))) - 1) / (1 if abs(value) >= 1 else 100)
        )
        begin = round(value / unit)
        steps = (
            {round(begin * factor) for factor in FACTORS} | {begin - 1, begin + 1} if begin else {1, 10, 1000, 10**6}
        )
        tried += [(place, begin, other, unit) for other in sorted(steps - {begin}) if other <= max(MOST, begin)]
    values = [other if unit == 1 else round(other * unit, 9) for _, _, other, unit in tried]
    fired = _fire(rule, [set_value(case, place, v) for (place, *_), v in zip(tried, values, strict=True)])
    for place, _ in places:
        own = [
            (begin, other, unit, does)
            for (at, begin, other, unit), does in zip(tried, fired, strict=True)
            if at == place
        ]
        for side in (-1, 1):
            last = own[0][0]
            for begin, other, unit, does in sorted(own, key=lambda one: abs(one[1] - one[0])):
                if (other - begin) * side > 0:
                    if does is False:
                        yield Search(case, place, last, other, unit)
                    if does is not True:
                        break
                    last = other


def _places(case: Case) -> Iterator[tuple[str, float]]:
    for name, here in case.items():
        if name in ("config", "dbm", "registry_values"):
            yield from ((f"{name}.{key}", value) for key, value in here.items() if _is_number(value))
        elif name == "seconds":
            yield name, here
        elif name in all_sources() and isinstance(here, list):
            columns = [
                c.name
                for c in all_sources()[name].columns
                if c.kind != "key" and c.type in MEASURES and not PAGE_SIZE.search(c.name)
            ]
            for column in columns:
                values = [row.get(column) for row in here]
                if len(here) > 1 and values.count(values[0]) == len(here) and _is_number(values[0]):
                    yield f"{name}.{column}", values[0]
                yield from ((f"{name}.{n}.{column}", v) for n, v in enumerate(values[:4]) if _is_number(v))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _fire(rule: Rule, cases: list[Case]) -> list[bool | None]:
    """Return for each case whether the rule fires; None if the result is unclear or the state is impossible."""
    found: list[bool | None] = []
    for case in cases:
        try:
            found.append(_does(evaluate(observe_state(settle_state(state_of(case))), [rule])))
        except (ValueError, OverflowError, KeyError, UserError):
            found.append(None)
    return found


def _does(advice: Any) -> bool | None:
    if find_differences(FIRES, {}, advice) == []:
        return True
    return False if find_differences(SILENT, {}, advice) == [] else None


def chosen(rule: Rule, searches: list[Search], mutants: list[Mutant]) -> list[Search]:
    """The few that notice all of these mutants that any of them notices."""
    others = parse_mutants(rule, mutants)
    noticed: dict[int, set[Mutant]] = {}
    for number, search in enumerate(searches):
        cases = list(make_edge_cases({FIRES: [search.case], EDGES: [search.edge]}))
        expected = [kind == FIRES for kind, _ in cases]
        noticed[number] = {
            mutant for mutant, other in others.items() if _fire(other, [case for _, case in cases]) != expected
        }
    few: list[Search] = []
    left = set().union(*noticed.values())
    while left:
        best = max(noticed, key=lambda number: len(noticed[number] & left))
        left -= noticed[best]
        few.append(searches[best])
    return few


def _together(rule: Rule, searches: list[Search]) -> list[dict[str, Any]]:
    """Edges of one case as one, where it fires with all of its last values."""
    edges: list[dict[str, Any]] = []
    for search in searches:
        for number, edge in enumerate(edges):
            both = edge | search.edge
            if edge["of"] == search.case["name"] and search.place not in edge:
                cases = list(make_edge_cases({FIRES: [search.case], EDGES: [both]}))
                if _fire(rule, [case for _, case in cases]) == [kind == FIRES for kind, _ in cases]:
                    edges[number] = both
                    break
        else:
            edges.append(search.edge)
    return edges


def _survivors(paths: list[Path]) -> Iterator[tuple[Rule, list[Mutant]]]:
    lines = {line for path in paths for line in path.read_text(encoding="utf-8").splitlines()}
    for rule in all_rules().values():
        file = rule.path.relative_to(SQL).as_posix()
        if any(line.startswith(f"{file}:") for line in lines):
            yield rule, [m for m in mutants_of(rule.path) if str(m) in lines and m.form is None and not explained(m)]


def main(arguments: list[str]) -> int:
    for rule, mutants in _survivors([Path(name) for name in arguments]):
        cases = written(cases_path(rule))[FIRES]
        searches = searched(rule, cases[:MOST_CASES])
        for edge in _together(rule, chosen(rule, searches, mutants)):
            print(f"{rule.name}: - {edge}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
