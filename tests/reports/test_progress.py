"""Progress bars on a terminal."""

import io
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from advisor import progress
from advisor.capture.site import Site
from advisor.fleet.captures import survey
from advisor.imports.texts import import_texts
from advisor.judgement.run import advise
from advisor.nightly import config, database, job
from advisor.nightly.database import Outcome
from tests.support.paths import CAPTURES, FIXTURES


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Return standard error as a terminal on which bars appear at once."""

    class Late:
        def __init__(self, _: float, work: object, of: tuple[object, ...]) -> None:
            self.start = lambda: work(*of)  # type: ignore[operator]
            self.cancel = lambda: None

    monkeypatch.setattr(progress.threading, "Timer", Late)
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=(shown := Terminal())))
    return shown


def nightly(folder: Path) -> None:
    names = "".join(f'[[database]]\nname = "DB{n}"\nurl = "DB"\n' for n in range(4))
    (folder / "nightly.toml").write_text(f'[store]\npath = "store"\n{names}', encoding="utf-8")
    job.run(config.read(folder / "nightly.toml"))


def test_night_shows_the_databases_done_and_no_other_bar(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(each: config.Database, **_: object) -> Outcome:
        assert list(progress.track("Inner", range(3), 3)) == [0, 1, 2]
        return Outcome(each.name, error="down")

    monkeypatch.setattr(database, "run", run)
    nightly(tmp_path)
    assert [f"{n}/4" in terminal.getvalue() for n in range(1, 5)] == [True] * 4
    assert "Databases" in terminal.getvalue()
    assert "Inner" not in terminal.getvalue()


def test_import_fleet_and_judging_show_their_progress(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    import_texts([FIXTURES / "imports" / "snapshot-all.txt"], tmp_path / "one")
    advise(CAPTURES / "idle")
    survey([CAPTURES / "idle", CAPTURES / "laptop"], Site())
    shown = terminal.getvalue()
    assert ["Reading" in shown, "Judging by rules" in shown, "Captures" in shown] == [True] * 3
    assert "2/2" in shown
    assert shown.index("Reading") < shown.index("Judging") < shown.index("Captures") > shown.rindex("Judging")


def test_short_work_shows_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=(shown := Terminal())))
    assert list(progress.track("Databases", range(40), 40)) == list(range(40))
    assert "Databases" not in shown.getvalue()


def test_long_work_shows_its_remaining_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER_S", 0.05)
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=(shown := Terminal())))
    for _ in progress.track("Databases", range(30), 30):
        time.sleep(0.05)
    assert "29/30  00:00:0" in shown.getvalue()


def test_bars_appear_only_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER_S", 0.0)
    for _ in progress.track("Databases", range(3), 3):
        time.sleep(0.02)
    assert capsys.readouterr() == ("", "")
