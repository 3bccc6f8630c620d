"""``python -m tests.mutation.variants [--sample N] [--seed N] [--write] FILE ...``: find edges for unnoticed mutants.

A FILE is one below sql/rules/ or sql/model/. Mutants of the file, or a sample of them, that no case notices are tried
in changed cases. A case is changed in one or two places: a number becomes larger, smaller or another number of the
rule, a value becomes unknown, or rows are removed. The few changes that notice most mutants are printed with the rule's
result, for ``edges`` of its cases; --write adds them. An edge records what the rule does now, not what it should do:
read it.
"""

import argparse
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import yaml

from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.sources import all_sources
from advisor.catalogue.views import views_read_by
from advisor.judgement.advice import Advice
from advisor.judgement.cases import FIRES, SILENT, list_compared_values, set_values
from advisor.judgement.states import observe_state, settle_state, state_of
from advisor.resources import SQL
from tests.mutation.checks import cases_of
from tests.mutation.explained import explained
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.places import Place
from tests.mutation.same import is_same
from tests.mutation.trial import Grounds, changes, changes_of_view
from tests.support.paths import cases_path
from tests.support.written import written

MOST_STATES, MOST_RULES, MOST_BASES = 360, 6, 7
FACTORS = (0, 0.1, 0.5, 0.9, 1.1, 2, 10)
MEASURES = ("INTEGER", "BIGINT", "DOUBLE")  # a SMALLINT is a flag
PAGE_SIZE = re.compile("PAGE_?SIZE")  # of which there are four
# what is compared rather than something else that differs too: what is done before the figures, those before texts
BY_WEIGHT = (
    "object",
    "lane",
    "action",
    "benefit",
    "memory_kb",
    "member",
    "confidence",
    "evidence",
    "range",
    "undo",
    "finding",
)

Case = dict[str, Any]
Expected = list[dict[str, Any]]


@dataclass
class Variant:
    """A case of a rule with other values, what the rule says there, and how each mutant is noticed by it."""

    rule: Rule
    of: Case
    values: dict[str, Any]
    says: Expected = field(default_factory=list)
    noticed: dict[Mutant, tuple[int, str, Any] | None] = field(default_factory=dict)  # None: there are more or fewer

    @property
    def case(self) -> Case:
        return set_values(self.of, self.values)

    def edge(self, mutants: set[Mutant]) -> dict[str, Any]:
        expected: Expected = [{} for _ in self.says]
        for difference in (self.noticed[mutant] for mutant in mutants):
            if difference:
                number, key, value = difference
                expected[number][key] = expected[number].get(key, {}) | value if key == "evidence" else value
        return {"of": self.of["name"], "with": self.values, "expect": expected}


