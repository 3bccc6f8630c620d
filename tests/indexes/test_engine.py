"""The index advice on PostgreSQL, measured; skipped, with the reason, without PostgreSQL and HypoPG."""

import pytest

from tests.support.once import once
from tools.trials.engine.cluster import why_not
from tools.trials.engine.proof import OURS, Proof, prove_all

pytestmark = pytest.mark.full

NOISE = 0.02  # of the time of a workload: less is the noise of a machine that runs other tests
WITHIN = {"tpch": 0.6, "shop": 0.6, "skew": 0.5}  # other tests disturb the times of a run


@pytest.fixture(scope="module")
def proofs() -> dict[str, Proof]:
    if reason := why_not():
        pytest.skip(reason)
    return {proof.case.name: proof for proof in once("engine", prove_all)}


@pytest.fixture(scope="module")
def advised(proofs: dict[str, Proof]) -> list[Proof]:
    return [proof for name, proof in proofs.items() if name != "indexed"]


def test_advice_saves_nearly_as_much_as_the_best(advised: list[Proof]) -> None:
    assert {proof.case.name: proof.of_best() for proof in advised if proof.of_best() < 0.85} == {}


def test_advice_saves_what_it_predicts(advised: list[Proof]) -> None:
    for proof in advised:
        assert proof.saved(OURS) == pytest.approx(proof.predicted(), abs=0.05)


def test_no_advised_index_slows_the_workload(advised: list[Proof]) -> None:
    for proof in advised:
        slower = {each.on: time for each, time in proof.effects().items() if time < -NOISE}
        assert slower == {}


def test_predicted_time_is_near_the_measured_one(advised: list[Proof]) -> None:
    for proof in advised:
        assert proof.near() >= WITHIN[proof.case.name] * len(proof.before)


def test_well_indexed_schema_gets_no_index(proofs: dict[str, Proof]) -> None:
    assert proofs["indexed"].choices[OURS].definitions == ()
