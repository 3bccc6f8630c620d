"""Lessons on the command line: saved in a store, copied to another one, used or not."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from advisor.anonymize import anonymize_capture
from advisor.capture import open_capture
from advisor.cli.main import main
from advisor.nightly import history
from tests.support.paths import CAPTURES, DOCS

SCHEMA = json.loads((DOCS / "advice.schema.json").read_text(encoding="utf-8"))
CAPTURE = ("--capture", CAPTURES / "x445-8way")
RULE = "prefetch.size-misaligned"
ODD = "\x1b]0;x\x07<b>&\n"  # a name with terminal control characters and markup


def said(**other: Any) -> dict[str, Any]:
    """Return a lesson: a changed prefetch size of a table space with half of the promised benefit."""
    return {
        "database": {"name": "OTHER", "host": ODD, "instance": "inst"},
        "made_on": "2026-02-01",
        "rule": RULE,
        "object": {"type": "TABLESPACE", "name": ODD},
        "settings": [{"target": "TABLESPACE:X:PREFETCHSIZE", "old": None, "new": "48"}],
        "promised_pct": {"low": 2, "expected": 10, "high": 20},
        "brought_pct": {"low": 3, "expected": 5, "high": 7},
        "verdict": "confirmed",
    } | other


HARMFUL = said(
    database={"name": "HRDB", "host": "ibmserv", "instance": "hrinst"},
    rule=None,
    object=None,
    settings=[{"target": "DBCFG:SORTHEAP", "old": "256", "new": "1000"}],
    promised_pct=None,
    brought_pct=None,
    verdict="harmful",
)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def written(folder: Path, *lessons: dict[str, Any]) -> Path:
    file = folder / "lessons.json"
    file.write_text(json.dumps({"schema": 1, "lessons": lessons}), encoding="utf-8")
    return file


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    assert run("learned", "--store", folder, "--import", written(tmp_path, said(), HARMFUL)).exit_code == 0
    return folder


def test_lessons_go_from_store_to_store_and_count_once(store: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "out.json", tmp_path / "other"
    other.mkdir()
    assert run("learned", "--store", store, "--export", file).exit_code == 0
    done = run("learned", "--store", other, "--import", file)
    assert done.output.startswith("2 changes learned: ")
    assert "1 of HRDB on ibmserv" in done.output
    again = run("learned", "--store", other, "--import", file)
    assert again.output.startswith("0 changes learned")
    assert again.output.endswith("2 already known.\n")
    with history.open_history(store) as one, history.open_history(other) as two:
        assert one.lessons.load() == two.lessons.load() != ()


def test_lessons_are_listed_and_deleted_by_rule(store: Path) -> None:
    listed = run("learned", "--store", store)
    assert f"{RULE}: 1 change promised 10.0 % and brought 5.0 %; expected is 0.90 of the rule's estimate" in " ".join(
        listed.output.split()
    )
    assert "\x1b" not in listed.output
    assert "No advice asked for it: 1 change did harm" in listed.output
    assert run("learned", RULE, "--store", store, "--reset").output.startswith("1 change forgotten")
    left = run("learned", "--store", store).output
    assert RULE not in left
    assert "SORTHEAP" in left
    run("learned", "--store", store, "--reset")
    assert run("learned", "--store", store).output.startswith("Nothing was learned yet")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ('{"schema": 2, "lessons": []}', "schema 2 is newer"),
        ('{"schema": 1, "lessons": [1]}', "lessons[0]: must be an object"),
        (json.dumps({"schema": 1, "lessons": [said(verdict="unknown")]}), "lessons[0].verdict: must be one of"),
        (json.dumps({"schema": 1, "lessons": [said(made_on="soon")]}), "lessons[0].made_on"),
        (json.dumps({"schema": 1, "lessons": [said(rule="x" * 61)]}), "lessons[0].rule"),
        (
            json.dumps({"schema": 1, "lessons": [said(promised_pct={"low": 0, "expected": 1e9, "high": 2})]}),
            "promised_pct",
        ),
        (
            json.dumps({"schema": 1, "lessons": [said(brought_pct={"low": float("nan"), "expected": 1, "high": 2})]}),
            "NaN",
        ),
        (json.dumps({"schema": 1, "lessons": [said(more=1)]}), "there is no 'more'"),
    ],
)
def test_missing_file_changes_nothing(store: Path, tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content, encoding="utf-8")
    done = run("learned", "--store", store, "--import", file)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
    with history.open_history(store) as kept:
        assert len(kept.lessons.load()) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("learned", "--store", "EMPTY"),
        ("learned", "--store", "EMPTY", "--reset", "--export", "x"),
        ("learned", RULE, "--store", "EMPTY", "--import", "x"),
        ("learned", "--store", "EMPTY", "--import", "nowhere.json"),
        ("advise", *CAPTURE, "--learned", "nowhere"),
        ("advise", *CAPTURE, "--learned", "EMPTY"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path: Path, arguments: tuple[object, ...]) -> None:
    done = run(*(tmp_path if each == "EMPTY" else each for each in arguments))
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.full
def test_a_list_with_lessons_stays_the_list_that_was_shown(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "shown.capture"
    run("learned", "--store", store, "--import", written(tmp_path, said(rule="log.buffer-full")))
    document = json.loads(run("advise", *CAPTURE, "--learned", store, "--keep", kept, "--format", "json").stdout)
    jsonschema.validate(document, SCHEMA)
    learned = {item["rule"]: item["learned"] for item in document["recommendations"]}
    assert learned[RULE]["factor"] == pytest.approx(0.9, abs=0.01)
    assert learned[RULE]["lessons"] == [said()]
    assert learned["memory.sort-overflow"]["harm"] == HARMFUL
    monkeypatch.setenv("DB2TUNE_LEARNED", str(written(tmp_path)))  # no lessons
    explained = run("explain", "--run", kept, "1")
    assert explained.exit_code == 0, explained.output
    assert "Learned     1 change promised 10.0 % and brought 5.0 %" in explained.output
    assert "\x1b" not in explained.output
    assert "Learned" not in run("explain", "--run", kept, "--no-learned", RULE).output
    plan = run("plan", "--run", kept).output
    assert "database HRDB (made on 2026-02-01, and did harm)" in " ".join(plan.split())
    assert "harm   This change was made on 2026-02-01 on ibmserv" in plan
    ticket = run("ticket", "--run", kept, "--rule", "memory.sort-overflow", "--format", "html").output
    assert "Done before" in ticket
    with open_capture(kept) as capture:
        assert len(capture.lessons) == 2  # not the lessons of a rule without findings here
    anonymize_capture(kept, tmp_path / "away")
    with open_capture(tmp_path / "away") as capture:
        assert capture.lessons == ()
