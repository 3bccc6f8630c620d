"""Differences between two captures of one database: settings, and the advice."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from advisor.cli.main import main
from advisor.judgement.advice import Acceptance, Advice
from advisor.judgement.changes import SettingChange, changes, compare_advice, difference, match_recommendations
from advisor.nightly import summary
from advisor.nightly.database import Outcome
from advisor.nightly.runs import run_of
from advisor.report import diff
from advisor.resources import PAPER_CAPTURE
from advisor.verify.changed import find_changes
from tests.support.paths import CAPTURES, DOCS
from tests.support.states import State, read_state, state_of, write_capture

Edit = Callable[[State], None]


def _later(path: Path, days: int = 1) -> Path:
    """Return the capture as if taken that many days later."""
    manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
    for snapshot in manifest["snapshots"]:
        moment = snapshot["taken_at"]
        snapshot["taken_at"] = f"2026-03-{2 + days:02}{moment[10:]}"
    (path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return path


def _pair(case: dict[str, Any], edit: Edit, folder: Path) -> tuple[Path, Path]:
    """Return a state and its edited copy, one day later."""
    before = state_of(case)
    after = before.copy()
    edit(after)
    return write_capture(before, folder / "a"), _later(write_capture(after, folder / "b"))


def _row(state: State, source: str, **key: Any) -> dict[str, Any]:
    return next(row for row in state.sources[source] if key.items() <= row.items())


def _set(source: str, key: dict[str, Any], **values: Any) -> Edit:
    return lambda state: _row(state, source, **key).update(values)


def _drop(source: str, name: str) -> Edit:
    return lambda state: state.sources.update({source: [r for r in state.sources[source] if name not in r.values()]})


TWO = {"members": 2, "config": {"sortheap": 256, "locklist": "AUTOMATIC(4096)"}}
SPACE, POOL = {"TBSPACE": "USERSPACE1"}, {"BPNAME": "IBMDEFAULTBP"}
SORTHEAP = {"NAME": "sortheap", "MEMBER": 1}
LOCKLIST = {"NAME": "locklist", "MEMBER": 0}
VARIABLE = {
    "REG_VAR_NAME": "DB2_X",
    "REG_VAR_VALUE": None,
    "REG_VAR_ON_DISK_VALUE": "ON",
    "IS_AGGREGATE": 0,
    "AGGREGATE_NAME": None,
}


def _all_members(state: State) -> None:
    for member in (0, 1):
        _row(state, "dbcfg", NAME="sortheap", MEMBER=member).update(VALUE="512", DEFERRED_VALUE="512")


CASES: dict[str, tuple[Edit, list[SettingChange]]] = {
    "nothing": (lambda _: None, []),
    "one member": (
        _set("dbcfg", SORTHEAP, VALUE="9", DEFERRED_VALUE="9"),
        [SettingChange("DB", 1, "sortheap", "256", "9")],
    ),
    "all members": (_all_members, [SettingChange("DB", None, "sortheap", "256", "512")]),
    "waits for activation": (
        _set("dbcfg", SORTHEAP, DEFERRED_VALUE="9"),
        [SettingChange("DB", 1, "sortheap", "256", "9")],
    ),
    "self-tuning": (_set("dbcfg", LOCKLIST, VALUE="9999", DEFERRED_VALUE="9999"), []),
    "to automatic": (
        _set("dbcfg", SORTHEAP, VALUE_FLAGS="AUTOMATIC", DEFERRED_VALUE_FLAGS="AUTOMATIC"),
        [SettingChange("DB", 1, "sortheap", "256", "AUTOMATIC")],
    ),
    "variable set on one member": (
        lambda state: state.sources["registry"].append(VARIABLE | {"MEMBER": 1}),
        [SettingChange("REG", 1, "DB2_X", None, "ON")],
    ),
    "prefetch size": (
        _set("cat_tablespace", SPACE, PREFETCHSIZE=96),
        [SettingChange("DDL", None, "TABLESPACE:USERSPACE1:PREFETCHSIZE", "AUTOMATIC", "96")],
    ),
    "pool size": (
        _set("cat_bufferpool", POOL, NPAGES=4711),
        [SettingChange("DDL", None, "BUFFERPOOL:IBMDEFAULTBP:SIZE", "AUTOMATIC", "4711")],
    ),
    "table space dropped": (
        _drop("cat_tablespace", "USERSPACE1"),
        [SettingChange("DDL", None, "TABLESPACE:USERSPACE1", "defined", None)],
    ),
}


@pytest.mark.parametrize(("edit", "expected"), CASES.values(), ids=CASES)
def test_changes_of_settings(edit: Edit, expected: list[SettingChange], tmp_path: Path) -> None:
    found, not_compared = changes(*_pair(TWO, edit, tmp_path))
    assert found == expected
    assert "dbcfg" not in not_compared


def test_a_source_that_one_capture_lacks_is_not_compared(tmp_path: Path) -> None:
    def lose(state: State) -> None:
        del state.sources["cat_tablespace"]
        _all_members(state)

    found, not_compared = changes(*_pair(TWO, lose, tmp_path))
    assert found == [SettingChange("DB", None, "sortheap", "256", "512")]
    assert not_compared["cat_tablespace"] == "not in the later capture"


@pytest.fixture(scope="module", name="nights")
def fixture_nights(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the demo machine, and one day later with one advice executed and another setting changed differently."""
    folder = tmp_path_factory.mktemp("nights")
    state = read_state(CAPTURES / "x445-8way")
    before = write_capture(state, folder / "monday")
    _row(state, "cat_tablespace", TBSPACE="EMPLOYEE_TABLE").update(PREFETCHSIZE=48)
    for row in state.sources["dbcfg"]:
        if row["NAME"] == "sortheap":
            row.update(VALUE="512", DEFERRED_VALUE="512")
    return before, _later(write_capture(state, folder / "tuesday"))


