"""The fleet: the health of each database, the largest savings overall, and independent databases."""

import errno
import json
import os
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from advisor.capture.site import Site
from advisor.catalogue.rules import Rule, all_rules
from advisor.cli.main import main
from advisor.fleet import captures, show
from advisor.fleet.estate import Found, Surveyed, estate, survey_advice
from advisor.fleet.members import member
from advisor.judgement.run import advise
from advisor.nightly import history
from advisor.nightly.estate import survey_run
from advisor.nightly.runs import run_of
from tests.support.made_up import SPENT, advice, item, rule
from tests.support.paths import CAPTURES, DOCS


def found(name: str, pct: float, lane: str = "P", by_hand: bool = False) -> Found:
    return Found(1, name, f"Title of {name}", lane, "table space T", pct, pct, by_hand)


def database(name: str, sessions: float | None, *of: Found, judged: bool = True) -> Surveyed:
    return Surveyed(name, "about", "300 s", sessions, judged, of)


def test_what_saves_most_is_by_the_load_of_each_database() -> None:
    """Half of an idle database is less than a little of a busy one; a database without load cannot be compared."""
    seen = estate(
        [
            database("IDLE", 0.1, found("a.half", 50)),
            database("BUSY", 40, found("b.little", 5)),
            database("UNKNOWN", None, found("c.most", 90), found("b.little", 20)),
        ]
    )
    assert [(one.rule, one.saved) for one in seen.saving] == [("b.little", 2.0), ("a.half", 0.05), ("c.most", None)]
    little, *_ = seen.saving
    assert (little.low_pct, little.high_pct, little.unmeasured) == (5, 20, 1)
    assert [one.name for one in little.on] == ["BUSY", "UNKNOWN"]
    text = show.render(seen, 100)
    assert "  1 2.0 sessions, 5.0..20.0 % of database time, on 2 databases, 1 of them without load" in text
    assert "  3 no load was measured, 90.0 % of database time, on 1 database" in text


def test_one_finding_on_forty_databases_is_one_line() -> None:
    seen = estate(database(f"DB{n:02}", 1 + n, found("a.b", 10), found("a.b", 5)) for n in range(40))
    (change,) = seen.changes
    assert (len(change.on), change.objects, change.high_pct) == (40, 80, 15)
    assert change.saved == pytest.approx(sum(0.15 * (1 + n) for n in range(40)))
    assert "on DB39, DB38, DB37 and 37 more" in show.render(seen, 200)
    assert (
        "| Title of a.b | a.b | 123.0 sessions | 15.0 % | 40 databases, 80 objects | DB39, DB38, DB37 and"
        in show.markdown(seen)
    )
    assert all(f"DB{n:02}" in show.render(seen, 200, everything=True).split("Title of a.b")[1] for n in range(40))


def test_only_ten_changes_unless_all_are_asked_for() -> None:
    seen = estate([database("A", 1, *(found(f"a.b{n}", n + 1) for n in range(12)), found("c.d", 0, "H"))])
    short, whole = show.render(seen, 100), show.render(seen, 100, everything=True)
    assert "(10 of 12)" in short
    assert "a.b1]" not in short
    assert "Not shown: 3 changes" in short
    assert "[c.d]" in whole
    assert "[a.b1]" in whole


def test_databases_are_listed_worst_first() -> None:
    seen = estate(
        [
            Surveyed("WELL", "about", "300 s", 1, True, unexplained_pct=25.0),
            database("GAIN", 1, found("a.b", 1)),
            database("MORE", 1, found("a.b", 2)),
            database("DARK", None, judged=False),
            database("RISK", 1, found("s.s", 0, "S", by_hand=True)),
            Surveyed("DARKER", "about", "300 s", 1, True, unexplained_pct=25.1),
            Surveyed("GONE", error="is no capture"),
        ]
    )
    assert [(one.name, one.health) for one in seen.databases] == [
        ("GONE", "unread"), ("RISK", "at risk"), ("DARK", "not judged"), ("MORE", "can gain"), ("GAIN", "can gain"), ("DARKER", "unexplained"), ("WELL", "no change known"),
    ]  # fmt: skip
    assert seen.databases[1].by_hand == 1
    assert "GONE: is no capture" in show.render(seen, 100)


