"""The scripts of a step: every command in its place, every name a name, and no change without its check."""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalogue.rules import Rule
from advisor.errors import UserError
from advisor.judge.advice import Advice, Recommendation
from advisor.judge.run import advise
from advisor.plan.checks import ON_DATABASE, ON_HOST, Check, left_behind, look_at, typed
from advisor.plan.scripts import FOR_CLP, TERMINATORS, texts, write
from advisor.plan.steps import Step, plan
from advisor.quoting import literal, quoted
from advisor.resources import SQL, data_file
from tests.standin.commands import is_command
from tests.support.carrying_out import cases_of
from tests.support.clp import statements_of
from tests.support.paths import FIXTURES

pytestmark = pytest.mark.usefixtures("judged_once")

DEMO = FIXTURES / "x445-8way"


@pytest.fixture(scope="module")
def advice() -> Advice:
    return advise(DEMO)


def _item(advice: Advice, actions: list[str], undo: list[str], **fields: Any) -> Recommendation:
    return replace(advice.ranked[0], actions=actions, undo=undo, **fields)


def _step(*items: Recommendation) -> Step:
    return Step(1, items, "ON", 0, 0, ())


def _scripts(advice: Advice, actions: list[str], undo: list[str], **fields: Any) -> dict[str, str]:
    return texts(_step(_item(advice, actions, undo, **fields)), advice)


def _typed_lines(script: str) -> list[str]:
    """The commands of a shell script, without what checks them first."""
    lines = script[script.index("set -eu\n") :].split("\n")[1:]
    if "}" in lines:
        lines = lines[lines.index("}") + 1 :]
    return [line for line in lines if line and not line.startswith(("#", "expect "))]


def _comments(script: str) -> str:
    """The comments of a script as one line of text."""
    return " ".join(" ".join(line.lstrip("-#") for line in script.split("\n") if re.match("-- |# ", line)).split())


# names and values


NAMES = st.text(st.sampled_from("aZ \"';@%^~#+-:$`\\!|&<>(){}[]*?/é名\u202e\t\r"), min_size=1, max_size=42).filter(
    lambda name: any(character not in name for character in TERMINATORS[:6])
)


@given(name=NAMES)
def test_any_name_stays_one_name_of_one_statement(advice: Advice, name: str) -> None:
    action, undo = (f"ALTER TABLESPACE {quoted(name)} PREFETCHSIZE {size}" for size in (48, 24))
    found = _scripts(advice, [action], [undo], object_name=name)
    for file, command, before in (("apply.sql", action, "24"), ("undo.sql", undo, "48")):
        check, *commands = statements_of(found[file])
        assert commands == [command]
        assert f"({literal(name)}, CAST(NULL AS SMALLINT), {literal(before)})" in check


def test_names_that_leave_nothing_to_end_a_statement(advice: Advice) -> None:
    with pytest.raises(UserError, match="step 1: its names leave no character that can end a statement; carry"):
        _scripts(advice, [f"DROP BUFFERPOOL {quoted(TERMINATORS)}"], [])


@pytest.mark.parametrize(
    ("line", "in_shell"),
    [
        ("db2set DB2_PARALLEL_IO=*:5", "db2set DB2_PARALLEL_IO='*:5'"),
        ("db2set DB2PROCESSORS= -i hrinst 7", "db2set DB2PROCESSORS= -i hrinst 7"),
        ("db2set DB2OPTIONS=-x; reboot -i db2inst1", "db2set DB2OPTIONS='-x; reboot' -i db2inst1"),
        ('sysctl -w kernel.sem="250 32000 32 128"', "sysctl -w kernel.sem='250 32000 32 128'"),
        ("sysctl -w vm.swappiness=$(reboot)", "sysctl -w vm.swappiness='$(reboot)'"),
        ("echo cfq > /sys/block/sdb/queue/scheduler", "echo cfq > /sys/block/sdb/queue/scheduler"),
        ("echo cfq > /tmp/a > /etc/passwd", "echo cfq '>' /tmp/a '>' /etc/passwd"),
        ("chuser capabilities= db2inst1", "chuser capabilities= db2inst1"),
        ("db2start DBPARTITIONNUM 2", "db2start DBPARTITIONNUM 2"),
        ("db2stop `reboot`", "db2stop '`reboot`'"),
    ],
)
def test_typed_into_a_shell(line: str, in_shell: str) -> None:
    assert typed(line) == in_shell


