"""What must hold for any state: checks over generated examples, judged together.

    @holds_for(states(), integers(2, 5))
    def test_more_of_the_same(state: State, factor: int) -> Steps: ...

The examples are the same on every run, and other ones for every check.
"""

import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy, tuples

from tests.support.states import State, write_capture
from tests.support.together import Steps, failures

EXAMPLES = 300


def holds_for(*strategies: SearchStrategy[Any]) -> Callable[[Callable[..., Steps]], Callable[[], None]]:
    """A test that runs a check over examples; of those for which it fails, the smallest is shown."""

    def decorated(check: Callable[..., Steps]) -> Callable[[], None]:
        def test() -> None:
            drawn = examples(check.__name__, *strategies)
            found = failures(check(*example) for example in drawn)
            failed = [(example, why) for example, why in zip(drawn, found, strict=True) if why is not None]
            if failed:
                example, why = min(failed, key=lambda one: len(pickle.dumps(one[0])))
                pytest.fail(
                    f"{len(failed)} of {len(drawn)} fail, the smallest:\n{_shown(example)}\n{why}", pytrace=False
                )

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorated


def examples(name: str, *strategies: SearchStrategy[Any]) -> list[tuple[Any, ...]]:
    """The examples of a check: as they are drawn, made no smaller."""
    drawn: list[tuple[Any, ...]] = []

    @seed(name)
    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(tuples(*strategies))
    def draw(example: tuple[Any, ...]) -> None:
        drawn.append(example)

    draw()
    return drawn


def _shown(example: tuple[Any, ...]) -> str:
    """An example in words; states as captures, for db2tune advise --capture."""
    folder = Path(tempfile.mkdtemp(prefix="db2tune-example-"))
    return ", ".join(
        str(write_capture(value, folder / str(number))) if isinstance(value, State) else repr(value)
        for number, value in enumerate(example)
    )