def variants(rule: Rule, chance: random.Random, most: int) -> list[Variant]:
    """Some of a rule's cases, each with another value, a third of them with two."""
    path = cases_path(rule)
    cases = written(path)
    text = rule.path.read_text(encoding="utf-8")
    numbers = sorted(
        {number for number in map(float, re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", text)) if number > 1}
    )
    bases = chance.sample(cases[FIRES], min(MOST_BASES, len(cases[FIRES])))
    bases += chance.sample(cases[SILENT], min(MOST_BASES // 2, len(cases[SILENT])))
    single = [Variant(rule, case, {place: value}) for case in bases for place, value in changed(case, text, numbers)]
    chance.shuffle(single)
    double = [
        Variant(rule, one.of, one.values | two.values)
        for one, two in pairwise(single)
        if one.of is two.of and one.values.keys() != two.values.keys()
    ]
    return [*single[: most * 2 // 3], *double[: most // 3]]


def changed(case: Case, text: str, numbers: list[float]) -> Iterator[tuple[str, Any]]:
    """Places of a case with another value."""
    for name, here in case.items():
        if name in ("config", "dbm"):
            for key, value in here.items():
                if isinstance(value, int):
                    yield from ((f"{name}.{key}", other) for other in _others(value, numbers) if other is not None)
                    yield from (
                        (f"{name}.{key}", f"{form}") for form in (f"AUTOMATIC({value})", f"{value} -> {value + 1}")
                    )
        elif name in all_sources() and isinstance(here, list):
            yield name, []
            columns = {column.name: column for column in all_sources()[name].columns if column.kind != "key"}
            for number, row in enumerate(here[:4]):
                for column in sorted(row.keys() & columns.keys()):
                    measured = columns[column].type in MEASURES and not PAGE_SIZE.search(column)
                    others = _others(row[column], numbers) if measured and _is_number(row[column]) else [None]
                    yield from ((f"{name}.{number}.{column}", other) for other in others if other != row[column])
                for column in sorted(columns.keys() - row.keys()):
                    if columns[column].type in MEASURES and re.search(rf"\b{column}\b", text):
                        yield from ((f"{name}.{number}.{column}", other) for other in (None, 0, 1, 1000))


def _others(value: float, numbers: list[float]) -> list[Any]:
    near = [value * factor for factor in FACTORS] + [value - 1, value + 1]
    some = [*near, *numbers, *(number + 1 for number in numbers)]
    whole = isinstance(value, int)
    return [None, *dict.fromkeys(round(other) if whole else round(other, 6) for other in some if 0 <= other < 2**31)]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def difference(have: Advice, want: Expected) -> tuple[bool, tuple[int, str, Any] | None]:
    """Return whether a mutant's result differs, and the first difference, by weight."""
    other = list_compared_values(have)
    if have.not_run or len(other) != len(want):
        return True, None
    for key in BY_WEIGHT:
        for number, (one, two) in enumerate(zip(want, other, strict=True)):
            if one[key] != two[key] and one[key] is not None:
                if key != "evidence":
                    return True, (number, key, _short(key, one[key]))
                for name, value in one[key].items():
                    if two[key].get(name) != value:
                        return True, (number, key, {name: value})
    return False, None


def _short(key: str, value: Any) -> Any:
    return value[0] if key in ("action", "undo") and len(value) == 1 else value


def judged(found: list[Variant]) -> tuple[Place, list[Variant]]:
    """The variants that are states in which their rule can run, with what it says."""
    cases, possible = [], []
    for variant in found:
        try:
            cases.append((observe_state(settle_state(state_of(variant.case))), [variant.rule]))
            possible.append(variant)
        except (ValueError, OverflowError, LookupError, TypeError):
            continue
    place = Place(cases)
    for variant, advice in zip(possible, place.advice(), strict=True):
        variant.says = list_compared_values(advice)
        if advice.not_run:
            variant.rule = None  # type: ignore[assignment]  # no result
    return place, possible


def chosen(found: list[Variant]) -> list[tuple[Variant, set[Mutant]]]:
    """The few that notice all that any of them notices; one changed place rather than two."""
    left = {mutant for variant in found for mutant in variant.noticed}
    few = []
    while left:
        best = max(found, key=lambda variant: (len(variant.noticed.keys() & left), -len(variant.values)))
        few.append((best, best.noticed.keys() & left))
        left -= best.noticed.keys()
    return few


def searched(file: str, sample: int | None, seed: int) -> tuple[list[tuple[Variant, set[Mutant]]], int, int]:
    """The variants that notice mutants of a file that no case notices; how many were tried, and how many survived."""
    chance = random.Random(f"{seed} {file}")
    mutants = [m for m in mutants_of(SQL / file) if m.form is None and not explained(m)]
    mutants = mutants if sample is None or sample >= len(mutants) else chance.sample(mutants, sample)
    view = None if file.startswith("rules/") else Path(file).stem.upper()
    rules = _readers(view, chance) if view else [r for r in all_rules().values() if r.path == SQL / file]
    grounds = Grounds([check for rule in rules for check in cases_of(rule)], steps=1)
    verdicts = grounds.try_view(view, mutants) if view else grounds.try_rule(rules[0], mutants)
    grounds.close()
    left = [v.mutant for v in verdicts if v.valid and v.by is None and not is_same(v.mutant)]
    if not left:
        return [], len(mutants), 0
    place, found = judged([v for rule in rules for v in variants(rule, chance, MOST_STATES // len(rules))])
    for mutant, trials in changes_of_view(place, view, left) if view else changes(place, rules[0], left):
        for state, advice in trials.items():
            differs, how = difference(advice, found[state].says)
            if differs and found[state].rule:
                found[state].noticed[mutant] = how
    place.close()
    return chosen(found), len(mutants), len(left)


def _readers(view: str, chance: random.Random) -> list[Rule]:
    readers = [rule for rule in all_rules().values() if view in views_read_by([rule.statement])]
    return chance.sample(readers, min(MOST_RULES, len(readers)))


def write(rule: Rule, edges: list[dict[str, Any]]) -> None:
    """Put edges at the end of a rule's cases."""
    path = cases_path(rule)
    text = path.read_text(encoding="utf-8")
    head = "" if "\nedges:\n" in text else "edges:\n"
    path.write_text(text + head + "".join(map(as_written, edges)), encoding="utf-8")


def as_written(edge: dict[str, Any]) -> str:
    shown = yaml.safe_dump(edge, default_flow_style=True, sort_keys=False, width=108, allow_unicode=True).strip()
    return "  - " + shown.replace("\n", "\n    ") + "\n"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.variants", description=__doc__)
    parser.add_argument("--sample", type=int, metavar="N", help="N mutants of each file, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--write", action="store_true", help="put them into the cases")
    parser.add_argument("files", nargs="+", metavar="FILE")
    asked = parser.parse_args(arguments)
    for file in asked.files:
        try:
            few, tried, left = searched(file, asked.sample, asked.seed)
        except duckdb.Error as error:  # a state that there cannot be
            print(f"{file}: {str(error).splitlines()[0]}", flush=True)
            continue
        noticed = sum(len(mutants) for _, mutants in few)
        print(f"{file}: {left} of {tried} survive, {noticed} of them are noticed by {len(few)} edges", flush=True)
        by_rule: dict[str, list[dict[str, Any]]] = {}
        for variant, mutants in few:
            edge = variant.edge(mutants)
            by_rule.setdefault(variant.rule.name, []).append(edge)
            print(
                as_written(edge),
                *(f"      # {mutant}\n" for mutant in sorted(mutants, key=str)),
                sep="",
                end="",
                flush=True,
            )
        if asked.write:
            for name, edges in by_rule.items():
                write(all_rules()[name], edges)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
