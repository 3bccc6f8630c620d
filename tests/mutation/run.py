"""Trying mutants of files of sql/, those of each rule against its cases first."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cache

from advisor.catalogue.rules import all_rules
from advisor.resources import SQL
from tests.mutation.by_hand import ByHand
from tests.mutation.checks import Check, collected
from tests.mutation.explained import explained
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.same import is_same
from tests.mutation.trial import Grounds, Verdict

FOLDERS = ("rules", "rank", "model")


def drawn(what: Sequence[str], sample: int | None, seed: int) -> list[Mutant]:
    """Return the mutants of the requested files, or a sample of them if a number is given, by file."""
    paths = [path for folder in FOLDERS for path in sorted((SQL / folder).rglob("*.sql"))]
    asked = [path for path in paths if path.relative_to(SQL).as_posix().startswith(tuple(what))]
    found = [mutant for path in asked for mutant in mutants_of(path) if mutant.form is None]
    if sample is not None and sample < len(found):
        chosen = sorted(random.Random(seed).sample(range(len(found)), sample))
        found = [found[number] for number in chosen]
    return [mutant for mutant in found if not explained(mutant)]


def tried(mutants: Sequence[Mutant]) -> Iterator[list[Verdict]]:
    """Return the results, file by file."""
    by_file: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        by_file.setdefault(mutant.file, []).append(mutant)
    rules = {rule.path.relative_to(SQL).as_posix(): rule for rule in all_rules().values()}
    for file, some in by_file.items():
        found = _of_rule(rules[file].name, some) if file in rules else _of_view(file, some)
        yield [verdict for verdict in found if verdict.by or not is_same(verdict.mutant)]


def _of_view(file: str, mutants: list[Mutant]) -> list[Verdict]:
    name = file.rpartition("/")[2].removesuffix(".sql").upper()
    ranks = file.startswith("rank/")
    verdicts = {mutant: Verdict(mutant, None) for mutant in mutants}
    asked: list[Callable[[], ByHand | Grounds]] = [_by_hand, _world, _cases] if ranks else [_world, _cases]
    for grounds in asked:
        left = [mutant for mutant, verdict in verdicts.items() if verdict.valid and verdict.by is None]
        if left:
            found = grounds().try_ranking(name, left) if ranks else grounds().try_view(name, left)
            verdicts |= dict(zip(left, found, strict=True))
    return list(verdicts.values())


def _of_rule(name: str, mutants: list[Mutant]) -> list[Verdict]:
    rule = all_rules()[name]
    with closing(Grounds([check for check in _checks() if check.rule == name])) as cases:
        verdicts = cases.try_rule(rule, mutants)
    left = [verdict.mutant for verdict in verdicts if verdict.valid and verdict.by is None]
    elsewhere = {verdict.mutant: verdict for verdict in _world().try_rule(rule, left)} if left else {}
    return [elsewhere.get(verdict.mutant, verdict) for verdict in verdicts]


@cache
def _checks() -> list[Check]:
    return collected()


@cache
def _by_hand() -> ByHand:
    return ByHand()


@cache
def _world() -> Grounds:
    """Machines and databases that all rules judge."""
    return Grounds([check for check in _checks() if check.rule is None])


@cache
def _cases() -> Grounds:
    """The cases of all rules, without what is carried out."""
    return Grounds([check for check in _checks() if check.rule is not None], steps=1)
