"""Trying the mutants of a file: which of them a test notices."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from advisor.catalogue.rules import Rule, parse
from advisor.judgement.advice import Advice
from tests.mutation.checks import Check, advance
from tests.mutation.mutants import Mutant
from tests.mutation.places import Changed, Place
from tests.support.stepwise import case

MOST_STATES = 400  # of a place
AT_ONCE = 60  # mutants

Differs = Callable[[Place, list[Mutant]], list[dict[int, int] | None]]


@dataclass(frozen=True)
class Verdict:
    """The result of a mutant; ``by`` is a check that fails, or None."""

    mutant: Mutant
    by: str | None
    valid: bool = True

    @property
    def counts(self) -> bool:
        """A text that is no longer a statement is not a mutant."""
        return self.valid


class Grounds:
    """Checks with the places in which their states were judged, step by step."""

    def __init__(self, checks: Sequence[Check], steps: int = 2) -> None:
        self.checks = [replace(check, wanted=[], sent=[]) for check in checks]
        self.places: list[tuple[Place, list[Check], int]] = []  # the checks whose step number its states are
        for step in range(steps):
            going = advance(self.checks)
            for first in range(0, len(going), MOST_STATES):
                part = going[first : first + MOST_STATES]
                place = Place([case(check.wanted[step]) for check in part])
                for check, advice in zip(part, place.advice(), strict=True):
                    check.sent.append(advice)
                self.places.append((place, part, step))

    def close(self) -> None:
        for place, _, _ in self.places:
            place.close()

    # of rules

    def try_rule(self, rule: Rule, mutants: Sequence[Mutant]) -> list[Verdict]:
        """Return the check that fails with each mutant of a rule."""
        parsed = _parsed(rule, mutants)
        verdicts = {mutant: Verdict(mutant, None, valid=False) for mutant in mutants if mutant not in parsed}
        left = [mutant for mutant in mutants if mutant in parsed]
        for place, checks, step in self.places:
            if rule.name in place.rules:
                for first in range(0, len(left), AT_ONCE):
                    some = left[first : first + AT_ONCE]
                    others = [(parsed[mutant], _changed(rule, parsed[mutant])) for mutant in some]
                    trials = place.rule_differs(rule, others)
                    if any(trials):
                        place.rank()
                    verdicts |= dict(zip(some, _verdicts(place, checks, step, some, trials), strict=True))
                left = [mutant for mutant in left if verdicts[mutant].valid and verdicts[mutant].by is None]
        return [verdicts.get(mutant, Verdict(mutant, None)) for mutant in mutants]

    # of views

    def try_view(self, name: str, mutants: Sequence[Mutant]) -> list[Verdict]:
        """Return the check that fails with each mutant of a window view."""
        return self._try_each(mutants, lambda place, some: _of_view(place, name, some))

    def try_ranking(self, name: str, mutants: Sequence[Mutant]) -> list[Verdict]:
        """Return the check that fails with each mutant of a view of sql/rank/."""
        verdicts: list[Verdict] = []
        for mutant in mutants:
            verdicts += self._try_each([mutant], lambda place, some: [place.ranking_differs(name, some[0].mutated)])
        return verdicts

    def _try_each(self, mutants: Sequence[Mutant], differs: Differs) -> list[Verdict]:
        """Return the result of each mutant; one whose rows cannot be ranked is noticed."""
        verdicts: dict[Mutant, Verdict] = {}
        left = list(mutants)
        for place, checks, step in self.places:
            if left:
                try:
                    trials = differs(place, left)
                    verdicts |= dict(zip(left, _verdicts(place, checks, step, left, trials), strict=True))
                except duckdb.Error as error:
                    if len(mutants) == 1:
                        return [Verdict(mutants[0], f"ranking: {error}")]
                    return [verdict for mutant in mutants for verdict in self._try_each([mutant], differs)]
                left = [mutant for mutant in left if verdicts[mutant].valid and verdicts[mutant].by is None]
        return [verdicts.get(mutant, Verdict(mutant, None)) for mutant in mutants]


def _of_view(place: Place, name: str, mutants: Sequence[Mutant]) -> list[dict[int, int] | None]:
    if name not in place.views:
        return [{} for _ in mutants]
    trials = place.view_differs(name, [mutant.mutated for mutant in mutants])
    if any(trials):
        place.judge_views()
        place.rank()
    return trials


def _verdicts(
    place: Place, checks: list[Check], step: int, mutants: list[Mutant], trials: list[dict[int, int] | None]
) -> Iterator[Verdict]:
    """Run the checks again that get other advice."""
    advice = place.trial_advice() if any(trials) else {}
    for mutant, of_states in zip(mutants, trials, strict=True):
        failing = (
            checks[state].name
            for state, trial in (of_states or {}).items()
            if checks[state].fails({step: advice[trial]})
        )
        yield Verdict(mutant, next(failing, None), of_states is not None)


def changes(place: Place, rule: Rule, mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, dict[int, Advice]]]:
    """What each mutant of a rule makes of the states of a place, where that is something else."""
    parsed = _parsed(rule, mutants)
    for first in range(0, len(parsed), AT_ONCE):
        some = dict(list(parsed.items())[first : first + AT_ONCE])
        trials = place.rule_differs(rule, [(other, _changed(rule, other)) for other in some.values()])
        if any(trials):
            place.rank()
        advice = place.trial_advice() if any(trials) else {}
        for mutant, of_states in zip(some, trials, strict=True):
            yield mutant, {state: advice[trial] for state, trial in (of_states or {}).items()}


def changes_of_view(place: Place, name: str, mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, dict[int, Advice]]]:
    """What each mutant of a window view makes of the states of a place, where that is something else."""
    for mutant in mutants:
        (of_states,) = _of_view(place, name, [mutant])
        advice = place.trial_advice() if of_states else {}
        yield mutant, {state: advice[trial] for state, trial in (of_states or {}).items()}


def _parsed(rule: Rule, mutants: Iterable[Mutant]) -> dict[Mutant, Rule]:
    """Each mutant that is a rule still."""
    found: dict[Mutant, Rule] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / rule.path.name
        for beside in rule.path.parent.glob("*.txt"):
            (Path(folder) / beside.name).write_text(beside.read_text(encoding="utf-8"), encoding="utf-8")
        for mutant in mutants:
            path.write_text(mutant.mutated, encoding="utf-8")
            try:
                other = parse(path)
                other.statement_of_figures  # noqa: B018
                found[mutant] = other
            except ValueError:
                continue
    return found


def _changed(rule: Rule, other: Rule) -> Changed:
    options = [
        (one.name.upper(), one.value, two.value)
        for one, two in zip(rule.thresholds, other.thresholds, strict=True)
        if one.value != two.value
    ]
    return Changed(other.select, tuple(options))
