"""``python -m tests.mutation.edges [FILE ...]``: find edges that notice mutants which no case of a rule notices yet.

A FILE is the output of ``python -m tests.mutation``. Each number of a case that fires is moved away until the rule is
silent; that point is an edge. The few edges that notice most mutants are printed, for ``edges`` of the rule's cases. An
edge records what the rule does now. Add it to the cases if its numbers agree with the header or the manual.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.sources import all_sources
from advisor.judgement.cases import EDGES, FIRES, SILENT, find_differences, make_edge_cases, set_value
from advisor.judgement.states import observe_state, settle_state, state_of
from advisor.resources import SQL
from tests.mutation.checks import Check
from tests.mutation.explained import explained
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.trial import Grounds, changes
from tests.support.advised import judge
from tests.support.carrying_out import is_at_edge
from tests.support.paths import cases_path
from tests.support.written import written

if TYPE_CHECKING:
    from advisor.judgement.observed import Observed

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
    states: list[Observed | None] = []
    for case in cases:
        try:
            states.append(observe_state(settle_state(state_of(case))))
        except (ValueError, OverflowError, KeyError):
            states.append(None)
    advice = iter(judge([(state, [rule]) for state in states if state is not None]))
    return [_does(next(advice)) if state is not None else None for state in states]


def _does(advice: Any) -> bool | None:
    if find_differences(FIRES, {}, advice) == []:
        return True
    return False if find_differences(SILENT, {}, advice) == [] else None


def chosen(rule: Rule, searches: list[Search], mutants: list[Mutant]) -> list[Search]:
    """The few that notice all of these mutants that any of them notices."""
    checks, owner = [], []
    for search in searches:
        for kind, case in make_edge_cases({FIRES: [search.case], EDGES: [search.edge]}):
            checks.append(Check(case["name"], partial(is_at_edge, rule, kind, case), rule.name))
            owner.append(search)
    noticed: dict[int, set[Mutant]] = {}
    numbers = {id(check.make): number for number, check in enumerate(checks)}
    grounds = Grounds(checks, steps=1)
    for place, some, step in grounds.places:
        for mutant, trials in changes(place, rule, mutants):
            for state in (state for state, advice in trials.items() if some[state].fails({step: advice})):
                noticed.setdefault(id(owner[numbers[id(some[state].make)]]), set()).add(mutant)
    grounds.close()
    few: list[Search] = []
    left = set().union(*noticed.values()) if noticed else set()
    while left:
        best = max(searches, key=lambda search: len(noticed.get(id(search), set()) & left))
        left -= noticed[id(best)]
        few.append(best)
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
