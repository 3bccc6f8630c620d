"""The local store of runs, and its display."""

import errno
import json
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn

import apsw
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from advisor import files
from advisor.cli.main import main
from advisor.errors import UserError
from advisor.nightly import history
from advisor.nightly import history_show as show
from advisor.nightly.runs import Line, Metric, Run, Spent
from tests.support.markup import Page
from tests.support.paths import ROOT

FIRST = datetime(2026, 3, 1, 2, 0, tzinfo=UTC)
ADVICE = Line(
    1, "P", "prefetch.x", "TABLESPACE", "TS\u202e1", None, "Prefetch: TS1", 12.5, "T", "32", "48", None, False
)


def run(night: int, value: float | None = 1.0, lines: tuple[Line, ...] = (ADVICE,), name: str = "SALES") -> Run:
    metrics = (Metric("lock wait per activity", "ms", value),)
    spent = (Spent("LOCK", "Locks", 45.5, 0.0, "a scan", "SELECT 1"), Spent("CF", "CF", 2.0, 1.0, None, None))
    started = FIRST + timedelta(days=night)
    not_run = (("log.x", "source log was not collected"),)
    return Run(
        name, started, "SALES on db1", ("SALES", "db1", "i"), "300 s", None, lines, metrics, not_run, "a.capture",
        spent, "Too little was seen.",
    )  # fmt: skip


def stored(store: Path, *runs: Run) -> Path:
    with history.open_history(store) as kept:
        for each in runs:
            kept.add(each)
    return store


def shown(store: Path, *arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "80", "DB2TUNE_DEBUG": "0"}).invoke(
        main, ["history", "--store", str(store), *arguments]
    )


def test_a_run_promises_what_is_left_after_earlier_changes_and_names_its_discard_once() -> None:
    discarded = "interval discarded: the clock of the server went back between the snapshots"
    one = replace(run(0, lines=(replace(ADVICE, benefit_after=7.5), ADVICE)), discarded=discarded)
    assert show.run_row(one)[2:] == ["20.0 %", discarded]


def test_a_run_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    kept_runs = [run(0), run(1, None, ())]
    with history.open_history(stored(tmp_path, *kept_runs)) as kept:
        assert kept.runs("SALES") == kept_runs
        assert kept.runs("SALES", last=1) == kept_runs[1:]
        assert kept.runs("HR") == []


def test_pruning_keeps_the_last_nights(tmp_path: Path) -> None:
    stored(tmp_path, *(run(night) for night in range(5)), run(0, name="HR"))
    with history.open_history(tmp_path) as kept:
        kept.prune("SALES", 3)
        assert [each.started_at for each in kept.runs("SALES")] == [FIRST + timedelta(days=n) for n in (2, 3, 4)]
        kept.prune("SALES", 1)
        assert [each.started_at for each in kept.runs("SALES")] == [FIRST + timedelta(days=n) for n in (3, 4)]
        assert len(kept.runs("HR")) == 1
    with closing(apsw.Connection(str(tmp_path / history.FILE))) as connection:
        assert connection.execute("SELECT count(DISTINCT run_id) FROM advice").fetchone() == (3,)


@pytest.mark.parametrize("days", [-400, 3650])
@pytest.mark.parametrize("wrong", [2, 4])
def test_a_wrong_clock_makes_no_run_old(days: int, wrong: int, tmp_path: Path) -> None:
    stored(tmp_path, *(run(night + (days if night == wrong else 0)) for night in range(5)))
    with history.open_history(tmp_path) as kept:
        kept.prune("SALES", 7)
        assert len(kept.runs("SALES")) == 5


def test_a_run_that_fails_half_way_is_not_there(tmp_path: Path) -> None:
    wrong = replace(ADVICE, accepted=None)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="history"), history.open_history(tmp_path) as kept:
        kept.add(run(0, lines=(ADVICE, wrong)))
    with history.open_history(tmp_path) as kept:
        assert kept.runs() == []


def test_notifications_are_kept_by_channel_and_database(tmp_path: Path) -> None:
    with history.open_history(stored(tmp_path, run(0), run(0, name="HR"))) as kept:
        assert (kept.load_last_numbers(), kept.load_notifications("mail")) == ({"SALES": 1, "HR": 2}, {})
        kept.record_notifications("mail", {"SALES": "run 1", "HR": "run 2"})
        kept.record_notifications("mail", {"SALES": "run 3"})
        assert (kept.load_notifications("mail"), kept.load_notifications("files")) == (
            {"SALES": "run 3", "HR": "run 2"},
            {},
        )


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("PRAGMA user_version = 99", "version 99 is newer than this db2tune supports (3); upgrade db2tune"),
        ("PRAGMA application_id = 0", "is not a db2tune history"),
        ("DROP TABLE told", "is not a db2tune history"),
        ("CREATE VIEW more AS SELECT 1", "is not a db2tune history"),
        ("CREATE TRIGGER more AFTER INSERT ON run BEGIN DELETE FROM lesson; END", "is not a db2tune history"),
        (None, "is damaged"),
    ],
)
def test_a_store_that_cannot_be_read_is_one_line(tmp_path: Path, spoil: str | None, said: str) -> None:
    file = stored(tmp_path, run(0)) / history.FILE
    if spoil is None:
        file.write_bytes(file.read_bytes()[:5000])
    else:
        with closing(apsw.Connection(str(file))) as connection:
            connection.execute(spoil)
    done = shown(tmp_path)
    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.splitlines()) == 1


