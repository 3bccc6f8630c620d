"""What must hold for any database: the eight properties, on generated states."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from advisor.catalogue.sources import all_sources
from advisor.judge.advice import Advice, Recommendation
from advisor.judge.run import advise
from tests.machines import x445
from tests.support.carrying_out import carry_out, difference, files, returned, settled, take_back
from tests.support.generated import states
from tests.support.interpreter import Interpreter, is_command
from tests.support.states import State, write_capture

EPSILON = 1e-6
HOST_COMMANDS = ("db2set DB2PROCESSORS", "db2set DB2_RESOURCE_POLICY")


def examples(number: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As many examples as the time for the whole file allows, the same on every run; made no smaller, for the same."""
    health = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    return settings(
        max_examples=number, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
        suppress_health_check=health,
    )  # fmt: skip


def advice_for(state: State) -> Advice:
    with tempfile.TemporaryDirectory() as target:
        return advise(write_capture(state, Path(target)))


def commands(advice: Advice) -> list[str]:
    return [line for item in advice.ranked for line in item.actions if is_command(line)]


def lane_p(advice: Advice) -> list[Recommendation]:
    return [item for item in advice.ranked if item.lane == "P"]


def scaled(state: State, factor: int) -> State:
    """The same database that did everything ``factor`` times in the interval."""
    result = state.copy()
    for name, rows in result.sources.items():
        for row in rows:
            for column in all_sources()[name].names("counter"):
                if row.get(column) is not None:
                    row[column] *= factor
    return result


@given(states())
@examples(6)
def test_advice_that_was_carried_out_does_not_come_back_and_can_be_undone(state: State) -> None:
    """Properties 1 and 2."""
    state = settled(state)
    before = advice_for(state)
    interpreter = Interpreter(state.copy())
    done = carry_out(interpreter, before)
    assert returned(done, advice_for(interpreter.state)) == []

    interpreter = Interpreter(state.copy())
    take_back(interpreter, carry_out(interpreter, before, reversible=True))
    with tempfile.TemporaryDirectory() as target:
        old, undone = (files(item, Path(target) / name) for item, name in ((state, "a"), (interpreter.state, "b")))
    assert difference(old, undone) == []


@given(states(), st.integers(2, 5))
@examples(5)
def test_more_of_the_same_load_ranks_the_same(state: State, factor: int) -> None:
    """Property 3: shares of database time do not change when every counter is multiplied.

    Rates and counts do, so a rule that asks for a least count may come in; no generated state is so quiet that
    this decides much. What is advised in both keeps its benefit, its score and its place.
    """
    few, many = lane_p(advice_for(state)), lane_p(advice_for(scaled(state, factor)))
    both = {_key(item) for item in few} & {_key(item) for item in many}
    first, second = ([(_key(item), item.score) for item in items if _key(item) in both] for items in (few, many))
    assert [key for key, _ in first] == [key for key, _ in second]
    assert [score for _, score in first] == pytest.approx([score for _, score in second])


def _key(item: Recommendation) -> tuple[str, str]:
    return item.rule.name, item.object_name


@given(states())
@examples(6)
def test_no_load_gives_no_performance_advice(state: State) -> None:
    """Property 4."""
    advice = advice_for(scaled(state, 0))
    assert lane_p(advice) == []
    assert any("idle" in reason for _, reason in advice.not_run)


@given(states(host_facts=False))
@examples(6)
def test_what_the_host_did_not_tell_is_asked(state: State) -> None:
    """Property 5."""
    _asks_instead_of_guessing(state)


def test_what_the_host_of_the_x445_did_not_tell_is_asked() -> None:
    """Property 5 where with the facts there are commands about processors."""
    state = x445()
    assert any(line.startswith(HOST_COMMANDS) for line in commands(advice_for(state)))
    state.sources["hostfact"] = []
    _asks_instead_of_guessing(state)


def _asks_instead_of_guessing(state: State) -> None:
    advice = advice_for(state)
    assert [line for line in commands(advice) if line.startswith(HOST_COMMANDS)] == []
    unknown = {rule for rule, reason in advice.not_run if "host fact" in reason}
    assert unknown
    assert {item["RULE"] for item in advice.questions} <= unknown
    assert advice.questions


@given(states())
@examples(6)
def test_claims_fit_and_what_db2_sets_itself_is_left_alone(state: State) -> None:
    """Properties 6 and 7."""
    advice = advice_for(state)
    left: dict[str, float] = {}
    for item in lane_p(advice):
        part = item.benefit / item.claimed_pct if item.claimed_pct else 0
        taken = 0.0
        for claim in item.claims:
            assert claim.pct <= claim.of_pct + EPSILON
            room = left.setdefault(claim.bucket, claim.of_pct)
            taken += min(claim.pct, max(0.0, room)) * part
            left[claim.bucket] = room - claim.pct * part
        assert item.benefit_after == pytest.approx(taken, abs=EPSILON)
    assert sum(item.benefit_after for item in lane_p(advice)) <= 100 + EPSILON

    for line in commands(advice):
        assert not [name for name in _automatic(state) if _fixes(line, name)], line


def _automatic(state: State) -> list[str]:
    """The beginnings of commands that would size what Db2 sizes itself."""
    found = [f" USING {row['NAME'].upper()} " for row in state.sources["dbcfg"] if row["VALUE_FLAGS"] == "AUTOMATIC"]
    found += [f'ALTER BUFFERPOOL "{row["BP_NAME"]}"' for row in state.sources["bufferpool"] if row["AUTOMATIC"] == 1]
    found += [
        f'ALTER TABLESPACE "{row["TBSPACE"]}" PREFETCHSIZE'
        for row in state.sources["cat_tablespace"]
        if row["PREFETCHSIZE"] == -1
    ]
    return sorted(set(found))


def _fixes(line: str, name: str) -> bool:
    return (
        name in line
        and ("USING" in name or "SIZE" in line.partition(name)[2] or "PREFETCHSIZE" in name)
        and ("AUTOMATIC" not in line)
    )


@given(states(), st.sampled_from(("workload", "tablespace", "bufferpool", "activation")))
@examples(6)
def test_a_restart_between_the_snapshots_discards_the_interval(state: State, what: str) -> None:
    """Property 8: a counter that fell, or another time of activation."""
    with tempfile.TemporaryDirectory() as target:
        capture = write_capture(state, Path(target))
        _spoil(capture, what)
        advice = advise(capture)
    assert not advice.window.usable
    assert any("interval discarded" in reason for _, reason in advice.not_run)
    assert lane_p(advice) == []


def _spoil(capture: Path, what: str) -> None:
    path = capture / ("database.csv" if what == "activation" else f"{what}.csv")
    text = path.read_text(encoding="utf-8")
    first, rest = text.split("\n", 1)
    row, others = rest.split("\n", 1)
    if what == "activation":
        row = row.replace("2026-03-01 08:00:00", "2026-03-01 07:00:00")
    else:
        cells = row.split(",")
        cells[first.split(",").index("POOL_READ_TIME")] = str(10**12)
        row = ",".join(cells)
    path.write_text("\n".join((first, row, others)), encoding="utf-8")
