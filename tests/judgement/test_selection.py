"""Properties of every selection: on generated findings, and on the rules' findings in generated states."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from advisor.catalogue.rules import all_rules
from tests.support.properties import examples, states
from tests.support.selecting import DONORS, Selected, findings, identity, made_rules, selected

EPSILON = 1e-6
BUDGET, NOT_NEEDED = "not enough free memory", "no advice needs its memory"

Complaints = Iterator[str]


@cache
def _made() -> list[Selected]:
    return selected((state, made_rules()) for state in examples(findings()))


@cache
def _real() -> list[Selected]:
    return selected((state, list(all_rules().values())) for state in examples(states()))


def holds(check: Callable[[Selected], Complaints]) -> Callable[[str], None]:
    """Return a test that a check has no complaints, for made-up and for real findings."""

    @pytest.mark.parametrize("found_by", ["made", "real"])
    def test(found_by: str) -> None:
        runs = _made() if found_by == "made" else _real()
        complaints = [(len(run.tables["FINDING"]), text) for run in runs for text in check(run)]
        assert len(runs) >= 150
        assert not complaints, f"{len(complaints)}, in the smallest: {min(complaints)[1]}"

    test.__doc__ = check.__doc__
    return test


def test_the_examples_are_worth_it() -> None:
    """The examples contain every reason for omission often."""
    reasons = [row["SUPERSEDED_BY"] for run in _made() for row in run.left_out]
    taken = [row for run in _made() for row in run.ranked if row["BENEFIT_AFTER"] < row["BENEFIT"] - EPSILON]
    paid = [row for run in _made() for row in run.tables["CHOSEN"] if row["PAYS_FOR"] is not None]
    assert reasons.count(BUDGET) >= 30
    assert sum(reason.startswith("made.") for reason in reasons) >= 500
    assert len(taken) >= 50
    assert len(paid) >= 5


def _claimed_in(run: Selected, kind: str, name: str, bucket: str) -> float:
    """Return the benefit that advice in a table space or a pool promises in a bucket."""
    inside = {(kind, name)}
    if kind == "BUFFERPOOL":
        inside |= {
            ("TABLESPACE", row["TBSP_NAME"]) for row in run.state.sources["tablespace"] if _pool(run, row) == name
        }
    return sum(
        row["BENEFIT_AFTER"]
        for row in run.tables["CHOICE_CLAIM"]
        if row["BUCKET"] == bucket and (row["OBJECT_TYPE"], row["OBJECT_NAME"]) in inside
    )


def _pool(run: Selected, space: dict[str, Any]) -> str | None:
    pools = {row["BUFFERPOOLID"]: row["BPNAME"] for row in run.state.sources["cat_bufferpool"]}
    return pools.get(space["TBSP_CUR_POOL_ID"])


@holds
def test_totals_never_exceed_a_bucket_or_an_object(run: Selected) -> Complaints:
    for bucket in run.tables["TIME_BUCKET"]:
        total = sum(row["BENEFIT_AFTER"] for row in run.tables["CHOICE_CLAIM"] if row["BUCKET"] == bucket["BUCKET"])
        if total > (bucket["PCT"] or 0) + EPSILON:
            yield f"{total} of {bucket}"
    for part in run.tables["OBJECT_TIME"]:
        total = _claimed_in(run, part["OBJECT_TYPE"], part["OBJECT_NAME"], part["BUCKET"])
        if total > part["PCT"] + EPSILON:
            yield f"{total} of {part}"


@holds
def test_what_is_promised_after_those_above_is_what_was_charged(run: Selected) -> Complaints:
    for item in run.ranked:
        charged = sum(row["BENEFIT_AFTER"] for row in run.tables["CHOICE_CLAIM"] if identity(row) == identity(item))
        if abs(item["BENEFIT_AFTER"] - charged) > EPSILON or charged > item["BENEFIT"] + EPSILON:
            yield f"{charged} of {item}"


@holds
def test_advice_only_loses_to_chosen_advice(run: Selected) -> Complaints:
    given = {row["POSITION"]: row["RULE"] for row in run.ranked}
    spent = sum(max(row["MEMORY_DELTA_KB"], 0) for row in run.ranked)
    freed = sum(-row["MEMORY_KB"] for row in run.tables["CHOSEN"] if row["MEMORY_KB"] < 0)
    for row in run.left_out:
        reason = row["SUPERSEDED_BY"]
        if row["BY_POSITION"] is not None:
            if given.get(row["BY_POSITION"]) != reason:
                yield f"{row} in favour of {given.get(row['BY_POSITION'])}"
        elif reason == BUDGET:
            if run.budget_kb is None or row["MEMORY_DELTA_KB"] <= run.budget_kb - spent + freed:
                yield f"{row} fits"
        elif reason not in ("benefit below the floor", NOT_NEEDED):
            yield f"{row}: {reason}"


@holds
def test_no_parameter_is_set_twice(run: Selected) -> Complaints:
    before: list[tuple[str, int | None, str]] = []
    for item in run.ranked:
        mine = run.set_by(item)
        for name, member in mine:
            for other, its_member, rule in before:
                if name == other and (member == its_member or member is None or its_member is None):
                    yield f"{name} of member {member} by {item['RULE']} and {rule}"
        before += [(name, member, item["RULE"]) for name, member in mine]


@holds
def test_the_memory_budget_holds_at_every_prefix_of_the_plan(run: Selected) -> Complaints:
    for step in run.tables["PLAN"]:
        if run.budget_kb is not None and step["MEMORY_AFTER_KB"] > max(run.budget_kb, 0):
            yield f"{step} of {run.budget_kb}"


@holds
def test_donors_free_no_more_than_it_takes(run: Selected) -> Complaints:
    """Each donor is necessary and is itself recommended."""
    chosen = {row["ID"]: row for row in run.tables["CHOSEN"]}
    for donor in chosen.values():
        paid_for = donor["PAYS_FOR"]
        if paid_for is not None:
            before = sum(row["MEMORY_KB"] for row in chosen.values() if row["CHOICE_NO"] < donor["CHOICE_NO"])
            last = chosen.get(paid_for)
            assert run.budget_kb is not None
            if last is None:
                yield f"{donor} pays for what is not given"
                continue
            together = [row for row in chosen.values() if row["PAYS_FOR"] == paid_for and row is not donor]
            others = sum(-row["MEMORY_KB"] for row in together)
            first = min(row["CHOICE_NO"] for row in [*together, donor])
            before = sum(row["MEMORY_KB"] for row in chosen.values() if row["CHOICE_NO"] < first)
            if last["MEMORY_KB"] <= run.budget_kb - before + others:
                yield f"{donor} is not needed"


def _by_hand(run: Selected, row: dict[str, Any]) -> bool:
    return not any(
        identity(item) == identity(row) and item["SETTING_KIND"] is not None for item in run.tables["FINDING"]
    )


def test_manual_action_never_outranks_an_equal_command() -> None:
    waiting = {rule.name for rule in made_rules() if rule.get_list("yields") or rule.risk == "high"}
    seen = 0
    for run in _made():
        timed = [row for row in run.ranked if row["LANE"] == "P" and row["RULE"] not in DONORS]
        commands = [row for row in timed if not _by_hand(run, row) and row["RULE"] not in waiting]
        for one in (row for row in timed if _by_hand(run, row)):
            for other in (row for row in commands if row["MEMORY_DELTA_KB"] == 0):
                seen += 1
                if one["POSITION"] < other["POSITION"]:
                    assert one["BENEFIT_AFTER"] > other["BENEFIT_AFTER"]
    assert seen >= 30


def test_without_the_winner_the_best_loser_comes_back() -> None:
    """Each loses only to a finding that is chosen then; without a conflict it is chosen."""
    cases = []
    for run in _made():
        winners = [row["BY_POSITION"] for row in run.left_out if row["BY_POSITION"] is not None]
        if winners:
            winner = run.ranked[min(winners) - 1]
            cases.append((run, winner, [rule for rule in made_rules() if rule.name != winner["RULE"]]))
    runs = selected((run.state, rules) for run, _, rules in cases)
    came_back = 0
    for (before, winner, _), after in zip(cases, runs, strict=True):
        given = {identity(row) for row in before.ranked}
        losers = [
            row for row in before.left_out if row["BY_POSITION"] == winner["POSITION"] and row["RULE"] != winner["RULE"]
        ]
        back = {identity(row) for row in after.ranked} - given
        came_back += len(back & {identity(row) for row in losers})
        for loser in losers:
            now = next(row for row in after.tables["ADVICE"] if identity(row) == identity(loser))
            by = next((row for row in after.ranked if row["POSITION"] == now["BY_POSITION"]), None)
            if now["POSITION"] is None and now["SUPERSEDED_BY"] not in (BUDGET, NOT_NEEDED):
                assert by is not None, now
                # its replacement was chosen before, or has returned itself
                assert identity(by) in given | back
    assert len(cases) >= 100
    assert came_back >= 70