def test_no_store_is_made_by_looking(tmp_path: Path) -> None:
    done = shown(tmp_path)
    assert (done.exit_code, "contains no history" in done.output) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_history_shows_runs_advice_and_metrics(tmp_path: Path) -> None:
    gone = Line(2, "S", "log.y", "DATABASE", "SALES", None, "Log: SALES", 0, None, None, None, None, False)
    stored(tmp_path, run(0, 1.0, (ADVICE, gone)), run(1, 2.0), run(2, 8.0))
    text = shown(tmp_path).output
    assert "2026-03-03" in text
    rows = [each.split() for each in text.splitlines()]
    assert ["1", "12.5", "%", "2026-03-01", "2026-03-03", "3"] in [row[:6] for row in rows]
    assert ["gone", "2026-03-01", "2026-03-01", "1"] in [row[:4] for row in rows]
    assert "▂▃█" in text
    assert max(map(len, text.splitlines())) <= 80
    document = json.loads(shown(tmp_path, "SALES", "--format", "json").output)
    (entry,) = document["databases"]
    assert [(each["rule"], each["runs"], each["still"]) for each in entry["advice"]] == [
        ("prefetch.x", 3, True),
        ("log.y", 1, False),
    ]
    assert [each["metrics"][0]["value"] for each in entry["runs"]] == [1.0, 2.0, 8.0]
    assert [
        each["started_at"][:10]
        for each in json.loads(shown(tmp_path, "--last", "1", "--format", "json").output)["databases"][0]["runs"]
    ] == ["2026-03-03"]
    assert shown(tmp_path, "HR").exit_code == 2


def test_history_is_a_page_too(tmp_path: Path) -> None:
    file = tmp_path / "history.html"
    done = shown(stored(tmp_path, run(0, 1.0), run(1, None), run(2, 8.0)), "--format", "html", "-o", str(file))
    assert (done.exit_code, done.output) == (0, f"Wrote {file}\n")
    page = Page(file.read_text(encoding="utf-8"))
    assert "prefetch.x: TS\\u202e1" in page.text
    assert page.tags.count("circle") == 2
    assert "M0.00 87.50M100.00 0.00" in [of["d"] for tag, of in page.elements if tag == "path"]


@pytest.mark.parametrize(("encoding", "blocks"), [("utf-8", show.BLOCKS), ("ascii", show.ASCII_BLOCKS)])
def test_blocks_are_those_that_the_output_can_show(encoding: str, blocks: str) -> None:
    assert show.blocks_for(encoding) == blocks


@given(st.lists(st.one_of(st.none(), st.floats(-1e12, 1e12)), max_size=40))
def test_a_sparkline_rises_where_the_values_rise(values: list[float | None]) -> None:
    line = show.sparkline(values)
    assert len(line) == len(values)
    pairs = [(value, show.BLOCKS.index(c)) for value, c in zip(values, line, strict=True) if value is not None]
    assert all(a[1] <= b[1] for a in pairs for b in pairs if a[0] < b[0])
    assert all(c == show.GAP for value, c in zip(values, line, strict=True) if value is None)


def test_a_sparkline_of_little_change_is_flat() -> None:
    assert len(set(show.sparkline([0.100, 0.105, 0.102]))) == 1
    assert len(set(show.sparkline([0.0, 0.1, 0.2]))) == 3


def test_partly_created_store_is_created_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(files, "place", killed)
        with pytest.raises(KeyboardInterrupt), history.open_history(tmp_path):
            pass
    assert not (tmp_path / history.FILE).exists()
    with history.open_history(stored(tmp_path, run(0))) as kept:
        assert kept.runs() == [run(0)]
    assert (tmp_path / history.FILE).stat().st_mode & 0o777 == 0o600


def test_damaged_store_names_its_copy_with_the_runs(tmp_path: Path) -> None:
    """The night before the damage copied the store; a flipped bit anywhere is found, and spoils no copy."""
    store = stored(tmp_path, run(0), run(1))
    file, copy = store / history.FILE, store / history.COPY
    with history.open_history(store, copy=True):
        pass
    assert copy.stat().st_mode & 0o777 == 0o600
    good, found = file.read_bytes(), 0
    for at in range(0, len(good), len(good) // 40):
        file.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        try:
            with history.open_history(store, copy=True) as kept:
                assert kept.runs() == [run(0), run(1)]
        except UserError as error:
            found += 1
            assert f"replace it with {history.COPY}, which has the runs before 20" in str(error)
        file.write_bytes(copy.read_bytes())
        with history.open_history(store) as kept:
            assert kept.runs() == [run(0), run(1)]
    assert found > 4


def test_full_disk_keeps_the_copy_and_stops_no_night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = stored(tmp_path, run(0))
    with history.open_history(store, copy=True):
        pass
    before = (store / history.COPY).read_bytes()
    monkeypatch.setattr(files, "create_folder_beside", _no_room)
    with history.open_history(stored(store, run(1)), copy=True) as kept:
        assert len(kept.runs()) == 2
    assert (store / history.COPY).read_bytes() == before


def _no_room(_: Path) -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_file_of_another_database_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / history.FILE).write_bytes(bytes(8) + b"DUCK" + bytes(4096))
    done = shown(tmp_path)
    assert (done.exit_code, "is damaged or not a history" in done.output, len(done.output.splitlines())) == (2, True, 1)


