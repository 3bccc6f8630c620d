"""Mutants as rules and views, and the limit of their time."""

import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from types import FrameType
from typing import NoReturn

import duckdb

from advisor.catalogue.rules import Rule, all_rules, parse
from advisor.resources import SQL
from tests.support.typed_engine import typed_tables
from tools.trials.mutation.mutants import Mutant

LONGEST_S = 10.0  # of processor time for a trial: a mutant may join all rows with all rows


@cache
def _rules_by_file() -> dict[str, Rule]:
    return {rule.path.relative_to(SQL).as_posix(): rule for rule in all_rules().values()}


def find_rule(file: str) -> Rule | None:
    """Return the rule of a file below sql/."""
    return _rules_by_file().get(file)


def is_valid(mutant: Mutant) -> bool:
    """Return whether a mutant is a rule file, or a SELECT, whose types agree."""
    if find_rule(mutant.file):
        rule = parse_mutant(mutant)
        sql = rule.statement if rule else ""
    else:
        sql = mutant.mutated
    try:
        return bool(sql and typed_tables().execute(f"PREPARE MUTANT AS {sql}"))
    except duckdb.Error:
        return False


@lru_cache(maxsize=300)
def parse_mutant(mutant: Mutant) -> Rule | None:
    """Return the rule that a mutant is, or None if its header is not valid."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(mutant.file).name
        original = find_rule(mutant.file)
        for beside in original.path.parent.glob("*.yml") if original else ():
            path.with_name(beside.name).symlink_to(beside)
        path.write_text(mutant.mutated, encoding="utf-8")
        try:
            rule = parse(path)
            rule.statement  # noqa: B018
        except ValueError:
            return None
    return rule


def view_name(mutant: Mutant) -> str:
    return Path(mutant.file).stem.upper()


@contextmanager
def limit_time() -> Iterator[None]:
    """Raise TimeoutError in what takes longer than LONGEST_S."""

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise TimeoutError(f"takes longer than {LONGEST_S:g} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
