"""Trials of many mutants on all processors, those of a rule with the rule's own cases first."""

import multiprocessing
import os
import random
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from itertools import compress, islice

from advisor.catalogue.rules import all_rules
from advisor.catalogue.views import model_files, views_read_by
from advisor.resources import SQL
from tools.trials.mutation.by_hand import try_ranking
from tools.trials.mutation.checks import Check, list_cases, list_shared
from tools.trials.mutation.explained import explain
from tools.trials.mutation.mutants import Mutant, mutants_of
from tools.trials.mutation.parsing import is_valid
from tools.trials.mutation.same import is_same
from tools.trials.mutation.trial import list_noticed

FOLDERS = ("rules", "rank", "model")
AT_ONCE = 200  # mutants of one trial, so that the processors share the work

Result = dict[Mutant, str]  # the noticed mutants, each with a test


@dataclass(frozen=True)
class Verdict:
    """The result of a mutant; ``by`` is a test that fails, or None."""

    mutant: Mutant
    by: str | None
    valid: bool = True


@dataclass(frozen=True)
class Trial:
    """Tests that are run one after the other, in one process, and the files whose mutants may change their results."""

    run: Callable[[list[Mutant]], Result]
    files: Container[str]


def list_files(folder: str) -> list[str]:
    return [path.relative_to(SQL).as_posix() for path in sorted((SQL / folder).rglob("*.sql"))]


def draw_mutants(what: Sequence[str], sample: int | None, seed: int) -> list[Mutant]:
    """Return the mutants of files whose paths have these beginnings, or a sample of them."""
    files = [file for folder in FOLDERS for file in list_files(folder) if file.startswith(tuple(what))]
    found = [mutant for file in files for mutant in mutants_of(SQL / file) if mutant.form is None]
    if sample is not None and sample < len(found):
        found = [found[number] for number in sorted(random.Random(seed).sample(range(len(found)), sample))]
    return [mutant for mutant in found if not explain(mutant)]


def try_mutants(mutants: Sequence[Mutant]) -> list[Verdict]:
    """Return the results of mutants, without those that return the same rows as the original on any data."""
    context = multiprocessing.get_context("fork")
    list_shared()  # before the fork, for all processes
    with ProcessPoolExecutor(os.cpu_count(), context) as pool:
        valid = dict.fromkeys(compress(mutants, pool.map(is_valid, mutants, chunksize=8)))
        noticed: dict[Mutant, str] = {}
        for trials in (_list_own(), _list_readers(), _list_shared()):
            _run_trials(pool, trials, valid, noticed)
    found = [Verdict(mutant, noticed.get(mutant), mutant in valid) for mutant in mutants]
    return [verdict for verdict in found if verdict.by or not is_same(verdict.mutant)]


def _run_trials(
    pool: ProcessPoolExecutor, trials: Iterable[Trial], mutants: Iterable[Mutant], noticed: dict[Mutant, str]
) -> None:
    """Add the mutants that trials notice. A trial gets only those that no earlier one has noticed."""
    running: set[Future[Result]] = set()

    def wait_for(most: int) -> None:
        nonlocal running
        while len(running) > most:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                noticed.update(future.result())

    for trial in trials:
        concerned = (m for m in mutants if m.file in trial.files and m not in noticed)
        while some := list(islice(concerned, AT_ONCE)):
            running.add(pool.submit(trial.run, some))
            wait_for(os.cpu_count() or 1)
    wait_for(0)


def _list_own() -> Iterator[Trial]:
    """Yield the cases of each rule for its own mutants, and the tests of the ranking for those of sql/rank/."""
    yield Trial(try_ranking, list_files("rank"))
    for name, rule in all_rules().items():
        yield Trial(partial(_try_own, name), {rule.path.relative_to(SQL).as_posix()})


def _list_shared() -> Iterator[Trial]:
    """Yield the machines and stepwise tests, which many rules judge, for all mutants."""
    files = {file for folder in FOLDERS for file in list_files(folder)}
    for number in range(len(list_shared())):
        yield Trial(partial(_try_shared, number), files)


def _list_readers() -> Iterator[Trial]:
    """Yield the cases of each rule for mutants of the views that it reads, and its first case for the ranking."""
    files = model_files()
    for name, rule in all_rules().items():
        read = {files[view].relative_to(SQL).as_posix() for view in views_read_by([rule.statement]) if view in files}
        yield Trial(partial(_try_readers, name, None), read)
        yield Trial(partial(_try_readers, name, 1), list_files("rank"))


def _try_own(rule: str, mutants: list[Mutant]) -> Result:
    return _try_checks(list_cases(all_rules()[rule]), mutants)


def _try_readers(rule: str, most: int | None, mutants: list[Mutant]) -> Result:
    return _try_checks(list_cases(all_rules()[rule])[:most], mutants, first_state=True)


def _try_shared(number: int, mutants: list[Mutant]) -> Result:
    return _try_checks([list_shared()[number]], mutants)


def _try_checks(checks: Iterable[Check], mutants: list[Mutant], first_state: bool = False) -> Result:
    """Return the mutants with which a check fails, each with the first one."""
    noticed: Result = {}
    for check in checks:
        left = [mutant for mutant in mutants if mutant not in noticed]
        noticed |= dict.fromkeys(list_noticed(check, left, first_state) if left else (), check.name)
    return noticed
