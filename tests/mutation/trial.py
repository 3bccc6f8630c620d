"""Trying mutants: which of them a case of a rule or a machine notices.

The tables of a process are used for all trials; only a changed statement is compiled.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb

from advisor.catalogue.rules import Rule, all_rules, parse
from advisor.catalogue.views import CHOICE, advice_views, candidate_views, model_views, rank_views, views_read_by
from advisor.errors import UserError
from advisor.judgement.advice import Advice
from advisor.judgement.cases import find_differences, list_compared_values, read_cases
from advisor.judgement.observed import Observed
from advisor.judgement.run import evaluate
from advisor.judgement.states import observe_state, settle_state, state_of
from tests.machines import MACHINES, summary
from tests.mutation.mutants import Mutant
from tests.support.expected import read_expected
from tests.support.paths import EXPECTED, cases_path
from tests.support.typed_engine import plan_rule, typed_tables

MOST_CASES = 60  # of all rules that read a view


@dataclass(frozen=True)
class Verdict:
    """The result of a mutant; ``by`` is a check that fails, or None."""

    mutant: Mutant
    by: str | None
    valid: bool = True


@dataclass(frozen=True)
class Case:
    """A case of a rule, with its state."""

    name: str
    kind: str
    expected: dict[str, Any]
    state: Observed

    def fails(self, rule: Rule) -> bool:
        return find_differences(self.kind, self.expected, _judge(self.state, [rule])) != []


@cache
def cases_of(name: str) -> tuple[Case, ...]:
    """Return the cases of a rule that its SQL passes without a change."""
    rule = all_rules()[name]
    found = [
        Case(f"{name}: {case['name']}", kind, case, observe_state(settle_state(state_of(case))))
        for kind, case in read_cases(cases_path(rule))
    ]
    return tuple(case for case in found if not case.fails(rule))


@cache
def _machine(name: str) -> Observed:
    return observe_state(settle_state(MACHINES[name]()))


def _judge(state: Observed, rules: list[Rule]) -> Advice | None:
    """Return the advice, or None if the state cannot be judged."""
    try:
        return evaluate(state, rules)
    except UserError:
        return None


def try_rule(rule: Rule, mutants: Sequence[Mutant]) -> list[Verdict]:
    """Return the check that fails with each mutant of a rule."""
    parsed = parse_mutants(rule, mutants)
    return [
        Verdict(mutant, _notice_rule(rule, parsed[mutant])) if mutant in parsed else Verdict(mutant, None, valid=False)
        for mutant in mutants
    ]


def _notice_rule(rule: Rule, other: Rule) -> str | None:
    for case in cases_of(rule.name):
        if case.fails(other):
            return case.name
    rules = [other if each is rule else each for each in all_rules().values()]
    for name in MACHINES:
        alone = _judge(_machine(name), [other])
        if alone is None or list_compared_values(alone) != _advice_alone(name, rule.name):
            advice = _judge(_machine(name), rules)
            if advice is None or summary(advice) != read_expected(EXPECTED)[name]:
                return name
    return None


@cache
def _advice_alone(machine: str, rule: str) -> list[dict[str, Any]]:
    return list_compared_values(evaluate(_machine(machine), [all_rules()[rule]]))


def parse_mutants(rule: Rule, mutants: Sequence[Mutant]) -> dict[Mutant, Rule]:
    """Return the mutants that still are rules, for a typed engine as well."""
    found: dict[Mutant, Rule] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / rule.path.name
        for mutant in mutants:
            path.write_text(mutant.mutated, encoding="utf-8")
            try:
                other = parse(path)
                plan_rule(other)
                found[mutant] = other
            except (ValueError, UserError, duckdb.Error):
                continue
    return found


def try_view(name: str, mutants: Sequence[Mutant]) -> list[Verdict]:
    """Return the check that fails with each mutant of a view of sql/model/ or sql/rank/."""
    cases = _choose_cases(name)
    return [_try_view(name, mutant, cases) for mutant in mutants]


def _try_view(name: str, mutant: Mutant, cases: Sequence[tuple[Rule, Case]]) -> Verdict:
    try:
        typed_tables().execute(f"EXPLAIN {mutant.mutated}")
    except duckdb.Error:
        return Verdict(mutant, None, valid=False)
    with _replace_view(name, mutant.mutated):
        for rule, case in cases:
            if case.fails(rule):
                return Verdict(mutant, case.name)
        for machine in MACHINES:
            advice = _judge(_machine(machine), list(all_rules().values()))
            if advice is None or summary(advice) != read_expected(EXPECTED)[machine]:
                return Verdict(mutant, machine)
    return Verdict(mutant, None)


@contextmanager
def _replace_view(name: str, select: str) -> Iterator[None]:
    if name == CHOICE:
        with patch("advisor.judgement.steps.next_choice", lambda: select):
            yield
        return
    holders = [views for views in (model_views(), rank_views(), candidate_views(), advice_views()) if name in views]
    original = holders[0][name]
    try:
        for views in holders:
            views[name] = select
        yield
    finally:
        for views in holders:
            views[name] = original


def _choose_cases(name: str) -> list[tuple[Rule, Case]]:
    """Return cases of the rules that read a view, evenly from all of them; those of all rules for the ranking."""
    readers = [
        rule for rule in all_rules().values() if name not in model_views() or name in views_read_by([rule.statement])
    ]
    each = max(1, -(-MOST_CASES // max(1, len(readers))))
    found = [(rule, case) for rule in readers for case in cases_of(rule.name)[:each]]
    return found[:: max(1, len(found) // MOST_CASES)]
