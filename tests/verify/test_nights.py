"""The nightly job's record of each run, and its report of changes."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor.capture.lessons import DatabaseKey, Percent, Thing, Turned
from advisor.cli.main import main
from advisor.nightly import history as kept_runs
from advisor.nightly import summary
from advisor.nightly.database import Outcome
from advisor.nightly.history import History
from advisor.nightly.runs import Run
from advisor.verify.changed import Change
from advisor.verify.nights import NIGHTS, Verified, settle, verify_changes
from advisor.verify.promises import Figures, Promise
from tests.verify.histories import Kind, history

UNDO = "UPDATE DB CFG USING SORTHEAP 256"
ASKED = Change(
    "SORTHEAP: 256 -> 512; carries out memory.sort-overflow (rank 1)", "DBCFG:SORTHEAP", "memory.x", 8.0, (UNDO,),
    "256", "512", "DATABASE", "SALES", 3.0, 15.0, 9.0,
)  # fmt: skip
OTHER = Change("LOGBUFSZ: 8 -> 2048; no advice asked for it", "DBCFG:LOGBUFSZ", None, old="8", new="2048")
PLACE = DatabaseKey("SALES", "db1", "inst")
QUIET = Kind(deviation=0.01, bursts=0.0)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[History]:
    with kept_runs.open_history(tmp_path) as store:
        yield store


def keep(
    kept: History,
    kind: Kind,
    before: int,
    after: int,
    changed: dict[int, tuple[Change, ...]],
    seed: int = 1,
    figures: dict[int, dict[str, Figures]] | None = None,
) -> list[list[Verified]]:
    """Run once per night, at the end of its day, with the changes of that night. Return each night's report."""
    said = []
    for night, interval in enumerate(history(kind, seed, before, after)[0]):
        short = replace(interval, kind="interval", begin=interval.end - timedelta(seconds=300), seconds=300)
        started = interval.end.astimezone()
        run = Run("SALES", started, "SALES on db1", ("SALES", "db1", "inst"), "300 s", None, (), (), ())
        number = kept.add(run)
        kept.measurements.add(number, [interval, short], changed.get(night, ()), (figures or {}).get(night, {}))
        found = [each for each in verify_changes(kept.measurements, "SALES") if each.verdict]
        settle(kept.measurements, found, PLACE)
        said.append(found)
    return said


def test_what_was_measured_is_kept_as_it_was(kept: History) -> None:
    keep(kept, QUIET, 2, 1, {2: (ASKED, OTHER)})
    number = kept.measurements.load_heads("SALES")[-1].number
    (interval,) = [each for each in kept.measurements.load_intervals([number])[number] if each.kind != "interval"]
    assert interval == history(QUIET, 1, 2, 1)[0][-1]
    assert kept.measurements.load_changes("SALES") == {number: (OTHER, ASKED)}
    kept.prune("SALES", 2)
    assert kept.measurements.load_intervals([1]) == {1: ()}


def test_harmful_change_is_reported_once_with_its_undo(kept: History, tmp_path: Path) -> None:
    said = keep(kept, replace(QUIET, effect=0.3), 14, 14, {14: (ASKED,)})
    told = [(night, each) for night, found in enumerate(said) for each in found if each.final]
    ((night, verdict),) = told
    assert verdict.kind == "harmful"
    assert night - 14 < 7
    assert all(not found for found in said[night + 1 :])
    text = summary.render(verdict.seen_at, [Outcome("SALES", run=kept.runs("SALES")[-1], verdicts=[verdict])])
    assert "1 harmful" in text
    assert "Verdict   SORTHEAP: 256 -> 512" in text
    assert UNDO in text


def test_gain_and_unadvised_change_get_a_verdict(kept: History) -> None:
    said = keep(kept, replace(QUIET, effect=-0.14), 14, 14, {14: (OTHER,)})
    (final,) = [each for found in said for each in found if each.final]
    assert final.kind == "confirmed"
    assert final.nights <= NIGHTS[1]


def test_a_change_that_was_made_alone_and_decided_is_a_lesson(kept: History) -> None:
    keep(kept, replace(QUIET, effect=-0.14), 14, 14, {14: (ASKED,)})
    (lesson,) = kept.lessons.load()
    assert (lesson.database, lesson.rule, lesson.object) == (PLACE, "memory.x", Thing("DATABASE", "SALES"))
    assert lesson.settings == (Turned("DBCFG:SORTHEAP", "256", "512"),)
    assert (lesson.promised_pct, lesson.verdict) == (Percent(3, 9, 15), "confirmed")  # the rule's, not the list's
    assert lesson.brought_pct and lesson.brought_pct.low < 14 < lesson.brought_pct.high
    kept.prune("SALES", 2)
    assert kept.lessons.load() == (lesson,)


