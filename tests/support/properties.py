"""Properties of any state: checks over generated examples, judged together.

    @holds_for(states(), integers(2, 5))
    def test_more_of_the_same(state: State, factor: int) -> Steps: ...

The examples are the same on every run, and for every check that draws from the same strategies. So the advice for each
state is computed once for all checks. A check must not change its state.
"""

import pickle
import tempfile
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from advisor.judgement.advice import Advice
from tests.support.once import once
from tests.support.states import State, write_capture
from tests.support.together import Steps, Wanted, failures, judged

EXAMPLES = 150


def holds_for(*strategies: SearchStrategy[Any]) -> Callable[[Callable[..., Steps]], Callable[[], None]]:
    """Return a test that runs a check over examples; it shows the smallest failing example."""

    def decorated(check: Callable[..., Steps]) -> Callable[[], None]:
        def test() -> None:
            first, *others = map(examples, strategies)
            drawn = list(zip(first, *map(cycle, others), strict=False))  # a strategy with few values has few examples
            found = failures((check(*example) for example in drawn), _answer(strategies[0]))
            failed = [(example, why) for example, why in zip(drawn, found, strict=True) if why is not None]
            if failed:
                example, why = min(failed, key=lambda one: len(pickle.dumps(one[0])))
                pytest.fail(
                    f"{len(failed)} of {len(drawn)} fail, the smallest:\n{_shown(example)}\n{why}", pytrace=False
                )

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorated


def examples(strategy: SearchStrategy[Any]) -> list[Any]:
    """Return the drawn examples, without shrinking."""
    return once(f"drawn of {strategy}", lambda: _drawn(strategy))


def _drawn(strategy: SearchStrategy[Any]) -> list[Any]:
    drawn: list[Any] = []

    @seed(repr(strategy))
    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def draw(example: Any) -> None:
        drawn.append(example)

    draw()
    return drawn


def _answer(states: SearchStrategy[Any]) -> Callable[[list[Wanted]], list[Advice]]:
    """Return the wanted advice; after the first check, the advice for the drawn states is cached."""
    number_of = {id(state): number for number, state in enumerate(examples(states))}

    def answer(wanted: list[Wanted]) -> list[Advice]:
        others = iter(judged([one for one in wanted if id(one) not in number_of]))
        known = once(f"advice of {states}", lambda: judged(examples(states)))
        return [known[number_of[id(one)]] if id(one) in number_of else next(others) for one in wanted]

    return answer


def _shown(example: tuple[Any, ...]) -> str:
    """Return an example in words; states as captures, for db2tune advise --capture."""
    folder = Path(tempfile.mkdtemp(prefix="db2tune-example-"))
    return ", ".join(
        str(write_capture(value, folder / str(number))) if isinstance(value, State) else repr(value)
        for number, value in enumerate(example)
    )
