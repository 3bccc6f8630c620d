"""Trying mutants of files of sql/, those of each rule against its cases first."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from multiprocessing import get_context

from advisor.catalogue.rules import all_rules
from advisor.resources import SQL
from tests.mutation.by_hand import ByHand
from tests.mutation.explained import explained
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.same import is_same
from tests.mutation.trial import Verdict, try_rule, try_view

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


def tried(mutants: Sequence[Mutant], processes: int = 1) -> Iterator[list[Verdict]]:
    """Return the results, file by file."""
    by_file: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        by_file.setdefault(mutant.file, []).append(mutant)
    if processes == 1:
        yield from map(_try_file, by_file.values())
        return
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(_try_file, by_file.values())


def _try_file(mutants: list[Mutant]) -> list[Verdict]:
    """Try the mutants of one file."""
    file = mutants[0].file
    rules = {rule.path.relative_to(SQL).as_posix(): rule for rule in all_rules().values()}
    if file in rules:
        found = try_rule(rules[file], mutants)
    else:
        name = file.rpartition("/")[2].removesuffix(".sql").upper()
        found = _by_hand().try_ranking(name, mutants) if file.startswith("rank/") else []
        noticed = {verdict.mutant: verdict for verdict in found if verdict.by}
        others = {v.mutant: v for v in try_view(name, [mutant for mutant in mutants if mutant not in noticed])}
        found = [noticed.get(mutant) or others[mutant] for mutant in mutants]
    return [verdict for verdict in found if verdict.by or not is_same(verdict.mutant)]


@cache
def _by_hand() -> ByHand:
    return ByHand()
