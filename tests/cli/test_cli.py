"""The command line: exit statuses, one line for every error, and the output's destination."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from advisor import __version__
from advisor.catalogue.rules import all_rules
from advisor.cli.arguments import ranks_option
from advisor.cli.completion import SHELLS
from advisor.cli.main import main
from advisor.judgement import run as engine
from advisor.report import output
from advisor.resources import DEMO_CAPTURE, PAPER_CAPTURE
from tests.support.paths import CAPTURES, ROOT
from tests.support.states import state_of, write_capture

# a table space whose prefetch size leaves a container idle
CASE = {
    "site": {"workload": "BI"},
    "workload": [
        {
            "TOTAL_RQST_TIME": 6000000,
            "TOTAL_CPU_TIME": 3000000000,
            "POOL_READ_TIME": 600000,
            "PREFETCH_WAIT_TIME": 1200000,
            "PREFETCH_WAITS": 60000,
        }
    ],
    "tablespace": [
        {
            "TBSP_NAME": "SCANNED",
            "TBSP_PAGE_SIZE": 16384,
            "TBSP_EXTENT_SIZE": 24,
            "TBSP_PREFETCH_SIZE": 24,
            "POOL_DATA_L_READS": 9000000,
            "POOL_DATA_P_READS": 8000000,
            "POOL_ASYNC_DATA_READS": 7200000,
            "POOL_READ_TIME": 600000,
        }
    ],
    "container": [{"TBSP_NAME": "SCANNED", "CONTAINER_ID": n, "CONTAINER_NAME": f"/d{n}"} for n in (1, 2)],
    "cat_tablespace": [{"TBSPACE": "SCANNED", "EXTENTSIZE": 24, "PREFETCHSIZE": 24, "PAGESIZE": 16384}],
}
COMMAND = 'ALTER TABLESPACE "SCANNED" PREFETCHSIZE 48'


@pytest.fixture(name="capture", scope="module")
def fixture_capture(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_capture(state_of(CASE), tmp_path_factory.mktemp("capture")))


def run(*args: str, **extra: Any) -> Result:
    return CliRunner().invoke(main, list(args), **extra)


def refused(result: Result) -> str:
    """Return the one-line message for bad usage."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert re.fullmatch(r"db2tune: [^\n]+\n", result.stderr)
    return result.stderr


def test_version() -> None:
    assert run("--version").output == f"db2tune {__version__}\n"


def test_without_a_command_comes_the_help() -> None:
    result = run()
    assert result.exit_code == 2
    assert "advise" in result.stderr


@pytest.mark.parametrize(
    "args",
    [
        ["advice"],
        ["advise"],
        ["advise", "--capture", "x", "--top", "0"],
        ["advise", "--capture", "x", "--min-benefit", "101"],
        ["advise", "--capture", "x", "--fail-on", "urgent"],
        ["advise", "--capture", "x", "--fail-on", "nan"],
        ["advise", "--capture", "x", "--format", "html"],
        ["advise", "--capture", "x", "--area", "nowhere"],
        ["advise", "--capture", "x", "--nonsense"],
        ["advise", "--capture", "no\nsuch\x1b[2Jplace"],
        ["explain", "--capture", "x"],
        ["rules", "no.such"],
        ["rules", "--area", "nowhere"],
    ],
)
def test_bad_usage_is_one_line(args: list[str]) -> None:
    refused(run(*args))


def test_a_list_of_ranks_has_numbers_and_ranges() -> None:
    @click.command()
    @ranks_option("--rank", "Ranks.")
    def ranked(ranks: tuple[int, ...]) -> None:
        click.echo(ranks)

    for value, expected in (("1,3", (1, 3)), ("2-4", (2, 3, 4)), ("3, 1-3", (3, 1, 2))):
        assert CliRunner().invoke(ranked, ["--rank", value]).output == f"{expected}\n"
    for value in ("3-1", "1-", "x", "1-99999999", ""):
        assert CliRunner().invoke(ranked, ["--rank", value]).exit_code == 2


def test_uninstall_without_a_terminal_needs_yes() -> None:
    done = run("uninstall", "--database", "db2://u@127.0.0.1:1/X")
    assert "confirm with --yes" in refused(done)


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from advisor.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: print(*sys.modules)"
    )
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"apsw", "jsonschema", "sqlparse", "tabulate", "advisor.judgement.run", "zipfile"} & set(modules)


def test_advise_in_every_format(capture: str) -> None:
    outputs = {
        form: run("advise", "--capture", capture, "--format", form) for form in ("text", "markdown", "json", "csv")
    }
    for form, result in outputs.items():
        assert result.exit_code == 0, (form, result.output)
        assert "2026-03-02" in result.stdout, form
    assert f"do     {COMMAND}" in outputs["text"].stdout
    assert f"```sql\n{COMMAND}\n```" in outputs["markdown"].stdout
    assert any(
        [step["text"] for step in item["actions"]] == [COMMAND]
        for item in json.loads(outputs["json"].stdout)["recommendations"]
    )
    assert "could run" in outputs["csv"].stderr or "could not run" in outputs["csv"].stderr


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ([], 0),
        (["--fail-on", "any"], 1),
        (["--fail-on", "performance"], 1),
        (["--fail-on", "5"], 1),
        (["--fail-on", "99"], 0),
        (["--fail-on", "99", "--fail-on", "performance"], 1),
        (["--fail-on", "prerequisite"], 0),
        (["--fail-on", "performance", "--min-benefit", "99"], 0),
        (["--fail-on", "performance", "--area", "prefetch", "--top", "1"], 1),
    ],
)
def test_fail_on(capture: str, options: list[str], status: int) -> None:
    assert run("advise", "--capture", capture, "--area", "prefetch", *options).exit_code == status