def test_a_condition_in_which_an_application_fails_is_a_risk() -> None:
    full, slow = found("tablespace.nearly-full", 0, "C"), found("bufferpool.left-at-default", 0, "C")
    of_a_site = found("ours.own", 0, "C")
    assert [database("A", 1, each).health for each in (full, slow, of_a_site)] == [
        "at risk",
        "no change known",
        "no change known",
    ]


def test_a_filter_chooses_changes_and_not_how_a_database_is() -> None:
    seen = estate([database("A", 1, found("s.s", 0, "S"), found("a.b", 5))], lambda name: name == "a.b")
    assert [one.rule for one in seen.changes] == ["a.b"]
    assert seen.databases[0].health == "at risk"
    assert not seen.reaches_threshold(["safety"])
    assert seen.reaches_threshold([5])


def test_kept_run_reports_the_same_as_its_advice() -> None:
    given = advice(SPENT, item(rule("a.b"), "P", 1, member=2), item(rule("s.s", "safety"), "S", 2, actions=["-- ask"]))
    run = run_of("SALES", datetime(2026, 3, 1, tzinfo=UTC), given, [])
    one, other = survey_advice("SALES", given), survey_run(run)
    assert [(item.title, item.thing) for item in one.found] == [(item.title, item.thing) for item in other.found]
    for field in ("health", "promised_pct", "sessions", "risks", "by_hand", "judged"):
        assert getattr(one, field) == getattr(other, field), field
    older = replace(run, lines=tuple(replace(line, benefit_after=None, by_hand=None) for line in run.lines))
    assert survey_run(older).by_hand is None  # unknown, not zero
    assert survey_run(replace(run, discarded="reset")).health == "at risk"
    assert survey_run(replace(run, discarded="reset")).sessions is None


# --- captures and the store --------------------------------------------------------------------------------------------


class Few(Site):
    """A site with few rules, for quick judgement."""

    @property
    def rules(self) -> dict[str, Rule]:
        return {name: all_rules()[name] for name in ("memory.sort-overflow", "config.registry-legacy-unsafe")}


def test_captures_are_judged_together_as_each_by_itself(tmp_path: Path) -> None:
    """A damaged capture has its reason and does not affect the others; each database's last capture counts."""
    for name in ("vm-oltp-starved", "vm-oltp-final", "laptop"):
        shutil.copytree(CAPTURES / name, tmp_path / "below" / name)
    spoilt = tmp_path / "below" / "vm-oltp-4x4"
    shutil.copytree(CAPTURES / "vm-oltp-4x4", spoilt)
    (spoilt / "database.csv").write_text("NOT,A,SOURCE\n", encoding="utf-8")
    (tmp_path / "cut.capture").write_bytes(b"PK")
    manifest = tmp_path / "below" / "vm-oltp-final" / "manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("2026-03-02T", "2026-03-03T"), encoding="utf-8")
    seen = {one.name: one for one in captures.survey([tmp_path], Few())}
    assert set(seen) == {"cut.capture", "OLTP@vm-1", "OLTP@vm-oltp", "DEVDB"}
    assert "not a complete zip file" in str(seen["cut.capture"].error)
    assert "database.csv: column SNAP_ID is missing" in str(seen["OLTP@vm-1"].error)
    last = seen["OLTP@vm-oltp"]
    assert last.note == "the last of 2 captures of it"
    assert replace(last, note=None) == survey_advice("OLTP@vm-oltp", advise(manifest.parent, site=Few()))
    assert last.found


