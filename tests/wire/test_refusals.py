"""What a server refuses at the installation or at a run costs only what depends on it.

``python -m tools.trials.refusals`` refuses each statement of the installation in turn.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree

import pytest

from advisor.capture.manifest import read_manifest
from tests.support.paths import CAPTURES
from tests.wire.conftest import Server, standin
from tools.trials.refusals import Listed, list_advice, refuse, refuse_each

pytestmark = pytest.mark.full

# Statements that are refused in one installation, the SQLCODE, the rules that they cost, and whether the list is ranked.
REFUSED = {
    "sources, rules, indexes, rows": (
        ("TABLE TUNE.S_LATCH", "INDEX TUNE.X_S_TABLESPACE", "TUNE.R_LOG_BUFFER_FULL", "INSERT INTO TUNE.RULE_CLAIM"),
        "SQL0104N",
        {"log.buffer-full"},
        True,
    ),
    "a view of the model": (("VIEW TUNE.C_PREFETCHING",), "SQL0440N", {"prefetch.size-misaligned"}, True),
    "the ranking": (("VIEW TUNE.C_CANDIDATE_ACCOUNT",), "SQL0101N", set(), False),
    "the text and the identity": (("VIEW TUNE.TEXT_LINE", "VIEW TUNE.IDENTITY"), "SQL0204N", set(), False),
}


@contextmanager
def _refusing(words: Sequence[str] = (), code: str = "SQL0104N") -> Iterator[Server]:
    with contextmanager(standin)(CAPTURES / "x445-8way") as server:
        with refuse(words, code):
            done = server.tune("install")
        assert done.exit_code == 0, done.output
        yield server


@pytest.fixture(scope="module")
def whole() -> Listed:
    """Return the list of an installation without refusals."""
    with _refusing() as server:
        return list_advice(server)


@pytest.mark.parametrize("kind", REFUSED)
def test_refused_statement_costs_only_its_dependents(kind: str, whole: Listed) -> None:
    words, code, rules, is_ranked = REFUSED[kind]
    with _refusing(words, code) as server:
        found = list_advice(server)
        shown = server.tune("doctor").output
    assert found.missing
    assert (found.lines[0].startswith("Tuning advice for"), bool(found.lines)) == (is_ranked, True)
    assert rules <= found.not_run.keys() - found.rules
    assert whole.rules <= found.rules | found.not_run.keys()
    assert all(name.partition(" ")[0] in shown for _, name in found.missing if name.isidentifier())


@pytest.mark.parametrize(("view", "is_ranked"), [("PREFETCHING", True), ("TIME_SPENT", True), ("CANDIDATE", False)])
def test_view_that_fails_at_a_run_costs_only_its_dependents(
    view: str, is_ranked: bool, installed: Server, whole: Listed
) -> None:
    installed.say(f"CREATE OR REPLACE PROCEDURE TUNE.C_{view} () LANGUAGE SQL MODIFIES SQL DATA"
                  " BEGIN SIGNAL SQLSTATE '22003' SET MESSAGE_TEXT = 'overflow'; END")  # fmt: skip
    found = list_advice(installed)
    assert view in {name for _, name in found.missing}
    assert found.lines[0].startswith("Tuning advice for") == is_ranked
    assert whole.rules <= found.rules | found.not_run.keys()


@pytest.mark.parametrize(("command", "every"), [("capture", 7), ("doctor", 9)])
def test_refused_query_costs_a_reader_only_its_answer(command: str, every: int, server: Server, tmp_path: Path) -> None:
    target = tmp_path / "taken"
    options = ["capture", "--interval", "1", "-o", str(target)] if command == "capture" else [command]
    lost = []
    for sql, done in refuse_each(server, options, every):
        assert done.exit_code in {0, 1}, f"{sql}: {done.output}"
        if command == "capture":
            lost.append(len(read_manifest(target).not_collected))
            rmtree(target)
    assert all(number <= lost[0] + 1 for number in lost)
