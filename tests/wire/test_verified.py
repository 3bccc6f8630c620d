"""A change from advice to verdict: nights of the model, served by the stand-in one after the other and read by the job."""

import csv
import re
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor.catalogue.sources import all_sources
from advisor.cli.main import main
from advisor.judge.run import advise
from advisor.nightly import summary
from tests.twin import samples
from tests.twin.change import Setting
from tests.twin.commands import settings_of
from tests.twin.series import History, series
from tests.wire.conftest import standin
from tests.wire.nights import Nights

pytestmark = pytest.mark.full

FIRST = datetime(2026, 3, 9, 10, 0)  # of the model
ADVISED = "memory.stmm-off-or-ineffective"
SEEN = 4  # the night that sees the change, after three working days


def history(change: tuple[Setting, ...] = ()) -> History:
    return series(samples.orders(), 8, 300, hour=10, seed=2, changes={SEEN: change} if change else {})


def job(folder: Path, nights: range, of: History) -> list[str]:
    """Run the job in these nights; what it told in each."""
    told = []
    for night, place in enumerate(of.write(folder / f"served-{nights.start}"), 1):
        if night not in nights:
            continue
        _whole(place)
        with contextmanager(standin)(place) as server:
            job_of = Nights(folder, {"TWIN": server})
            job_of.now = (FIRST + timedelta(days=night - 1)).astimezone()
            done = job_of.run()
            assert done.outcomes[0].error is None
            told.append(" ".join(summary.render(done.started_at, done.outcomes).split()))
    return told


def _whole(folder: Path) -> None:
    """All columns of every source: the stand-in shows what a server shows."""
    for path in folder.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, ["SNAP_ID", *(column.name for column in all_sources()[path.stem].columns)])
            writer.writeheader()
            writer.writerows(rows)


def advised(folder: Path) -> list[str]:
    """The commands of a ticket for self-tuning, from the capture of the last night."""
    (*_, last) = sorted((folder / "store" / "TWIN").glob("*.capture"))
    (item,) = [each for each in advise(last).ranked if each.rule.name == ADVISED]
    done = CliRunner().invoke(main, ["ticket", "--capture", str(last), "--rank", str(item.rank), "--format", "text"])
    assert done.exit_code == 0, done.output
    commands = [command for command in item.actions if not command.startswith("--")]
    assert all(command in done.output for command in commands)
    return commands


def test_what_was_advised_is_carried_out_and_nights_later_confirmed(tmp_path: Path) -> None:
    job(tmp_path, range(1, SEEN), history())
    after = history(tuple(setting for command in advised(tmp_path) for setting in settings_of(command)))
    assert after.effects[SEEN].inside > 0.05
    told = job(tmp_path, range(SEEN, 9), after)
    assert f"carries out {ADVISED}" in told[0]
    assert "Verdict" in told[1]
    assert "so far inconclusive" in told[1]
    assert any(": confirmed: database time per activity -" in text for text in told[2:])
    shown = CliRunner().invoke(main, ["verify", "--store", str(tmp_path / "store"), "TWIN"])
    assert shown.exit_code == 0
    assert shown.output.startswith("Verdict     confirmed")
    figure = float(re.search(r"activity ([-+\d.]+) %", shown.output).group(1))
    assert figure == pytest.approx(-100 * after.effects[SEEN].inside, abs=3)


def test_what_harms_is_told(tmp_path: Path) -> None:
    smaller = settings_of('ALTER BUFFERPOOL "BP" SIZE 100000')
    told = job(tmp_path, range(1, 9), history(smaller))
    assert (
        any("1 harmful" in text and "no advice asked for it: harmful" in text for text in told[5:])
        or "harmful" in told[-1]
    )
    known = CliRunner().invoke(main, ["learned", "--store", str(tmp_path / "store")])
    assert known.output.startswith("No advice asked for it: 1 change did harm")
    assert "BUFFERPOOL:BP:SIZE" in known.output