# which line goes where


@pytest.mark.parametrize(("rule", "case"), cases_of("fires"))
def test_every_line_is_there_once(advice: Advice, rule: Rule, case: dict[str, Any]) -> None:
    for expected in case["expect"]:
        sides = {
            name: [lines] if isinstance(lines := expected[key], str) else lines
            for name, key in (("apply", "action"), ("undo", "undo"))
        }
        item = _item(advice, sides["apply"], sides["undo"], rule=rule, target=None, finding="", object_name="X")
        found = texts(_step(item), advice)
        for name, lines in sides.items():
            commands = [line for line in lines if is_command(line)]
            for_clp = [line for line in commands if line.startswith(FOR_CLP)]
            for_shell = [line for line in commands if line not in for_clp]
            has = [s for s in statements_of(found.get(f"{name}.sql", "")) if not s.startswith("BEGIN")]
            assert has == for_clp
            assert _typed_lines(found.get(f"{name}.sh", "set -eu\n")) == [typed(line) for line in for_shell]
            said = " ".join(_comments(text) for file, text in found.items() if file.startswith(name))
            for line in lines:
                if not is_command(line):
                    assert said.count("BY HAND: " + " ".join(line[3:].split())) == 1


def test_a_step_by_hand_is_comments(advice: Advice) -> None:
    found = _scripts(advice, ["-- Add disks."], ["-- Added disks need no undoing."])
    assert list(found) == ["apply.sql", "undo.sql"]
    assert statements_of(found["apply.sql"]) == []
    said = _comments(found["apply.sql"])
    assert "BY HAND: Add disks." in said and "nothing to run" in said and "db2 -td" not in said


def test_text_for_a_person_stands_where_it_belongs(advice: Advice) -> None:
    actions = ["-- first", "db2set A=1", "-- keep it", "UPDATE DB CFG FOR X USING LOGBUFSZ 1", "-- last"]
    found = _scripts(advice, actions, [])
    lines = found["apply.sh"].split("\n")
    assert lines[-4:] == ["# BY HAND: first", "db2set A=1", "# BY HAND: keep it", ""]
    assert found["apply.sql"].endswith("USING LOGBUFSZ 1 @\n-- BY HAND: last\n")
    for name in ("apply.sh", "apply.sql"):
        assert "Order: apply.sh, then apply.sql, and only then the restart" in _comments(found[name])


def test_each_host_has_a_file_of_its_own(advice: Advice) -> None:
    items = [
        _item(advice, [f"sysctl -w vm.swappiness={n}"], [f"sysctl -w vm.swappiness=6{n}"], object_type="HOST", object_name=h)
        for n, h in enumerate(("one", "two"))
    ]  # fmt: skip
    found = texts(_step(*items), advice)
    for name, host, value in (("apply.sh", "one", 0), ("apply-2.sh", "two", 1)):
        assert _typed_lines(found[name]) == [f"sysctl -w vm.swappiness={value}"]
        assert _typed_lines(found[name.replace("apply", "undo")]) == [f"sysctl -w vm.swappiness=6{value}"]
        assert f"Host: {host}" in _comments(found[name])


def test_the_head_says_what_a_person_needs_to_know(advice: Advice) -> None:
    step = next(s for s in plan(advice) if s.items[0].rule.name == "memory.sort-overflow")
    said = _comments(texts(step, advice)["apply.sql"])
    for part in (
        "rank 3",
        "Database: HRDB on ibmserv",
        "2026-03-02 10:00:00 to 2026-03-02 10:05:00",
        step.items[0].finding,
        f"Effect: {step.meaning}",
        *(f"Needs: {needed.needs}" for needed in step.prerequisites),
        "Run it after CONNECT with: db2 -td@ -svf apply.sql",
    ):
        assert part in said


def test_the_last_change_is_taken_back_first(advice: Advice) -> None:
    items = [_item(advice, [f"UPDATE DB CFG FOR X USING {p} 2"], [f"UPDATE DB CFG FOR X USING {p} 1"]) for p in "AB"]
    found = texts(_step(*items), advice)
    _, *undo = statements_of(found["undo.sql"])
    assert undo == ["UPDATE DB CFG FOR X USING B 1", "UPDATE DB CFG FOR X USING A 1"]