HOLD = """
import apsw, sys
connection = apsw.Connection(sys.argv[1])
connection.execute("BEGIN IMMEDIATE")
print(1, flush=True)
sys.stdin.read()
"""


def test_store_locked_by_another_process_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "PATIENCE_S", 0.1)
    command = [sys.executable, "-c", HOLD, str(stored(tmp_path, run(0)) / history.FILE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        done = shown(tmp_path)
        other.communicate()
    assert (done.exit_code, len(done.output.splitlines())) == (2, 1)
    assert "another process has locked it" in done.output


def test_signal_during_the_wait_for_a_lock_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: float) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(history, "pause", interrupted)
    with closing(apsw.Connection(str(stored(tmp_path, run(0)) / history.FILE))) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(KeyboardInterrupt), history.open_history(tmp_path):
            pass


PARALLEL = """
import sys
from pathlib import Path
from advisor.nightly import history
from tests.reports.test_history import run
for night in range(10):
    with history.open_history(Path(sys.argv[1])) as kept:
        kept.add(run(night, name=sys.argv[2]))
"""


def test_parallel_processes_lose_no_run(tmp_path: Path) -> None:
    """They also create the store at the same time."""
    names = "ABCD"
    started = [subprocess.Popen([sys.executable, "-c", PARALLEL, str(tmp_path), name], cwd=ROOT) for name in names]
    assert [each.wait(60) for each in started] == [0] * len(names)
    with history.open_history(tmp_path) as kept:
        assert {name: kept.runs(name) for name in names} == {
            name: [run(night, name=name) for night in range(10)] for name in names
        }


KILLED = """
import os, sys
from pathlib import Path
import apsw
from advisor.nightly import history
from tests.reports.test_history import run
store = Path(sys.argv[1])
with history.open_history(store) as kept:
    kept.add(run(0))
other = apsw.Connection(str(store / history.FILE))  # open, so that the log is not moved to the file
other.execute("SELECT * FROM run").fetchall()
for night in (1, 2, 3):
    with history.open_history(store) as kept:
        kept.add(run(night))
with history.open_history(store) as kept:
    kept.add(run(4))
    os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_runs_in_the_log_survive_a_kill(tmp_path: Path) -> None:
    """The log is damaged in one place after the other: the runs before the damage remain, each of them whole."""
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False, cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    file, log = tmp_path / history.FILE, tmp_path / f"{history.FILE}-wal"
    good, logged, counts = file.read_bytes(), log.read_bytes(), []
    for at in (*range(0, len(logged), len(logged) // 40), None):
        (tmp_path / f"{history.FILE}-shm").unlink(missing_ok=True)
        file.write_bytes(good)
        log.write_bytes(logged if at is None else logged[:at] + bytes([logged[at] ^ 1]) + logged[at + 1 :])
        with history.open_history(tmp_path, copy=True) as kept:
            runs = kept.runs()
        assert runs == [run(night) for night in range(len(runs))]
        counts.append(len(runs))
    assert (counts[0], counts[-1], counts) == (1, 4, sorted(counts))


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from advisor.errors import UserError
from advisor.nightly import history
from tests.reports.test_history import run
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
room = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
try:
    with history.open_history(Path(sys.argv[1])) as kept:
        kept.add(run(1, lines=run(1).lines * 2000))
except UserError as error:
    print(error)
"""


def fill_disk(store: Path, room_kb: int) -> str:
    command = [sys.executable, "-c", FULL_DISK, str(store), str(room_kb << 10)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    assert len(done.stdout.splitlines()) == 1, done
    return done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for the size of a file")
@pytest.mark.parametrize("room_kb", [2, 16, 64])
def test_store_after_a_full_disk_can_be_created(room_kb: int, tmp_path: Path) -> None:
    assert "cannot be created" in fill_disk(tmp_path, room_kb)
    assert list(tmp_path.iterdir()) == []
    with history.open_history(stored(tmp_path, run(0))) as kept:
        assert kept.runs() == [run(0)]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for the size of a file")
def test_run_that_fills_the_disk_is_not_stored(tmp_path: Path) -> None:
    room_kb = (stored(tmp_path, run(0)) / history.FILE).stat().st_size >> 10
    assert "cannot be written" in fill_disk(tmp_path, room_kb)
    with history.open_history(tmp_path, copy=True) as kept:
        assert kept.runs() == [run(0)]
