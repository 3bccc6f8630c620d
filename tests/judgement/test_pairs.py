"""No crumb hides a loaf: what gave way gave way to as much, on machines and on joined cases of two rules."""

import random
from itertools import combinations

import pytest

from advisor.errors import UserError
from advisor.judgement.advice import Advice
from tests.machines import MACHINES
from tests.support.carrying_out import first_cases, settle_state
from tests.support.joined import ContradictionError, join
from tests.support.states import state_of
from tests.support.stepwise import judge

AS_MUCH = 0.9
LANES_OF_CAUSES = "QS"  # a prerequisite or a danger comes first, whatever it claims


def list_hidden(advice: Advice) -> list[tuple[str, str]]:
    """Return the rules whose finding gave way to a smaller one, each with that rule."""
    hidden = []
    for item in advice.recommendations:
        winners = [other for other in advice.recommendations if other.rule.name == item.superseded_by]
        as_much = any(
            other.benefit >= AS_MUCH * item.benefit
            or other.claimed_pct >= AS_MUCH * item.claimed_pct
            or other.lane in LANES_OF_CAUSES
            for other in winners
        )
        if winners and not as_much:
            hidden.append((item.rule.name, winners[0].rule.name))
    return hidden


@pytest.mark.parametrize("name", sorted(MACHINES))
def test_no_crumb_hides_a_loaf_on_a_machine(name: str) -> None:
    assert list_hidden(judge(MACHINES[name]())) == []


@pytest.mark.parametrize("pairs", [60, pytest.param(600, marks=pytest.mark.full)])
def test_no_crumb_hides_a_loaf_of_two_ills(pairs: int) -> None:
    """Each pair is the healthy database with the values of two cases, of two rules."""
    states = {rule.name: state_of(case) for rule, case in (param.values for param in first_cases())}
    drawn = list(combinations(states, 2))
    random.Random(pairs).shuffle(drawn)
    hidden, judged = [], 0
    for one, two in drawn:
        if judged == pairs:
            break
        try:
            advice = judge(settle_state(join(states[one], states[two])))
        except (ContradictionError, UserError):  # such as two rows with one key
            continue
        judged += 1
        hidden += [(one, two, *pair) for pair in list_hidden(advice)]
    assert (hidden, judged) == ([], pairs)