# checks


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('ALTER TABLESPACE "T""1" PREFETCHSIZE AUTOMATIC', [("tablespace_prefetch", 'T"1', None, "AUTOMATIC")]),
        ('ALTER BUFFERPOOL "B" IMMEDIATE SIZE -1', [("bufferpool_size", "B", None, "-1")]),
        ('ALTER BUFFERPOOL "B" IMMEDIATE SIZE 500 AUTOMATIC', [("bufferpool_size", "B", None, "AUTOMATIC")]),
        ('ALTER BUFFERPOOL "B" IMMEDIATE DBPARTITIONNUM 3 SIZE 7', [("bufferpool_size", "B", "3", "7")]),
        ('CREATE BUFFERPOOL "B" IMMEDIATE SIZE 7 PAGESIZE 4K', [("bufferpool_there", "B", None, "there")]),
        ('DROP TABLESPACE "T"', [("tablespace_there", "T", None, "missing")]),
        ('ALTER TABLE "S"."T" COMPRESS YES ADAPTIVE', [("table_compression", "S.T", None, "YES")]),
        (
            "UPDATE DB CFG FOR X USING LOGBUFSZ 256 SORTHEAP 9 AUTOMATIC DBHEAP AUTOMATIC",
            [
                ("dbcfg", name, None, value)
                for name, value in (("LOGBUFSZ", "256"), ("SORTHEAP", "AUTOMATIC"), ("DBHEAP", "AUTOMATIC"))
            ],
        ),
        ("UPDATE DB CFG FOR X MEMBER 2 USING NEWLOGPATH /log/a", [("log_path", "log path", "2", "/log/a")]),
        ("UPDATE DBM CFG USING SHEAPTHRES 0", [("dbmcfg", "SHEAPTHRES", None, "0")]),
        ("UPDATE DBM CFG USING CPUSPEED -1", []),  # Db2 measures it and shows what it found
        ('REORG TABLE "S"."T" INPLACE ALLOW WRITE ACCESS', []),
        ("-- UPDATE DBM CFG USING SHEAPTHRES 0", []),
    ],
)
def test_what_a_command_leaves_behind(line: str, found: list[tuple[str, str, str | None, str]]) -> None:
    assert left_behind([line], ON_DATABASE) == [Check(*values) for values in found]


def test_the_last_command_about_a_setting_counts() -> None:
    lines = [f"UPDATE DB CFG FOR X USING LOGBUFSZ {size}" for size in (1, 2)]
    assert left_behind(lines, ON_DATABASE) == [Check("dbcfg", "LOGBUFSZ", None, "2")]


@pytest.mark.parametrize("where", [ON_DATABASE, ON_HOST])
def test_every_row_of_checks_can_be_asked(where: str) -> None:
    for row in data_file("plan", where):
        known = set(re.findall(r"<(\w+)", row["COMMAND"]))
        assert set(re.findall(r"<(\w+)>", row["NAME"] + row["EXPECTED"])) <= known
        if where == ON_DATABASE and row["SHOWN_BY"]:
            query = (SQL / "plan" / "checks" / f"{row['SHOWN_BY']}.sql").read_text(encoding="utf-8")
            assert query.count("FROM EXPECTED AS E\n") == 1
        if where == ON_HOST:
            assert set(re.findall(r"<(\w+)>", row["SHOWN_BY"])) <= known


def test_a_change_without_a_check_says_what_to_look_at(advice: Advice) -> None:
    fields = {"target": "TABLESPACE:A:B:FS_CACHING", "current": "on", "proposed": "off", "unit": None}
    found = _scripts(
        advice,
        ['ALTER TABLESPACE "A:B" NO FILE SYSTEM CACHING'],
        ['ALTER TABLESPACE "A:B" FILE SYSTEM CACHING'],
        **fields,
    )
    for name, value in (("apply.sql", "on"), ("undo.sql", "off")):
        assert (
            f"Not checked: TABLESPACE:A:B:FS_CACHING is taken to be {value};"
            " look at FS_CACHING of MON_GET_TABLESPACE" in _comments(found[name])
        )
    assert look_at("OPTION:site:workload") is None


# the shell


