"""The summary of a night of 40 databases."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from advisor.errors import UserError
from advisor.nightly import config, database, summary
from advisor.nightly.clock import Clock
from advisor.nightly.database import Outcome
from advisor.nightly.estate import survey_run
from advisor.nightly.runs import Run, run_of
from tests.machines import MACHINES
from tests.support.advised import advised

FIRST = datetime(2026, 3, 2, 2, 0, tzinfo=UTC)
SECOND = FIRST + timedelta(days=1)
PAGE = "/srv/db2tune/index.html"


def runs(night: datetime) -> list[Run]:
    """Return runs of 40 databases, which are all machines and some of them twice."""
    names = sorted(MACHINES)
    advice = [advised(names[n % len(names)]) for n in range(40)]
    return [run_of(f"DB{n:02}", night, each, ()) for n, each in enumerate(advice)]


def second_night() -> list[Outcome]:
    outcomes = [Outcome(run.database, run=run, changes=[]) for run in runs(SECOND)]
    for outcome, before in zip(outcomes, runs(FIRST), strict=True):
        database.compare_with(outcome, [before])
    return outcomes


def sections(text: str) -> dict[str, list[str]]:
    """Return the lines of each section, and check that none is empty."""
    _, *parts = text.split("\n\n")
    found = {heading: lines for heading, *lines in (part.splitlines() for part in parts)}
    assert all(lines for heading, lines in found.items() if not heading.startswith("All advice"))
    return found


@pytest.mark.full
def test_first_night_of_40_databases_shows_every_risk() -> None:
    outcomes = [Outcome(run.database, run=run) for run in runs(FIRST)]
    text = summary.render(FIRST, outcomes, PAGE)
    lines = text.splitlines()
    assert len(lines) <= summary.LINES
    assert lines[-1] == f"All advice: {PAGE}"
    risks = {item.rule for each in outcomes if each.run for item in survey_run(each.run).found if item.at_risk}
    at_risk = "\n".join(sections(text)["At risk"])
    assert [rule for rule in risks if text.count(f"[{rule}]") != 1 or f"[{rule}]" not in at_risk] == []
    assert len(risks) > 3


@pytest.mark.full
def test_second_night_of_40_databases_reports_nothing_new() -> None:
    text = summary.render(SECOND, second_night(), PAGE)
    assert text.startswith("db2tune: 40 databases, nothing new; ")
    assert len(text.splitlines()) < 25
    found = sections(text)
    assert found.keys() == {"At risk", "Unchanged", f"All advice: {PAGE}"}
    at_risk = " ".join(" ".join(found["At risk"]).split())
    assert at_risk.count("; since 2026-03-02") == at_risk.count("]: ") > 3


@pytest.mark.full
def test_night_in_which_one_database_breaks_shows_it_in_full() -> None:
    outcomes = second_night()
    broken = next(each for each in outcomes if each.run and len(each.run.ranked) > 5)
    assert broken.run
    kept, *new = broken.run.ranked
    before = replace(broken.run, lines=(kept,), started_at=FIRST)
    database.compare_with(broken, [before])
    text = summary.render(SECOND, outcomes, PAGE)
    assert text.startswith(f"db2tune: 40 databases, {len(new)} new; ")
    block = " ".join(" ".join(sections(text)[broken.database]).split())
    said = [summary._line(each) for each in new[: summary.LISTED]]
    assert [each for each in said if block.count(each) != 1] == []
    assert f"[{kept.rule}]; since 2026-03-02" in block
    assert list(sections(text)) == ["At risk", broken.database, "Unchanged", f"All advice: {PAGE}"]


def test_one_reason_for_40_failures_is_one_entry() -> None:
    outcomes = [Outcome(f"DB{n:02}", error="user or password is wrong") for n in range(40)]
    outcomes[7].failing_since = FIRST.date()
    assert sections(summary.render(SECOND, outcomes, PAGE))["Failed"] == [
        "  user or password is wrong: 40 databases, DB07, DB00, DB01 and 37 more; since 2026-03-02"
    ]


def test_failure_names_its_first_night_until_a_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "nightly.toml"
    file.write_text('[store]\npath = "store"\n[[database]]\nname = "HR"\nurl = "HR"\n', encoding="utf-8")
    (each,) = config.read(file).databases
    found: list[date | None] = []
    for day, works in enumerate([False, False, True, False, False]):

        def run(*_: object, works: bool = works) -> None:
            if not works:
                raise UserError("no answer")

        monkeypatch.setattr(database, "_run", run)
        clock = Clock(lambda day=day: FIRST + timedelta(days=day))  # type: ignore[misc]
        found.append(database.run(each, tmp_path / "store", clock).failing_since)
    assert found == [None, date(2026, 3, 2), None, None, date(2026, 3, 5)]
