"""Prefetching: blocks by count, guesses against runs that are drawn."""

from __future__ import annotations

import random

import pytest

from tests.twin.prefetch import Block, automatic_servers, automatic_size, block, guess


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((48, 24, 2, 1, 8), Block(24, 2, 2)),
        ((32, 24, 2, 1, 8), Block(24, 2, 2)),
        ((24, 24, 2, 1, 8), Block(24, 1, 1)),
        ((8, 32, 4, 1, 8), Block(8, 1, 1)),
        ((128, 16, 4, 1, 3), Block(16, 8, 3)),
        ((128, 16, 4, 2, 12), Block(16, 8, 8)),
        ((0, 32, 4, 1, 8), Block(0, 0, 0)),
    ],
)
def test_a_request_is_cut_in_extents(arguments: tuple[int, int, int, int, int], expected: Block) -> None:
    assert block(*arguments) == expected


@pytest.mark.parametrize(("run", "size"), [(2.0, 32), (8.0, 32), (8.0, 8), (40.0, 32)])
def test_requests_use_and_waste_are_those_of_runs_that_are_drawn(run: float, size: int) -> None:
    draw, requests, used, number = random.Random(2), 0, 0, 20_000
    for _ in range(number):
        length = 1
        while draw.random() < 1 - 1 / run:
            length += 1
        at = 3  # detection at the third page
        while length >= at:
            requests += at == 3 or length >= at
            used += min(size, length - at)
            at += size
    found = guess(run, size)
    assert found.requests == pytest.approx(requests / number, rel=0.04)
    assert found.used == pytest.approx(used / number, rel=0.06)
    assert found.wasted == pytest.approx(found.requests * size - found.used)


def test_no_prefetching_and_no_runs_guess_nothing() -> None:
    assert guess(8, 0).requests == guess(1, 32).requests == 0


def test_automatic_follows_the_manual_of_the_level() -> None:
    assert automatic_size(32, 4, 5) == 640
    assert automatic_servers(4, 64, (9, 7)) == 4
    assert automatic_servers(1, 2, (9, 7)) == 3
    assert automatic_servers(4, 64, (11, 5)) == 64
    assert automatic_servers(4, 2, (11, 5)) == 12