def test_of_captures_alike_each_can_be_a_line(tmp_path: Path) -> None:
    for name in ("one", "two"):
        shutil.copytree(CAPTURES / "laptop", tmp_path / name)
    members = [member(path) for path in captures._captures([tmp_path])]
    assert [name for name, _ in captures._name_members(members)] == [str(tmp_path / "one"), str(tmp_path / "two")]
    assert [(name, one.older) for name, one in captures._name_members(captures._keep_last(members))] == [("DEVDB", 1)]


def test_unreadable_folder_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(CAPTURES / "laptop", tmp_path / "laptop")
    (tmp_path / "closed").mkdir()
    listed = os.scandir

    def refused(path: str) -> object:
        if Path(path).name == "closed":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", refused)
    monkeypatch.setattr(os, "listdir", refused)
    found = captures._captures([tmp_path])
    assert found == [tmp_path / "laptop", tmp_path / "closed"]
    assert member(found[1]).error == "Permission denied"


def fleet(*arguments: str | Path) -> Result:
    return CliRunner(env={"COLUMNS": "100"}).invoke(main, ["fleet", *map(str, arguments)])


@pytest.fixture
def store(tmp_path: Path) -> Path:
    given = advice(SPENT, item(rule("memory.sort-overflow"), "P", 1))
    with history.open_history(tmp_path) as kept:
        for name, night in (("SALES", 1), ("SALES", 2), ("HR", 2)):
            kept.add(run_of(name, datetime(2026, 3, night, tzinfo=UTC), given, []))
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "status"),
    [((), 0), (("--fail-on", "any"), 1), (("--fail-on", "safety"), 0), (("--fail-on", "any", "--area", "log"), 0)],
)
def test_the_store_has_the_last_run_of_each(store: Path, arguments: tuple[str, ...], status: int) -> None:
    result = fleet("--store", store, *arguments)
    assert result.exit_code == status, result.output
    assert result.output.startswith("2 databases: 2 can gain; 40.0 active sessions")


def test_programs_get_the_same(store: Path) -> None:
    said = json.loads(fleet("--store", store, "--format", "json").output)
    Draft202012Validator(json.loads((DOCS / "fleet.schema.json").read_text(encoding="utf-8"))).validate(said)
    assert [one["database"] for one in said["databases"]] == ["HR", "SALES"]
    assert [(one["rule"], one["databases"], one["saved_sessions"]) for one in said["changes"]] == [
        ("memory.sort-overflow", ["HR", "SALES"], 4.64)
    ]


def test_unreadable_capture_is_reported_as_bad_input(tmp_path: Path) -> None:
    (tmp_path / "cut.capture").write_bytes(b"PK")
    result = fleet(tmp_path, "--fail-on", "any")
    assert result.exit_code == 2
    assert "1 database: 1 unread" in result.stdout
    assert "cut.capture: not a complete zip file" in result.stdout


def test_silent_database_is_reported_as_no_connection(tmp_path: Path) -> None:
    text = (
        '[store]\npath = "store"\n[[database]]\nname = "HR"\nurl = "db2://u@127.0.0.1:1/HR"\npassword_file = "secret"\n'
    )
    (tmp_path / "nightly.toml").write_text(text, encoding="utf-8")
    (tmp_path / "secret").write_text("x\n", encoding="utf-8")
    result = fleet("--databases", tmp_path / "nightly.toml")
    assert result.exit_code == 3
    assert "1 database: 1 unread" in result.stdout
    assert "HR: " in result.stdout
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "use one of: captures or folders of captures, --store"),
        (("nowhere",), "nowhere: no such file or folder"),
        ((".",), "contains no capture"),
        (("--store", ".", "--each"), "--each, --options, --scheduler and --results require captures"),
        ((".", "--rule", "memory.sort-overflw"), "no such rule; did you mean memory.sort-overflow?"),
        ((".", "--area", "x"), "no such area"),
    ],
)
def test_bad_usage_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = fleet(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