REGISTRY = """#!/bin/sh
# db2set of an instance whose registry is a directory: a file for each variable and member
[ "$#" -gt 1 ] && place=$3.$4 || place=all
name=${1%%=*}
case $1 in
    *=) rm -f "$HERE/$name.$place" ;;
    *=*) printf '%s' "${1#*=}" > "$HERE/$name.$place" ;;
    *) cat "$HERE/$name.$place" 2> /dev/null || { echo 'DBI1303W Variable not set.'; exit 1; } ;;
esac
"""


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """A directory for values, with a db2set that keeps them there."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "values").mkdir()
    program = tmp_path / "bin" / "db2set"
    program.write_text(REGISTRY, encoding="utf-8")
    program.chmod(0o755)
    return tmp_path / "values"


def _run(script: str, registry: Path) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": f"{registry.parent / 'bin'}:{os.environ['PATH']}", "HERE": str(registry)}
    return subprocess.run(
        ["sh"], input=script, env=environment, cwd=registry.parent, text=True, capture_output=True, timeout=10, check=False
    )  # fmt: skip


def _values(registry: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in registry.iterdir()}


def test_a_change_of_the_registry_and_its_way_back(advice: Advice, registry: Path) -> None:
    step = next(s for s in plan(advice) if s.items[0].rule.name == "cpu.affinity-missing")
    found = texts(step, advice)
    early = _run(found["undo.sh"], registry)
    assert (early.returncode, _values(registry)) == (1, {})
    assert 'DB2PROCESSORS of hrinst on member 0 is "" and not "4,12"' in early.stderr
    assert _run(found["apply.sh"], registry).returncode == 0
    changed = _values(registry)
    assert len(changed) == 8 and changed["DB2PROCESSORS.hrinst.0"] == "4,12"
    again = _run(found["apply.sh"], registry)
    assert again.returncode == 1 and again.stderr.startswith("stopped before any change: ")
    assert _values(registry) == changed
    assert _run(found["undo.sh"], registry).returncode == 0
    assert _values(registry) == {}


VALUES = ["a b", "*", "$(touch owned)", "`touch owned`", "'; touch owned; '", '"', "\\", "é", "a=b", "# not a comment"]


@pytest.mark.parametrize("value", VALUES)
def test_a_value_stays_a_value(advice: Advice, registry: Path, value: str) -> None:
    found = _scripts(advice, ["db2set DB2_HASH_JOIN="], [f"db2set DB2_HASH_JOIN={value}"])
    (registry / "DB2_HASH_JOIN.all").write_text(value, encoding="utf-8")
    before = _values(registry)
    assert _run(found["apply.sh"], registry).stderr == ""
    assert _values(registry) == {}
    assert _run(found["undo.sh"], registry).stderr == ""
    assert _values(registry) == before
    assert not (registry.parent / "owned").exists()


def _host_lines() -> Iterator[str]:
    for param in cases_of("fires"):
        for expected in param.values[1]["expect"]:
            for key in ("action", "undo"):
                lines = [expected[key]] if isinstance(expected[key], str) else expected[key]
                yield from (line for line in lines if is_command(line) and not line.startswith(FOR_CLP))


def test_every_shell_script_is_one(advice: Advice) -> None:
    lines = list(dict.fromkeys(_host_lines()))
    script = _scripts(advice, lines, lines)["apply.sh"]
    subprocess.run(["sh", "-n"], input=script, text=True, timeout=10, check=True)
    for line in lines:
        assert shlex.split(typed(line)) == shlex.split(line)


# files


def test_written_to_a_directory(advice: Advice, tmp_path: Path) -> None:
    step = _step(_item(advice, ["db2set A=1", "DROP BUFFERPOOL é"], ["db2set A="]))
    paths = write(step, advice, tmp_path / "new" / "1")
    assert {path.name: path.read_text(encoding="utf-8") for path in paths} == texts(step, advice)
    assert [path.name for path in paths] == ["apply.sh", "apply.sql", "undo.sh"]
    assert [os.access(path, os.X_OK) for path in paths] == [True, False, True]


def test_a_directory_that_cannot_be_made(advice: Advice, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"cannot be written .*; choose another directory"):
        write(_step(_item(advice, ["db2set A=1"], [])), advice, tmp_path / "file")