def test_top_does_not_hide_what_fails(capture: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = engine.advise(Path(capture))
    best = next(item for item in found.ranked if item.lane == "P")
    safe = replace(best, rank=1, lane="S")
    monkeypatch.setattr(
        engine, "advise", lambda path, **_: replace(found, recommendations=[safe, replace(best, rank=2)])
    )
    result = run("advise", "--capture", capture, "--top", "1", "--fail-on", "1")
    assert result.exit_code == 1
    assert "1 more in the list" in result.stdout


def test_output_file_is_replaced_as_a_whole(capture: str, tmp_path: Path) -> None:
    target = tmp_path / "advice.json"
    target.write_text("old", encoding="utf-8")
    result = run("advise", "--capture", capture, "--format", "json", "-o", str(target))
    assert (result.exit_code, result.stdout) == (0, "")
    assert json.loads(target.read_text(encoding="utf-8"))["schema"] == 4
    assert list(tmp_path.iterdir()) == [target]


def test_output_that_cannot_be_written_is_refused(
    capture: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "does not exist" in refused(run("advise", "--capture", capture, "-o", str(tmp_path / "no" / "file")))
    assert "not a file" in refused(run("advise", "--capture", capture, "-o", str(tmp_path)))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert "No space left" in refused(run("advise", "--capture", capture, "-o", str(tmp_path / "file")))
    assert list(tmp_path.iterdir()) == []


def test_explain_by_rank_and_by_rule(capture: str) -> None:
    by_rule = run("explain", "--capture", capture, "prefetch.size-misaligned")
    assert by_rule.exit_code == 0
    assert COMMAND in by_rule.stdout
    assert run("explain", "--capture", capture, "1").exit_code == 0
    assert "rank 99" in refused(run("explain", "--capture", capture, "99"))
    assert "did you mean prefetch.size-misaligned" in refused(
        run("explain", "--capture", capture, "prefetch.size-misalign")
    )


def test_rules() -> None:
    assert "prefetch.size-misaligned" in run("rules").stdout
    assert "prefetch.size-misaligned" in run("rules", "--area", "prefetch").stdout
    full = run("rules", "prefetch.size-misaligned").stdout
    assert "site.small_mb = 100 [our own]" in full
    assert "FROM TUNE.PREFETCHING AS T" in full
    assert "floor_pct" in run("rules", "site").stdout


@pytest.mark.skipif(not DEMO_CAPTURE.is_file(), reason="the demo capture is not here")
def test_demo() -> None:
    """A current demo with advice in areas of all kinds, and the demo of the paper."""
    result = run("demo")
    assert result.exit_code == 0
    assert "Db2 12.1" in result.stdout
    areas = {rule.partition(".")[0] for rule in re.findall(r"\[([a-z]+\.[a-z-]+)\]", result.stdout)}
    assert {"sql", "lock", "log", "tablespace", "memory"} <= areas
    assert f"db2tune explain --capture {DEMO_CAPTURE} 1" in result.stdout
    paper = run("demo", "--paper")
    assert "Db2 8.1" in paper.stdout
    assert f"db2tune explain --capture {PAPER_CAPTURE} 1" in paper.stdout


def test_a_fault_of_ours_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(path: Path, **_: Any) -> None:
        raise RuntimeError("first\nsecond")

    monkeypatch.setattr(engine, "advise", broken)
    monkeypatch.delenv("DB2TUNE_DEBUG", raising=False)
    result = run("advise", "--capture", "x")
    assert result.exit_code == 4
    assert (
        result.stderr == "db2tune: internal error, RuntimeError: first\\nsecond; set DB2TUNE_DEBUG=1 for a traceback\n"
    )
    monkeypatch.setenv("DB2TUNE_DEBUG", "1")
    assert isinstance(run("advise", "--capture", "x").exception, RuntimeError)


def test_only_verdicts_need_numpy_and_scipy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [*filter(re.compile(r"(numpy|scipy)(\.|$)").match, sys.modules), "numpy", "scipy"]:
        monkeypatch.setitem(sys.modules, name, None)
    x445, store = str(CAPTURES / "x445-8way"), str(tmp_path / "history")
    for words in ("advise", "plan", "statements", "indexes", "ticket --rank 1"):
        assert run(*words.split(), "--capture", x445).exit_code == 0, words
    assert run("fleet", x445).exit_code == 0
    for command in main.commands:
        assert run(command, "--help").exit_code == 0, command
    needs = "db2tune: verdicts require the packages numpy and scipy; run pip install 'db2tune[verify]'\n"
    (tmp_path / "nightly.toml").write_text(f"store = '{store}'\n", encoding="utf-8")
    for command in (("verify", x445, "--after", x445), ("nightly", "--config", str(tmp_path / "nightly.toml"))):
        result = run(*command)
        assert (result.exit_code, result.stderr) == (2, needs), command
    assert not Path(store).exists()


def test_input_that_needs_too_much_memory_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def large(path: Path, **_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(engine, "advise", large)
    result = run("advise", "--capture", "x")
    assert result.exit_code == 2
    assert result.stderr == "db2tune: the input needs more memory than db2tune uses; pass less of it at once\n"


def test_an_unreadable_file_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Path, **_: Any) -> None:
        raise PermissionError(13, "Permission denied", "manifest.json")

    monkeypatch.setattr(engine, "advise", denied)
    assert refused(run("advise", "--capture", "x")) == "db2tune: manifest.json: Permission denied\n"


def db2tune(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "advisor.cli.main", *args],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ | environment,
    )


def test_exit_statuses_of_the_process(capture: str, tmp_path: Path) -> None:
    assert db2tune("advise", "--capture", capture).returncode == 0
    assert db2tune("advise", "--capture", capture, "--fail-on", "any").returncode == 1
    for args in (["--capture", str(tmp_path / "none")], ["--capture", str(tmp_path)], ["--top"]):
        done = db2tune("advise", *args)
        assert done.returncode == 2
        assert done.stderr.startswith("db2tune: ")
        assert done.stderr.count("\n") == 1
        assert "Traceback" not in done.stderr


def test_reader_that_closes_early_is_not_an_error(capture: str) -> None:
    command = f"{sys.executable} -m advisor.cli.main rules prefetch.size-misaligned; echo $? >&2"
    done = subprocess.run(["bash", "-c", f"({command}) | true"], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stderr == "0\n"


def test_names_that_the_encoding_lacks_are_escaped(capture: str, tmp_path: Path) -> None:
    case = json.loads(json.dumps(CASE).replace("SCANNED", "T\u65e5"))
    path = write_capture(state_of(case), tmp_path / "c")
    done = db2tune("advise", "--capture", str(path), PYTHONIOENCODING="cp1252")
    assert done.returncode == 0
    assert 'ALTER TABLESPACE "T\\u65e5" PREFETCHSIZE 48' in done.stdout


def test_colour_only_on_a_terminal(capture: str) -> None:
    pty = pytest.importorskip("pty")
    seen: dict[str, bytes] = {}
    for no_colour in ("", "1"):
        leader, follower = pty.openpty()
        subprocess.run(
            [sys.executable, "-m", "advisor.cli.main", "advise", "--capture", capture],
            stdout=follower,
            check=True,
            cwd=ROOT,
            env=os.environ | {"NO_COLOR": no_colour, "TERM": "xterm"},
        )
        os.close(follower)
        seen[no_colour] = os.read(leader, 100_000)
        os.close(leader)
    assert b"\x1b[" in seen[""]
    assert b"\x1b[" not in seen["1"]
    assert "\x1b[" not in run("advise", "--capture", capture).stdout


def test_a_terminal_that_knows_no_colour_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: True))
    monkeypatch.delenv("NO_COLOR", raising=False)
    seen = []
    for terminal in ("xterm", "dumb"):
        monkeypatch.setenv("TERM", terminal)
        seen.append(output.supports_colour(None))
    assert seen == [True, False]