@pytest.fixture(scope="module", name="found")
def fixture_found(nights: tuple[Path, Path]) -> diff.Difference:
    return difference(*nights)


def test_change_names_the_advice_that_it_carries_out(found: diff.Difference) -> None:
    said = {change.name: (change.advised and change.advised.rule.name, change.carries_out) for change in found.changes}
    assert said == {
        "TABLESPACE:EMPLOYEE_TABLE:PREFETCHSIZE": ("prefetch.size-misaligned", True),
        "sortheap": ("memory.sort-overflow", False),
    }


def test_the_report_begins_with_the_changes(found: diff.Difference) -> None:
    report = diff.render(found, 200)
    assert "table space EMPLOYEE_TABLE, PREFETCHSIZE: 24 -> 48; carries out prefetch.size-misaligned (rank 1)" in report
    assert "database configuration SORTHEAP: 256 -> 512; memory.sort-overflow (rank 4) advised 6400" in report
    assert report.index("Changed settings") < report.index("Gone")
    assert "[prefetch.size-misaligned], 14.6 %; carried out" in report


def test_json_says_the_same(found: diff.Difference) -> None:
    document = json.loads(diff.as_json(found))
    assert [change["carries_out"] for change in document["changes"]] == [False, True]
    assert document["gone"][0]["why"] == "carried out"
    assert document["after"]["end"] > document["before"]["end"]


def test_a_command_for_each_member_is_matched_by_member(found: diff.Difference) -> None:
    done = [SettingChange("DB", member, "newlogpath", None, rf"d:\mp\log_{member}") for member in range(8)]
    wrong = SettingChange("DB", 3, "newlogpath", None, r"d:\mp\log")
    assert [change.carries_out for change in match_recommendations([*done, wrong], found.before)] == [True] * 8 + [
        False
    ]


def _with(advice: Advice, *items: Any) -> Advice:
    return replace(advice, recommendations=list(items))


def test_lists_are_compared_by_rule_and_object(found: diff.Difference) -> None:
    one, two, three, four, *_ = found.before.ranked
    much = replace(one, benefit=one.benefit * 1.3)
    small = replace(two, benefit=two.benefit + 0.9)
    accepted = replace(three, rank=None, superseded_by="accepted", accepted=Acceptance("known", "A DBA", None))
    lists = compare_advice(_with(found.before, one, two, three), _with(found.after, much, small, accepted, four))
    assert [item.rule.name for item in lists.new] == [four.rule.name]
    assert [item.rule.name for item in lists.gone] == [three.rule.name]
    assert [pair.after.rule.name for pair in lists.worsened] == [one.rule.name]
    assert lists.improved == []
    assert lists.accepted == [accepted]
    back = compare_advice(_with(found.after, much), _with(found.before, one))
    assert [pair.after.rule.name for pair in back.improved] == [one.rule.name]


def _run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["diff", *(str(argument) for argument in arguments)])


def test_captures_of_two_databases_are_refused() -> None:
    done = _run(PAPER_CAPTURE, CAPTURES / "laptop")
    assert done.exit_code == 2
    assert "are of different databases" in done.output
    assert len(done.output.splitlines()) == 1


def test_the_later_capture_comes_last(nights: tuple[Path, Path]) -> None:
    done = _run(nights[1], nights[0])
    assert done.exit_code == 2
    assert "name the earlier capture first" in done.output


def test_no_change_is_reported(nights: tuple[Path, Path], tmp_path: Path) -> None:
    target = tmp_path / "report.txt"
    assert _run(nights[0], nights[0], "-o", target).exit_code == 0
    report = target.read_text(encoding="utf-8")
    assert "No setting changed." in report
    assert "The advice is the same." in report
    page = _run(nights[0], nights[0], "--format", "html").output
    assert "No setting changed." in page
    assert "The advice is the same." in page


def _sample(page: str, start: str) -> list[str]:
    """Return the lines of the page's block with this start, without the marks of omitted lines."""
    block = re.findall(
        rf"^```\w*\n({re.escape(start)}.*?)^```$", (DOCS / page).read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return [line for line in block[0].splitlines() if line and line != "..." and not line.startswith("$ ")]


def _in_order(lines: list[str], output: str) -> bool:
    printed = iter(output.splitlines())
    return all(line in printed for line in lines)


def test_sample_of_site_options_matches_the_report(found: diff.Difference) -> None:
    sample = _sample("site-options.md", "$ db2tune diff")
    assert _in_order(sample, diff.render(found, 100))


def test_sample_of_nightly_matches_the_summary(nights: tuple[Path, Path], found: diff.Difference) -> None:
    night = datetime(2026, 3, 3, 2, tzinfo=UTC)
    before, after = (run_of("SALES", night, advice, ()) for advice in (found.before, found.after))
    sales = Outcome("SALES", after, before, changes=find_changes(*nights)[0])
    summary_text = summary.render(night, [sales, Outcome("HR", error="user or password is wrong")])
    assert _in_order(_sample("nightly.md", "db2tune: 2 databases"), summary_text)
