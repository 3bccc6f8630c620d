"""Checks that run in parallel: each step judges the states of all checks at once.

A check is a generator. It yields a state, or a state and the rules that judge it, and receives the advice:

    @together
    def test_that_was_carried_out(size: int) -> Steps:
        advice = yield state_of(...)
        ...

Such tests take parameters and no fixtures. tests/conftest.py runs all selected checks of all modules.
"""

import functools
import inspect
import math
import traceback
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any

import pytest

from advisor.catalogue.rules import Rule, all_rules
from advisor.judgement import many
from advisor.judgement.advice import Advice
from advisor.judgement.observed import Observed
from tests.support.once import WORKERS, once
from tests.support.states import State, observe_state

MOST = 4000  # tests that one worker runs together, or its share of all

Wanted = State | Observed | tuple[State | Observed, Sequence[Rule]]
Steps = Generator[Wanted, Advice, None]
Answer = Callable[[list[Any]], list[Any]]  # for all requests at once


def judged(wanted: list[Wanted]) -> list[Advice]:
    with pytest.MonkeyPatch.context() as patch:  # fewer, larger groups: these states are small
        patch.setattr(many, "MOST_STATES", 1500)
        patch.setattr(many, "MOST_ROWS", 1_000_000)
        return list(many.judge(map(case, wanted)))


def case(wanted: Wanted) -> tuple[Observed, Sequence[Rule]]:
    state, rules = wanted if isinstance(wanted, tuple) else (wanted, list(all_rules().values()))
    return state if isinstance(state, Observed) else observe_state(state), rules


def together(function: Callable[..., Steps], answer: Answer = judged, most: int = MOST) -> Callable[..., None]:
    """Return a test that is judged with ``most`` others, or with those that share another ``answer`` function."""

    @functools.wraps(function)
    def test(**_: Any) -> None:
        raise AssertionError("tests/conftest.py runs it")

    test.steps, test.answer, test.most = function, answer, most  # type: ignore[attr-defined]
    return test


def failure_of(item: pytest.Function) -> str | None:
    """Return the failure of a test that ran with the other selected tests of its kind, or None."""
    answer: Answer = item.obj.answer
    all_items = _alike(item.session, answer)
    most = min(item.obj.most, math.ceil(len(all_items) / WORKERS))
    part = all_items.index(item) // most
    items = all_items[part * most : (part + 1) * most]

    def run() -> dict[str, str | None]:
        checks = [item.obj.steps(**item.callspec.params if hasattr(item, "callspec") else {}) for item in items]
        return dict(zip((item.nodeid for item in items), failures(checks, answer), strict=True))

    return once(f"{answer.__module__}.{answer.__name__}.{part}", run)[item.nodeid]


@functools.cache
def _alike(session: pytest.Session, answer: Answer) -> list[pytest.Function]:
    items = [item for item in session.items if isinstance(item, pytest.Function)]
    return [item for item in items if getattr(item.obj, "answer", None) is answer]


def failures(checks: Iterable[Steps], answer: Answer = judged) -> list[str | None]:
    """Run all checks; return the failure of each, or None."""
    running = list(checks)
    found: list[str | None] = [None] * len(running)
    answers: dict[int, Any] = dict.fromkeys(range(len(running)))
    while answers:
        wanted: dict[int, Any] = {}
        for number, value in answers.items():
            try:
                wanted[number] = running[number].send(value)
            except StopIteration:
                pass
            except Exception as error:  # any exception is the failure of this check
                found[number] = _told(error)
        try:
            answers = dict(zip(wanted, answer(list(wanted.values())), strict=True))
        except Exception as error:  # then no check gets an answer
            return [_told(error) if number in wanted else text for number, text in enumerate(found)]
    return found


def _told(error: Exception) -> str:
    """Return the failure and its traceback, starting at the check."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename != inspect.getsourcefile(failures)]
    where = "".join(traceback.format_list(own[-4:]))
    return f"{where}{''.join(traceback.format_exception_only(error))}"