def test_rules_of_an_area_are_listed_by_its_name_alone() -> None:
    assert run("rules", "prefetch").stdout == run("rules", "--area", "prefetch").stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_learns_how_to_complete(shell: str) -> None:
    script = run("completion", shell).stdout
    assert f"_DB2TUNE_COMPLETE={shell}_complete" in script


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["tick"], {"ticket"}),
        (["advise", "--fail"], {"--fail-on"}),
        (["advise", "--area", "pre"], {"prefetch"}),
        (["ticket", "--rule", "log.buffer-f"], {"log.buffer-full"}),
        (["rules", "log"], {"log", *(name for name in all_rules() if name.startswith("log"))}),
    ],
)
def test_commands_options_areas_and_rules_are_completed(words: list[str], offered: set[str]) -> None:
    line = " ".join(["db2tune", *words])
    told = {"_DB2TUNE_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words))}
    done = subprocess.run(
        [sys.executable, "-c", "from advisor.cli.main import main; main(prog_name='db2tune')"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | told,
    )
    assert {entry.partition(",")[2] for entry in done.stdout.split()} == offered


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_full_disk_is_not_an_input_error() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "advisor.cli.main", "completion", "bash"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, "db2tune: writing: No space left on device\n")


def test_a_minus_as_file_is_standard_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written = run("advise", "--format", "json", "-o", "-", str(DEMO_CAPTURE))
    assert json.loads(written.stdout)["database"]["name"] == "SHOP"
    assert list(tmp_path.iterdir()) == []
