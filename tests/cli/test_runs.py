"""Saved runs: a rank refers to the printed list, even if the database, texts or home directory change later."""

import json
import os
import shlex
import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from advisor.anonymize import anonymize_capture
from advisor.capture import open_capture
from advisor.capture.opening import manifest
from advisor.capture.site import Site
from advisor.cli.main import main
from advisor.cli.sources import Sources
from advisor.imports import texts
from advisor.judgement.run import advise
from advisor.kept import run as kept
from advisor.kept import store
from tests.support.paths import CAPTURES, FIXTURES
from tests.support.site_rule import NAME, RULE, SITE
from tests.support.states import state_of, write_capture

TEXT = FIXTURES / "imports" / "configuration-oltp.txt"
URL = "db2://nobody@nowhere:1/BASE"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def refused(result: Result) -> str:
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.output
    return result.stderr


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of saved runs."""
    monkeypatch.setenv(store.FOLDER, str(tmp_path / "state" / "runs"))
    return tmp_path / "state" / "runs"


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the clock to noon, so that texts without a time are judged only once."""

    class Noon(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Noon":
            return cls(2026, 3, 2, 12, tzinfo=tz)

    monkeypatch.setattr(texts, "datetime", Noon)


@pytest.fixture
def given(noon: None, tmp_path: Path) -> kept.Given:
    return kept.Given(capture_of(TEXT, tmp_path / "given"), Site(), {}, "database")


def capture_of(text: Path, folder: Path) -> Path:
    folder.mkdir()
    texts.import_texts([text], folder, texts.Known())
    return folder


@pytest.fixture
def database(given: kept.Given, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the capture with a database's answers; a test changes it during the run."""
    monkeypatch.setattr(
        Sources, "_collect", lambda _, folder, __: shutil.copytree(given.capture, folder, dirs_exist_ok=True)
    )
    return given.capture


def listed(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)["recommendations"]  # type: ignore[no-any-return]


def test_a_rank_means_the_list_that_was_shown(database: Path, tmp_path: Path) -> None:
    shown = run("advise", "--database", URL, "--format", "json")
    assert shown.stderr == "Kept as run 1: db2tune ticket --run 1 --rank 1\n"
    (tmp_path / "changed.txt").write_text(TEXT.read_text(encoding="utf-8").replace("NONE", "BASE"), encoding="utf-8")
    shutil.rmtree(database)
    capture_of(tmp_path / "changed.txt", database)
    now = listed(run("advise", "--database", URL, "--format", "json", "--no-keep"))
    first = listed(shown)[0]
    assert (now[0]["rule"], now[0]["actions"]) != (first["rule"], first["actions"])
    for reference in ("1", "last"):
        assert listed(run("advise", "--run", reference, "--format", "json")) == listed(shown)
        ticket, explained = (run(what, "--run", reference, *rank) for what, rank in USES.items())
        assert (ticket.exit_code, explained.exit_code) == (0, 0)
        assert first["actions"][0]["text"] in ticket.stdout
        assert f"rank 1, {first['rule']}" in explained.stdout
    assert first["actions"][0]["text"] in run("plan", "--run", "1").stdout


USES = {"ticket": ["--rank", "1"], "explain": ["1"]}


@pytest.mark.full
def test_a_run_has_what_its_list_was_made_of(tmp_path: Path) -> None:
    """A run contains the site's options and the facts, but no rules."""
    (tmp_path / "our-rules").mkdir()
    (tmp_path / "our-rules" / "optimization-class.sql").write_text(RULE, encoding="utf-8")
    more = f'\n[[accepted]]\nrule = "log.circular"\nobject = "*"\nreason = "r"\nby = "b"\nuntil = 2099-01-01\n["{NAME}"]\nusual = 1'
    (tmp_path / "site.toml").write_text(SITE + more.partition('["')[0], encoding="utf-8")
    capture = write_capture(state_of({"config": {"dft_queryopt": 7, "logarchmeth1": "OFF"}}), tmp_path / "c")
    host = manifest(capture).snapshots[0].database["host"]
    (tmp_path / "facts.toml").write_text(f"[host.{host}.memory]\nthp = 'always'\n", encoding="utf-8")
    asked = ["--options", tmp_path / "site.toml", "--hostfacts", tmp_path / "facts.toml"]
    target = tmp_path / "it's kept.capture"
    shown = run("advise", capture, *asked, "--keep", target, "--format", "json")
    assert {"log.circular", NAME} <= {item["rule"] for item in listed(shown)}
    assert f"Kept in {target}: db2tune ticket --run {shlex.quote(str(target))} --rank 1\n" in shown.stderr

    with_rules = run("advise", "--run", target, "--options", tmp_path / "site.toml", "--format", "json")
    assert (listed(with_rules), with_rules.stderr) == (listed(shown), "")
    without = run("advise", "--run", target, "--format", "json")
    assert "rules of the site" in without.stderr
    own = [item for item in listed(shown) if item["rule"] != NAME]
    assert [item["accepted"] for item in listed(without)] == [item["accepted"] for item in own]
    with open_capture(target) as again:
        assert "thp" in again.files["hostfact"].read_text(encoding="utf-8")


def test_a_rank_of_another_list_is_refused(given: kept.Given, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(kept, "__version__", "0.0.1")
        kept.keep(given, advise(given.capture), tmp_path / "kept")
    document = json.loads((tmp_path / "kept" / "manifest.json").read_text())
    first, *_, last = document["run"]["list"]
    assert first["rank"] == 1 < last["rank"]
    last["change"] = "another"
    (tmp_path / "kept" / "manifest.json").write_text(json.dumps(document))

    said = f"db2tune: rank {last['rank']} was {last['rule']} on {last['object']}"
    for command in (["ticket", "--rank", f"1,{last['rank']}"], ["explain", str(last["rank"])]):
        assert refused(run(command[0], "--run", tmp_path / "kept", *command[1:])).startswith(said)
    unmoved = run("ticket", "--run", tmp_path / "kept", "--rank", "1")
    assert unmoved.stderr.startswith(f"db2tune: ranks {last['rank']} have changed: the run used db2tune 0.0.1")
    assert unmoved.exit_code == 0
    assert run("ticket", "--run", tmp_path / "kept", "--rule", last["rule"]).exit_code == 0


def test_a_ticket_of_a_rule(tmp_path: Path) -> None:
    demo = ["ticket", "--capture", CAPTURES / "x445-8way"]
    by_rank, by_rule = run(*demo, "--rank", "1"), run(*demo, "--rule", "prefetch.size-misaligned")
    assert (by_rule.exit_code, by_rule.stdout) == (0, by_rank.stdout)
    one = run(*demo, "--rule", "prefetch.size-misaligned", "--object", "EMPLOYEE_TABLE")
    assert one.stdout == by_rank.stdout
    for arguments, message in (
        (["--rule", "prefetch.size-misaligned", "--object", "EMPLOYE_TABLE"], "did you mean EMPLOYEE_TABLE?"),
        (["--rule", "prefetch.size"], "no such rule"),
        (["--rule", "log.circular"], "log.circular: is not in the list"),
        (["--rule", "log.circular", "--rank", "1"], "use either --rank or --rule"),
        ([], "use either --rank or --rule"),
        (["--rank", "1", "--object", "X"], "--object requires --rule"),
    ):
        assert message in refused(run(*demo, *arguments)), arguments


@pytest.mark.parametrize("command", [["plan"], ["statements"], ["explain", "1"], ["ticket", "--rank", "1"]])
def test_texts_are_taken_as_by_advise(command: list[str]) -> None:
    done = run(command[0], TEXT, *command[1:])
    assert done.exit_code == 0, done.output
    assert command[0] == "statements" or "MON_REQ_METRICS" in done.stdout


def test_what_advise_and_plan_read_is_kept(folder: Path) -> None:
    for command in (["advise", TEXT], ["advise", TEXT, "--no-keep"], ["plan", TEXT], ["explain", TEXT, "1"],
                    ["advise", CAPTURES / "idle"]):  # fmt: skip
        assert run(*command).exit_code == 0
    assert sorted(file.name for file in folder.iterdir()) == ["1.capture", "2.capture"]
    found = json.loads(run("runs", "--format", "json").stdout)["runs"]
    assert [(each["run"], each["database"], each["from"], each["first"]) for each in found] == [
        (2, "WEBSHOP", "texts", "config.monitoring-off"),
        (1, "WEBSHOP", "texts", "config.monitoring-off"),
    ]
    assert {(path.stat().st_mode & 0o777) for path in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700


def test_runs_are_bounded(given: kept.Given, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    advice = advise(given.capture)
    numbers = [store.add(given, advice) for _ in range(store.MAX_RUNS + 2)]
    assert numbers == list(range(1, store.MAX_RUNS + 3))
    assert [entry.number for entry in store.entries()] == numbers[:1:-1]
    said = refused(run("plan", "--run", "1"))
    assert f"run 1: not found in {folder}; kept: {', '.join(map(str, numbers[2:]))}\n" in said
    monkeypatch.setattr(store, "MOST_MB", 0)  # every run contains these
    store._prune(folder)
    assert [entry.number for entry in store.entries()] == numbers[-1:]
    shown = run("advise", TEXT)
    assert shown.exit_code == 0
    assert shown.stderr.endswith("This run was not kept: it needs more than 0 MB; use --keep FILE\n")


def test_two_at_once_get_a_number_each(given: kept.Given) -> None:
    advice = advise(given.capture)
    with ThreadPoolExecutor(4) as pool:
        numbers = list(pool.map(lambda _: store.add(given, advice), range(8)))
    assert sorted(numbers) == list(range(1, 9))
    assert all(entry.said and entry.said.run for entry in store.entries())


def test_a_hostile_home_stops_no_advice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.parent.mkdir()
    folder.write_text("a file where a folder should be")
    shown = run("advise", TEXT)
    assert (shown.exit_code, "MON_REQ_METRICS" in shown.stdout) == (0, True)
    assert "This run was not kept: " in shown.stderr
    assert refused(run("explain", "--run", "last", "1")).startswith("db2tune: run last: not found in ")
    assert run("runs").stdout.startswith("No run is kept")

    monkeypatch.delenv(store.FOLDER)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    assert "this user has no home" in run("advise", TEXT).stderr
    monkeypatch.setenv("XDG_STATE_HOME", str(folder.parent))
    assert store.folder() == folder.parent / "db2tune" / "runs"


def test_a_full_disk_stops_no_advice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    shown = run("advise", TEXT)
    assert (shown.exit_code, "MON_REQ_METRICS" in shown.stdout) == (0, True)
    assert shown.stderr.endswith("This run was not kept: [Errno 28] No space left on device\n")
    assert list(folder.iterdir()) == []
    assert "No space left" in run("advise", TEXT, "--keep", folder / "kept").stderr


def test_none_is_kept_where_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.FOLDER, "")
    assert "ept" not in run("advise", TEXT).stderr
    assert "DB2TUNE_RUNS is empty" in refused(run("plan", "--run", "1"))


def test_damaged_run_is_reported(given: kept.Given, folder: Path) -> None:
    store.add(given, advise(given.capture))
    (folder / "2.capture").write_bytes(b"PK\3\4 no more")
    (folder / "notes.txt").touch()
    lines = run("runs").stdout.splitlines()
    assert lines[1].split()[0] == "1"
    assert lines[2].startswith("run 2: 2.capture: not a complete zip file")
    assert "2.capture: not a complete zip file" in refused(run("plan", "--run", "last"))


def test_shared_output_does_not_contain_the_list(given: kept.Given, tmp_path: Path) -> None:
    kept.keep(given, advise(given.capture), tmp_path / "kept.capture")
    anonymize_capture(tmp_path / "kept.capture", tmp_path / "away")
    assert manifest(tmp_path / "kept.capture").run is not None
    assert (manifest(tmp_path / "away").run, manifest(tmp_path / "away").accepted) == (None, ())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--run", "1", "--capture", "c"], "use one of"),
        (["x.txt", "--run", "1"], "use one of"),
        (["--run", "1"], "not found in"),
        (["--run", "nowhere"], "nowhere: no such capture"),
        (["--run", "²"], "no such capture"),
        (["--run", "9" * 5000], "not found in"),
        (["--in-database", "--run", "1"], "--in-database requires --database"),
        (["--in-database", "--database", URL, "--keep", "f"], "the database keeps the run"),
        (["--capture", "c", "--keep", os.devnull], "already exists"),
    ],
)
def test_bad_usage(arguments: list[str], message: str) -> None:
    assert message in refused(run("advise", *arguments))
