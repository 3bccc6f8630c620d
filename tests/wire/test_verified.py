"""A change from advice to verdict: nights of the model database, served one by one and read by the job."""

import csv
import re
import shutil
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor.catalogue.sources import all_sources
from advisor.cli.main import main
from advisor.judgement.run import advise
from advisor.nightly import summary
from tests.support.once import once
from tests.twin import samples
from tests.twin.change import Setting, settings_of
from tests.twin.series import History, series
from tests.wire.carrying_out import ThroughDriver
from tests.wire.conftest import standin
from tests.wire.nights import Nights

pytestmark = pytest.mark.full

FIRST = datetime(2026, 3, 9, 10, 0)  # of the model database
ADVISED = "memory.stmm-off-or-ineffective"
SEEN = 4  # the night that contains the change, after three working days
LATER = (SEEN, 5, 8, 9)  # also working days
WAS = {"self_tuning_mem": "OFF", "pckcachesz": "4000", "pool BP": 250_000}


def history(change: tuple[Setting, ...] = ()) -> History:
    return series(samples.orders(), LATER[-1], 300, hour=10, seed=2, changes={SEEN: change} if change else {})


def job(folder: Path, nights: tuple[int, ...], of: History) -> list[str]:
    """Run the job in these nights; return the output of each."""
    told = []
    for night, place in enumerate(of.write(folder / f"served-{nights[0]}"), 1):
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
    """Add all columns of every source: the fake server shows only columns of the files."""
    for path in folder.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, ["SNAP_ID", *(column.name for column in all_sources()[path.stem].columns)])
            writer.writeheader()
            writer.writerows(rows)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store after the nights before the change."""

    def make() -> Path:
        folder = tmp_path_factory.mktemp("begun")
        job(folder, (1, 2, 3), history())
        return folder

    return once("nights-before-a-change", make)


@pytest.fixture
def folder(begun: Path, tmp_path: Path) -> Path:
    shutil.copytree(begun / "store", tmp_path / "store")
    return tmp_path


def captured(folder: Path) -> Path:
    """Return the capture of the last night."""
    return max((folder / "store" / "TWIN").glob("*.capture"))


def advised(folder: Path) -> list[str]:
    """Return the commands of a ticket for self-tuning, from the capture of the last night."""
    last = captured(folder)
    (item,) = [each for each in advise(last).ranked if each.rule.name == ADVISED]
    done = CliRunner().invoke(main, ["ticket", "--capture", str(last), "--rank", str(item.rank), "--format", "text"])
    assert done.exit_code == 0, done.output
    commands = [command for command in item.actions if not command.startswith("--")]
    assert all(command in done.output for command in commands)
    return commands


def carried_out(folder: Path, night: int, of: History, commands: list[str]) -> dict[str, object]:
    """Execute commands over a connection to the server of a night; return the resulting settings."""
    place = of.write(folder / "carrying")[night - 1]
    _whole(place)
    with contextmanager(standin)(place) as server, server.connect() as connection:
        hands = ThroughDriver(connection)
        for command in commands:
            hands.carry_out(command)
        pools = connection.rows("SELECT BPNAME, NPAGES FROM SYSCAT.BUFFERPOOLS")
        found: dict[str, object] = {f"pool {name}": pages for name, pages in pools}
        settings = connection.rows("SELECT NAME, DEFERRED_VALUE, DEFERRED_VALUE_FLAGS FROM SYSIBMADM.DBCFG")
        return found | {name: value if flags == "NONE" else flags for name, value, flags in settings}


def verified(folder: Path) -> tuple[int, str]:
    shown = CliRunner().invoke(main, ["verify", "--store", str(folder / "store"), "TWIN"])
    return shown.exit_code, shown.output


def test_carried_out_advice_is_confirmed_nights_later(folder: Path) -> None:
    commands = advised(folder)
    set_ = carried_out(folder, SEEN - 1, history(), commands)
    assert (set_["self_tuning_mem"], set_["pckcachesz"], set_["pool BP"]) == ("ON", "AUTOMATIC", -2)
    after = history(tuple(setting for command in commands for setting in settings_of(command)))
    assert after.effects[SEEN].inside > 0.05
    told = job(folder, LATER, after)
    assert f"carries out {ADVISED}" in told[0]
    assert any(": confirmed: database time per activity -" in text for text in told[1:])
    status, output = verified(folder)
    assert status == 0
    assert output.startswith("Verdict     confirmed")
    figure = float(re.search(r"activity ([-+\d.]+) %", output).group(1))
    assert figure == pytest.approx(-100 * after.effects[SEEN].inside, abs=3)


def test_harmful_change_is_reported_and_undone(folder: Path) -> None:
    """Only one command of the advice, and an unadvised smaller pool."""
    smaller = ("UPDATE DB CFG FOR TWIN USING PCKCACHESZ AUTOMATIC", 'ALTER BUFFERPOOL "BP" SIZE 100000')
    after = history(tuple(setting for command in smaller for setting in settings_of(command)))
    told = job(folder, LATER, after)
    assert any("1 harmful" in text and f"carries out {ADVISED}" in text for text in told)
    status, output = verified(folder)
    assert status == 1
    assert output.startswith("Verdict     harmful")
    undo = [line.strip() for line in output.partition("undo the change:")[2].splitlines() if line.strip()]
    assert 'ALTER BUFFERPOOL "BP" IMMEDIATE SIZE 250000' in undo
    assert any(all(command in text for command in undo) for text in told)
    back = carried_out(folder, LATER[-1], after, undo)
    assert {name: back[name] for name in WAS} == WAS


def test_change_without_effect_is_not_confirmed_or_harmful(folder: Path) -> None:
    told = job(folder, LATER, history(settings_of("UPDATE DB CFG FOR TWIN USING PCKCACHESZ 4400")))
    assert "PCKCACHESZ: 4000 -> 4400" in told[0]
    status, output = verified(folder)
    assert status == 0
    assert re.match(r"Verdict     (no effect|inconclusive): database time per activity", output)
    low, high = map(float, re.search(r"\(([-+\d.]+) to ([-+\d.]+)\)", output).groups())
    assert low < 0 < high
