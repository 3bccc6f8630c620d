"""Accepted risks and protected objects, on manually written findings."""

from typing import Any

import pytest

from tests.support.handmade import END, List

BEFORE, AFTER = "2026-03-01", "2026-03-03"


def _said(run: List, rule: str = "a") -> tuple[str | None, str | None, int | None]:
    """Return the cause, the reason of the acceptance, and whether it has expired."""
    (row,) = (row for row in run.advice() if row["RULE"] == rule)
    return row["SUPERSEDED_BY"], row["ACCEPTED_REASON"], row["ACCEPTED_EXPIRED"]


@pytest.mark.parametrize(
    ("until", "said"),
    [
        (None, ("accepted", "why", 0)),
        (AFTER, ("accepted", "why", 0)),
        (END, ("accepted", "why", 0)),
        (BEFORE, (None, "why", 1)),
    ],
)
def test_it_holds_until_the_end_of_its_last_day(until: str | None, said: Any) -> None:
    assert _said(List().finds("a", obj="DATA1").accepted("a", "*", "why", until)) == said


@pytest.mark.parametrize("pattern", ["*", "DATA1", "DATA1*", "DATA*", "D*"])
def test_a_pattern_is_a_name_or_its_beginning(pattern: str) -> None:
    assert _said(List().finds("a", obj="DATA1").accepted("a", pattern, "why")) == ("accepted", "why", 0)


@pytest.mark.parametrize("pattern", ["DATA", "DATA11", "DATA11*", "ATA*", "DATB*", "E*", "DATA2", "**", "*1"])
def test_other_name_is_not_accepted(pattern: str) -> None:
    assert _said(List().finds("a", obj="DATA1").accepted("a", pattern, "why")) == (None, None, None)


def test_acceptance_does_not_extend_to_other_rules_or_objects() -> None:
    run = List().finds("a", obj="DATA1").finds("b", obj="DATA1").finds("c", obj="DATA2").accepted("b", "DATA1", "why")
    assert [_said(run, rule)[0] for rule in "abc"] == [None, "accepted", None]


def test_longest_pattern_wins_and_valid_beats_expired() -> None:
    run = List().finds("a", obj="DATA1").accepted("a", "*", "all").accepted("a", "DATA*", "some")
    assert _said(run) == ("accepted", "some", 0)
    assert _said(run.accepted("a", "DATA1", "this", BEFORE)) == ("accepted", "some", 0)


def test_each_object_has_its_own_acceptance() -> None:
    run = List().finds("a", obj="DATA1").finds("a", obj="DATA2").finds("a", obj="DATA3")
    run.accepted("a", "DATA1", "one").accepted("a", "DATA2", "two", BEFORE)
    found = {row["OBJECT_NAME"]: (row["SUPERSEDED_BY"], row["ACCEPTED_REASON"]) for row in run.advice()}
    assert found == {"DATA1": ("accepted", "one"), "DATA2": (None, "two"), "DATA3": (None, None)}


def test_what_is_settled_in_two_places_is_accepted_once() -> None:
    run = List().finds("a", obj="DATA1", target="X", member=0).finds("a", obj="DATA1", target="Y", member=1)
    assert _said(run.accepted("a", "DATA1", "why")) == ("accepted", "why", 0)


@pytest.mark.parametrize(
    ("patterns", "left_out"),
    [
        ("DATA1", {"DATA1"}),
        ("DATA1;INDEX1", {"DATA1", "INDEX1"}),
        (";DATA*;;INDEX1;", {"DATA1", "DATA2", "INDEX1"}),
        ("DATA", set()),
        ("*", {"DATA1", "DATA2", "INDEX1"}),
    ],
)
def test_what_is_protected_is_left_out(patterns: str, left_out: set[str]) -> None:
    run = List().finds("a", obj="DATA1").finds("b", obj="DATA2").finds("c", obj="INDEX1").protects(patterns)
    assert {row["OBJECT_NAME"] for row in run.advice() if row["SUPERSEDED_BY"] == "protected"} == left_out


@pytest.mark.parametrize("source", ["L_INDEX", "D_INDEX_ADVICE"])
def test_an_index_is_left_out_with_its_table(source: str) -> None:
    def index_of_orders() -> List:
        run = List().finds("a", obj="APP.IX1", kind="INDEX").finds("b", obj="APP.IX2", kind="INDEX")
        return run.holds(source, ("APP", "IX1", "SHOP", "ORDERS"), ("APP", "IX2", "SHOP", "ITEM"))

    assert index_of_orders().protects("SHOP.ORD*").left_out() == {"a": "protected"}
    assert index_of_orders().accepted("a", "SHOP.ORDERS", "an archive").left_out() == {"a": "accepted"}
