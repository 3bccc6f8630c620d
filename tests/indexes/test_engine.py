"""The index advice of the command line on PostgreSQL, measured; skipped, with the reason, without PostgreSQL and HypoPG."""

import pytest

from tests.support.once import once
from tools.trials.engine.cases import CASES, INDEXED
from tools.trials.engine.cluster import why_not
from tools.trials.engine.proof import OURS, TEXT, Proof, prove_all

pytestmark = pytest.mark.full

NOISE = 0.02  # of the time of a workload: less is the noise of a machine that runs other tests
WITHIN = 0.6  # of the predictions within a factor of two: other tests disturb the times of a run
PROVEN = ("shop", "skew")  # make bench proves all schemas


@pytest.fixture(scope="module")
def proofs() -> list[Proof]:
    if reason := why_not():
        pytest.skip(reason)
    return once("engine", lambda: prove_all(case for case in CASES if case.name in PROVEN))


@pytest.fixture(scope="module")
def advised(proofs: list[Proof]) -> list[Proof]:
    return [proof for proof in proofs if proof.case != INDEXED]


def test_advice_saves_nearly_as_much_as_the_best(advised: list[Proof]) -> None:
    assert {proof.case.name: proof.of_best() for proof in advised if proof.of_best() < 0.9} == {}


def test_pasted_text_saves_as_much_as_a_capture(advised: list[Proof]) -> None:
    assert {proof.case.name for proof in advised if proof.saved(TEXT) < 0.95 * proof.saved(OURS) - NOISE} == set()


def test_advice_saves_what_it_predicts(advised: list[Proof]) -> None:
    for proof in advised:
        assert proof.saved(OURS) == pytest.approx(proof.answer.saved, abs=0.05)


def test_no_advised_index_slows_the_workload(proofs: list[Proof]) -> None:
    for proof in proofs:
        slower = {each.on: time for each, time in proof.effects().items() if time < -NOISE}
        assert slower == {}


def test_predicted_time_is_near_the_measured_one(advised: list[Proof]) -> None:
    for proof in advised:
        assert proof.near() >= WITHIN * len(proof.before)


def test_well_indexed_schema_gets_only_what_it_lacks(proofs: list[Proof]) -> None:
    (indexed,) = (proof for proof in proofs if proof.case == INDEXED)
    assert len(indexed.answer.indexes) <= 3
    assert indexed.saved(OURS) >= indexed.answer.saved - 0.05