def test_index_teaches_what_its_statements_gained(kept: History) -> None:
    target = "INDEX:SHOP.IX"
    promises = tuple(
        Promise(target, key, f"SELECT {key}", 100.0, 20.0, saved, 900.0)
        for key, saved in [("A", 80.0), ("B", 40.0), ("C", 80.0)]
    )
    index = replace(ASKED, target=target, object_type="INDEX", object_name="SHOP.IX", promises=promises)
    figures = {14: {"A": Figures(10, 600, 100)}} | {
        night: {"A": Figures(10, 200, 100), "B": Figures(5, 500, None), "C": Figures(0, 0, None)}
        for night in range(15, 28)
    }
    said = keep(kept, replace(QUIET, effect=-0.14), 14, 14, {14: (index,)}, figures=figures)
    first = said[14][0].verdict
    assert first and [(each.statement, each.verdict, each.ms) for each in first.promised] == [("A", "partly", 60.0)]
    (final,) = [each for found in said for each in found if each.final]
    assert [each.verdict for each in final.verdict.promised] == ["as promised", "did not run", "no gain"]
    (lesson,) = kept.lessons.load()
    assert lesson.promised_pct == Percent(3, 9, 15)
    gained = final.verdict.promised[0]
    assert lesson.brought_pct.expected == pytest.approx(8.0 * (100 - gained.ms) / 80 / 2)  # the median with B's 0
    text = summary.render(final.seen_at, [Outcome("SALES", run=kept.runs("SALES")[-1], verdicts=[final])])
    assert "1 as promised, 1 did not run, 1 no gain" in " ".join(text.split())


def test_two_changes_at_once_teach_nothing(kept: History) -> None:
    keep(kept, replace(QUIET, effect=-0.14), 14, 14, {14: (ASKED, OTHER)})
    assert kept.measurements.load_verdicts("SALES")
    assert kept.lessons.load() == ()


@pytest.mark.full
def test_what_is_not_decided_after_four_weeks_is_left(kept: History) -> None:
    said = keep(kept, Kind(effect=-0.01, deviation=0.05), 14, 30, {14: (ASKED,)})
    (final,) = [each for found in said for each in found if each.final]
    assert (final.kind, final.nights) == ("inconclusive", 28)


def test_each_change_is_judged_by_the_nights_up_to_the_next_one(kept: History) -> None:
    keep(kept, replace(QUIET, effect=-0.3), 14, 14, {14: (ASKED,), 20: (OTHER,)})
    first, second = verify_changes(kept.measurements, "SALES", anew=True)
    assert first.nights == 6
    assert first.verdict and first.verdict.figure
    assert first.verdict.figure.days_after == 4  # four working days; one day of a weekend is not compared
    assert second.kind != "confirmed"


def test_the_verdicts_of_a_store_are_shown(tmp_path: Path) -> None:
    with kept_runs.open_history(tmp_path) as store:
        keep(store, replace(QUIET, effect=0.3), 14, 7, {14: (ASKED,)})
    done = CliRunner().invoke(main, ["verify", "--store", str(tmp_path), "SALES"])
    assert done.exit_code == 1
    assert "Verdict     harmful" in done.output
    assert UNDO in done.output
    ticket = CliRunner().invoke(main, ["verify", "--store", str(tmp_path), "SALES", "--format", "jira"])
    assert (ticket.exit_code, ticket.output.partition("\n")[0]) == (1, "h1. SALES: did it help\\? harmful")
    assert CliRunner().invoke(main, ["verify", "--store", str(tmp_path), "NONE"]).exit_code == 2
    shown = CliRunner().invoke(main, ["history", "--store", str(tmp_path), "SALES"]).output
    assert "harmful" in shown


def test_history_without_numpy_shows_final_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with kept_runs.open_history(tmp_path) as store:
        keep(store, replace(QUIET, effect=0.3), 14, 14, {14: (ASKED,), 26: (OTHER,)})
    for name in ("numpy", "scipy"):
        monkeypatch.setitem(sys.modules, name, None)
    done = CliRunner().invoke(main, ["history", "--store", str(tmp_path), "SALES"])
    assert done.exit_code == 0
    assert "harmful" in done.stdout
    assert done.stderr == (
        "db2tune: changes without a final verdict, not shown: 1; run pip install 'db2tune[verify]'\n"
    )
