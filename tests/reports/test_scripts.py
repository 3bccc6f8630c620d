"""The scripts of a step: every command in its file, every name quoted, and no change without its check."""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.catalogue.commands import FOR_CLP, recipient
from advisor.catalogue.rules import Rule
from advisor.catalogue.settings import Kind, Words, all_kinds
from advisor.errors import UserError
from advisor.judgement.advice import Advice, Recommendation
from advisor.judgement.run import advise
from advisor.plan.checks import Check, checks, quote_host_command
from advisor.plan.scripts import TERMINATORS, texts, write
from advisor.plan.steps import Step, plan
from advisor.quoting import holds_control, literal, quoted
from advisor.resources import query
from tests.machines import MACHINES
from tests.standin.commands import is_command
from tests.support.advised import advised
from tests.support.carrying_out import cases_of
from tests.support.clp import statements_of
from tests.support.made_up import commands
from tests.support.paths import CAPTURES
from tests.support.set_by import Given, set_by, setting

DEMO = CAPTURES / "x445-8way"


@pytest.fixture(scope="module")
def advice() -> Advice:
    return advise(DEMO)


def _item(advice: Advice, actions: list[str], undo: list[str], **fields: Any) -> Recommendation:
    return replace(advice.ranked[0], commands=commands(actions, undo), **fields)


def _step(*items: Recommendation) -> Step:
    return Step(1, items, "ON", 0, 0, ())


def _scripts(advice: Advice, actions: list[str], undo: list[str], **fields: Any) -> dict[str, str]:
    return texts(_step(_item(advice, actions, undo, **fields)), advice)


def _setting_item(advice: Advice, *lines: Given | tuple[Given, ...], **fields: Any) -> Recommendation:
    commands, settings = set_by(*lines)
    return replace(advice.ranked[0], commands=commands, settings=settings, **fields)


def _scripts_of(advice: Advice, *lines: Given | tuple[Given, ...], **fields: Any) -> dict[str, str]:
    """Return the scripts of a step that changes settings."""
    return texts(_step(_setting_item(advice, *lines, **fields)), advice)


def _typed_lines(script: str) -> list[str]:
    """Return the commands of a shell script, without the preceding checks."""
    lines = script[script.index("set -eu\n") :].split("\n")[1:]
    if "}" in lines:
        lines = lines[lines.index("}") + 1 :]
    return [line for line in lines if line and not line.startswith(("#", "expect ", "when="))]


def _comments(script: str) -> str:
    """Return the comments of a script as one line of text."""
    return " ".join(" ".join(line.lstrip("-#") for line in script.split("\n") if re.match("-- |# ", line)).split())


# names and values


NAMES = st.text(st.sampled_from("aZ \"';@%^~#+-:$`\\!|&<>(){}[]*?/é名"), min_size=1, max_size=42).filter(
    lambda name: any(character not in name for character in TERMINATORS[:6])
)


@settings(max_examples=15)
@given(name=NAMES)
def test_any_name_stays_one_name_of_one_statement(advice: Advice, name: str) -> None:
    action, undo = (f"ALTER TABLESPACE {quoted(name)} PREFETCHSIZE {size}" for size in (48, 24))
    found = _scripts_of(advice, setting("TABLESPACE", "PREFETCHSIZE", "24", "48", name))
    for file, command, before in (("apply.sql", action, "24"), ("undo.sql", undo, "48")):
        check, *commands = statements_of(found[file])
        assert commands == [command]
        assert f"({literal(name)}, CAST(NULL AS SMALLINT), {literal(before)})" in check


def test_names_that_leave_nothing_to_end_a_statement(advice: Advice) -> None:
    with pytest.raises(
        UserError, match="step 1: its object names contain every character that can end a statement; run"
    ):
        _scripts(advice, [f"DROP BUFFERPOOL {quoted(TERMINATORS)}"], [])


@pytest.mark.parametrize(
    ("given", "in_shell"),
    [
        (setting("REGISTRY", "DB2_PARALLEL_IO", None, "*:5"), "db2set DB2_PARALLEL_IO='*:5'"),
        (setting("REGISTRY", "DB2PROCESSORS", "1", None, "hrinst", 7), "db2set DB2PROCESSORS= -i hrinst 7"),
        (
            setting("REGISTRY", "DB2OPTIONS", None, "-x; reboot", "db2inst1"),
            "db2set DB2OPTIONS='-x; reboot' -i db2inst1",
        ),
        (setting("HOST", "vm.swappiness", "1", "$(reboot)"), "sysctl -w vm.swappiness='$(reboot)'"),
        (
            setting("DEVICE", "SCHEDULER", "cfq", "a > /etc/passwd", "sdb"),
            "echo 'a > /etc/passwd' > /sys/block/sdb/queue/scheduler",
        ),
        (setting("HOST", "kernel.sem", "1 2 3 4", "250 32000 32 128"), "sysctl -w kernel.sem='250 32000 32 128'"),
        (setting("DEVICE", "SCHEDULER", "cfq", "none", "sdb"), "echo none > /sys/block/sdb/queue/scheduler"),
        (setting("USER", "capabilities", "CAP_X", None, "db2inst1"), "chuser capabilities= db2inst1"),
    ],
)
def test_a_setting_typed_into_a_shell(advice: Advice, given: Given, in_shell: str) -> None:
    item = _setting_item(advice, given)
    (line,) = item.actions
    assert quote_host_command(line, item) == in_shell


@pytest.mark.parametrize(
    "given",
    [
        setting("REGISTRY", "DB2OPTIONS", None, "-x", "db2inst1; reboot"),
        setting("REGISTRY", "DB2OPTIONS", None, "'; reboot; '", "db2inst1"),
        setting("HOST", "kernel.sem", "1 2 3 4", "250 $(reboot) 32 128"),
        setting("DEVICE", "SCHEDULER", "cfq", "none", "sdb; b"),
        setting("DBCFG", "MINCOMMIT", "1", "1 LOGSECOND 0"),
    ],
)
def test_value_that_is_not_a_word_is_not_in_commands(advice: Advice, given: Given) -> None:
    assert _setting_item(advice, given).actions == []


@pytest.mark.parametrize(
    ("line", "in_shell"),
    [("db2start DBPARTITIONNUM 2", "db2start DBPARTITIONNUM 2"), ("db2stop `reboot`", "db2stop '`reboot`'")],
)
def test_a_command_typed_into_a_shell(advice: Advice, line: str, in_shell: str) -> None:
    assert quote_host_command(line, _item(advice, [line], [])) == in_shell


# the file of each line


@pytest.mark.parametrize("control", "\n\r\x1b\x85\u2028\u202e")
@pytest.mark.parametrize(("old", "of"), [("24{}! reboot", "T"), ("24", "T{}! reboot")], ids=["value", "name"])
def test_control_in_a_setting_leaves_no_check(advice: Advice, control: str, old: str, of: str) -> None:
    hostile = setting("TABLESPACE", "PREFETCHSIZE", old.format(control), "48", of.format(control))
    found = _scripts_of(advice, hostile, setting("TABLESPACE", "PREFETCHSIZE", "1", "2", "U"))
    check, *commands = statements_of(found["apply.sql"])
    assert commands == ['ALTER TABLESPACE "U" PREFETCHSIZE 2']
    assert "reboot" not in check
    for text in found.values():
        assert not holds_control(text.replace("\n", ""))


@pytest.mark.parametrize(("rule", "case"), cases_of("fires"))
def test_every_line_is_there_once(advice: Advice, rule: Rule, case: dict[str, Any]) -> None:
    for expected in case["expect"]:
        sides = {
            name: [lines] if isinstance(lines := expected.get(key, []), str) else lines
            for name, key in (("apply", "action"), ("undo", "undo"))
        }
        item = _item(
            advice, sides["apply"], sides["undo"], rule=rule, target=None, settings=(), finding="", object_name="X"
        )
        found = texts(_step(item), advice)
        for name, lines in sides.items():
            commands = [line for line in lines if is_command(line) and not recipient(line)]
            for line in filter(recipient, lines):
                assert [yaml.safe_load(text) for file, text in found.items() if file == f"{name}.yaml"] == [
                    yaml.safe_load(line)
                ]
            for_clp = [line for line in commands if line.startswith(FOR_CLP)]
            for_shell = [line for line in commands if line not in for_clp]
            texts_of = {
                ending: [text for file, text in found.items() if file.startswith(name) and file.endswith(ending)]
                for ending in (".sql", ".sh")
            }
            has = [s for text in texts_of[".sql"] for s in statements_of(text) if not s.startswith("BEGIN")]
            assert [statement for statement in has if statement != "DETACH"] == for_clp
            has = [line for text in texts_of[".sh"] for line in _typed_lines(text)]
            assert sorted(has) == sorted(quote_host_command(line, item) for line in for_shell)
            said = " ".join(_comments(text) for file, text in found.items() if file.startswith(name))
            for line in lines:
                if not is_command(line):
                    assert said.count("MANUAL: " + " ".join(line[3:].split())) == 1


def test_attachment_ends_with_the_script(advice: Advice) -> None:
    lines = ["ATTACH TO db2inst1", "UPDATE DBM CFG USING NUM_POOLAGENTS AUTOMATIC"]
    found = _scripts(advice, lines, ["UPDATE DB CFG FOR X USING LOGBUFSZ 1"])
    assert statements_of(found["apply.sql"])[-3:] == [*lines, "DETACH"]
    assert statements_of(found["undo.sql"])[-1] == "UPDATE DB CFG FOR X USING LOGBUFSZ 1"


def test_manual_step_is_comments(advice: Advice) -> None:
    found = _scripts(advice, ["-- Add disks."], ["-- Added disks need no undoing."])
    assert list(found) == ["apply.sql", "undo.sql"]
    assert statements_of(found["apply.sql"]) == []
    said = _comments(found["apply.sql"])
    assert "MANUAL: Add disks." in said and "contains no commands" in said and "db2 -td" not in said


def test_manual_text_is_at_its_step(advice: Advice) -> None:
    actions = ["-- first", "db2set A=1", "-- keep it", "UPDATE DB CFG FOR X USING LOGBUFSZ 1", "-- last"]
    found = _scripts(advice, actions, [])
    lines = found["apply.sh"].split("\n")
    assert lines[-4:] == ["# MANUAL: first", "db2set A=1", "# MANUAL: keep it", ""]
    assert found["apply.sql"].endswith("USING LOGBUFSZ 1 @\n-- MANUAL: last\n")
    for name in ("apply.sh", "apply.sql"):
        assert "Order: apply.sh, then apply.sql; restart only afterwards" in _comments(found[name])


def test_each_host_has_a_file_of_its_own(advice: Advice) -> None:
    items = [
        _setting_item(advice, setting("HOST", "vm.swappiness", f"6{n}", str(n)), object_type="HOST", object_name=h)
        for n, h in enumerate(("one", "two"))
    ]
    found = texts(_step(*items), advice)
    for name, host, value in (("apply-root.sh", "one", 0), ("apply-root-2.sh", "two", 1)):
        assert _typed_lines(found[name]) == [f"sysctl -w vm.swappiness={value}"]
        assert _typed_lines(found[name.replace("apply", "undo")]) == [f"sysctl -w vm.swappiness=6{value}"]
        assert f"Host: {host}" in _comments(found[name])


def test_step_that_needs_another_has_its_own_file(advice: Advice) -> None:
    actions = ["UPDATE DB CFG FOR X USING A 1", "db2stop", "sysctl -w vm.x=1", "-- look", "db2set B=1", "db2start"]
    linux = replace(advice, database=advice.database | {"platform": "Linux"})
    found = _scripts(linux, actions, [])
    assert list(found) == ["apply.sql", "apply.sh", "apply-root.sh", "apply-then.sh"]
    assert _typed_lines(found["apply.sh"]) == ["db2stop"]
    assert _typed_lines(found["apply-then.sh"]) == ["db2set B=1", "db2start"]
    for name, who in (("apply.sh", "Run as the instance owner."), ("apply-root.sh", "Run as root.")):
        said = _comments(found[name])
        assert who in said and "db2cmd" not in said
        assert "Order: apply.sql, then apply.sh, then apply-root.sh, then apply-then.sh; restart only" in said
    assert "MANUAL: look" in _comments(found["apply-root.sh"])


def test_commands_for_windows_are_entered_in_a_command_window(advice: Advice) -> None:
    windows = replace(advice, database=advice.database | {"platform": "Windows"})
    said = _comments(_scripts(windows, ["db2set B=1"], [])["apply.sh"])
    assert "db2cmd" in said and "Run as" not in said


def test_only_scripts_of_a_shell_are_executable(advice: Advice, tmp_path: Path) -> None:
    step = _step(_item(advice, ["db2set A=1", "UPDATE DB CFG FOR X USING B 1"], []))
    written = write(step, advice, tmp_path)
    assert {path.name: bool(path.stat().st_mode & 0o111) for path in written} == {"apply.sh": True, "apply.sql": False}
    assert {path.name: path.read_text(encoding="utf-8") for path in written} == texts(step, advice)


def test_each_file_checks_what_it_changes_itself(advice: Advice) -> None:
    item = _setting_item(
        advice,
        setting("REGISTRY", "A", None, "1"),
        setting("HOST", "vm.nr_hugepages", "0", "9"),
        setting("REGISTRY", "B", None, "2"),
    )
    found = texts(_step(item), advice)
    assert list(found)[:3] == ["apply.sh", "apply-root.sh", "apply-then.sh"]
    for name, asked in (("apply.sh", ["A"]), ("apply-root.sh", ["vm.nr_hugepages"] * 2), ("apply-then.sh", ["B"])):
        assert re.findall(r"^expect (\S+)", found[name], re.MULTILINE) == asked
    for name, asked in (("undo.sh", ["B"]), ("undo-root.sh", ["vm.nr_hugepages"] * 2), ("undo-then.sh", ["A"])):
        assert re.findall(r"^expect (\S+)", found[name], re.MULTILINE) == asked


@pytest.mark.parametrize(("given", "status"), [("9", 0), ("5", 1)])
def test_what_the_kernel_gave_is_looked_at(advice: Advice, registry: Path, given: str, status: int) -> None:
    found = _scripts_of(advice, setting("HOST", "vm.nr_hugepages", "0", "9"))
    program = registry.parent / "bin" / "sysctl"
    program.write_text(f'[ "$1" = -w ] && echo {given} > "$HERE/pages" || cat "$HERE/pages"\n', encoding="utf-8")
    program.chmod(0o755)
    (registry / "pages").write_text("0\n", encoding="utf-8")
    done = _run(found["apply-root.sh"], registry)
    assert (done.returncode, done.stderr) == (
        status,
        'stopped after the change: vm.nr_hugepages is "5", expected "9"\n' if status else "",
    )


def _query(text: str) -> str:
    """Return the first line of a query that is not a comment."""
    return next(line.strip() for line in text.splitlines() if not line.startswith("-- "))


def test_head_has_the_facts_for_the_reader(advice: Advice) -> None:
    step = next(s for s in plan(advice) if s.items[0].rule.name == "memory.sort-overflow")
    said = _comments(texts(step, advice)["apply.sql"])
    for part in (
        "rank 4",
        "Database: HRDB on ibmserv",
        "2026-03-02 10:00:00 to 2026-03-02 10:05:00",
        step.items[0].finding,
        f"Effect: {step.meaning}",
        *(f"Needs: {needed.needs}" for needed in step.prerequisites),
        *(f"shown by: {_query(needed.query)} " for needed in step.prerequisites if needed.query),
        "Run it after CONNECT with: db2 -td@ -svf apply.sql",
    ):
        assert part in said


def test_the_last_change_is_taken_back_first(advice: Advice) -> None:
    items = [_setting_item(advice, setting("DBCFG", p, "1", "2")) for p in "AB"]
    found = texts(_step(*items), advice)
    _, *undo = statements_of(found["undo.sql"])
    assert undo == ["UPDATE DB CFG FOR X USING B 1", "UPDATE DB CFG FOR X USING A 1"]


# checks


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (
            setting("TABLESPACE", "PREFETCHSIZE", "24", "AUTOMATIC", 'T"1'),
            [("tablespace_prefetch", 'T"1', "AUTOMATIC")],
        ),
        (setting("BUFFERPOOL", "SIZE", "7", "-1", "B"), [("bufferpool_size", "B", "-1")]),
        (setting("BUFFERPOOL", "SIZE", "7", "500 AUTOMATIC", "B"), [("bufferpool_size", "B", "AUTOMATIC")]),
        (setting("BUFFERPOOL", "EXISTS", "missing", "there", "B"), [("bufferpool_there", "B", "there")]),
        (setting("TABLESPACE", "EXISTS", "there", "missing", "T"), [("tablespace_there", "T", "missing")]),
        (setting("TABLE", "COMPRESS", "NO", "YES", "S.T"), [("table_compression", "S.T", "YES")]),
        (
            (
                setting("DBCFG", "LOGBUFSZ", "1", "256"),
                setting("DBCFG", "SORTHEAP", "1", "9 AUTOMATIC"),
                setting("DBCFG", "DBHEAP", "1", "AUTOMATIC"),
            ),
            [("dbcfg", "LOGBUFSZ", "256"), ("dbcfg", "SORTHEAP", "AUTOMATIC"), ("dbcfg", "DBHEAP", "AUTOMATIC")],
        ),
        (setting("DBMCFG", "SHEAPTHRES", "1", "0"), [("dbmcfg", "SHEAPTHRES", "0")]),
        (setting("DBMCFG", "CPUSPEED", "1", "-1"), []),  # Db2 measures this and prints the result
        (setting("TABLESPACE", "PAGESIZE", "4096", "8192", "T"), []),
        (setting("HOST", "vm.swappiness", "60", "1"), []),  # the host's script reads it
    ],
)
def test_what_a_setting_leaves_behind(
    advice: Advice, given: Given | tuple[Given, ...], found: list[tuple[str, str, str]]
) -> None:
    item = _setting_item(advice, given)
    expected = [Check(query, name, None, value) for query, name, value in found]
    assert checks(item.settings, changed=True, typed_by="database") == expected


def test_a_check_of_one_member_asks_that_one(advice: Advice) -> None:
    item = _setting_item(
        advice, setting("BUFFERPOOL", "SIZE", "7", "8", "B", 3), setting("DBCFG", "NEWLOGPATH", "/a", "/log/a", None, 2)
    )
    assert checks(item.settings, changed=True, typed_by="database") == [
        Check("bufferpool_size", "B", 3, "8"),
        Check("log_path", "log path", 2, "/log/a"),
    ]
    assert item.actions == [
        'ALTER BUFFERPOOL "B" IMMEDIATE DBPARTITIONNUM 3 SIZE 8',
        "UPDATE DB CFG FOR X MEMBER 2 USING NEWLOGPATH /log/a",
    ]


def test_the_last_value_of_a_setting_counts(advice: Advice) -> None:
    given = [one for size in ("1", "2") for one in set_by(setting("DBCFG", "LOGBUFSZ", "0", size))[1]]
    assert checks(given, changed=True, typed_by="database") == [Check("dbcfg", "LOGBUFSZ", None, "2")]


@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: f"{kind.kind} {kind.name}")
def test_every_kind_can_be_asked(kind: Kind) -> None:
    words = Words("NAME", "OBJECT", 3, "VALUE")
    for text in (kind.statement, kind.setting):
        assert "{" not in kind.fill(
            text.replace("{DB_ALIAS}", "X").replace("{OF_MEMBER}", "").replace("{ON_PARTITION}", ""), words
        )
    if kind.shown_by and not kind.on_host:
        assert query("plan/checks", kind.shown_by).count("FROM EXPECTED AS E\n") == 1
    if kind.on_host:
        assert kind.fill(kind.shown_by, words).count("{") == 0
        assert bool(kind.shown_by) == bool(kind.setting or kind.shown_by)


def test_change_without_check_names_a_manual_check(advice: Advice) -> None:
    _, settings = set_by(setting("TABLESPACE", "FS_CACHING", "on", "off", "A:B"))
    found = _scripts(
        advice,
        ['ALTER TABLESPACE "A:B" NO FILE SYSTEM CACHING'],
        ['ALTER TABLESPACE "A:B" FILE SYSTEM CACHING'],
        settings=settings, target="TABLESPACE:A:B:FS_CACHING", current="on", proposed="off", unit=None,
    )  # fmt: skip
    for name, value in (("apply.sql", "on"), ("undo.sql", "off")):
        assert (
            f"Not checked: TABLESPACE:A:B:FS_CACHING should be {value};"
            " see FS_CACHING of MON_GET_TABLESPACE" in _comments(found[name])
        )


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
    """Return a directory for registry values, with a db2set that stores them there."""
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
    assert 'DB2PROCESSORS of hrinst on member 0 is "", expected "4,12"' in early.stderr
    assert _run(found["apply.sh"], registry).returncode == 0
    changed = _values(registry)
    assert len(changed) == 8 and changed["DB2PROCESSORS.hrinst.0"] == "4,12"
    again = _run(found["apply.sh"], registry)
    assert again.returncode == 1 and again.stderr.startswith("stopped before any change: ")
    assert _values(registry) == changed
    assert _run(found["undo.sh"], registry).returncode == 0
    assert _values(registry) == {}


def test_value_with_a_line_feed_gives_a_manual_step(advice: Advice) -> None:
    found = _scripts_of(advice, setting("REGISTRY", "DB2_HASH_JOIN", "a\nb", None))
    assert not any("db2set" in text for text in found.values())
    assert "holds a control character" in found["apply.sql"]


VALUES = ["a b", "*", "$(touch owned)", "`touch owned`", "\\", "é", "a=b", "# not a comment"]


@pytest.mark.parametrize("value", VALUES)
def test_a_value_stays_a_value(advice: Advice, registry: Path, value: str) -> None:
    found = _scripts_of(advice, setting("REGISTRY", "DB2_HASH_JOIN", value, None))
    (registry / "DB2_HASH_JOIN.all").write_text(value, encoding="utf-8")
    before = _values(registry)
    assert _run(found["apply.sh"], registry).stderr == ""
    assert _values(registry) == {}
    assert _run(found["undo.sh"], registry).stderr == ""
    assert _values(registry) == before
    assert not (registry.parent / "owned").exists()


def test_every_shell_script_is_one() -> None:
    """The shell commands of every firing case parse, and the shell reads each word as intended."""
    for host, advice in _hosts_advice():
        for item in advice.ranked:
            for line in (*item.actions, *item.undo):
                if is_command(line) and not line.startswith(FOR_CLP) and recipient(line) is None:
                    assert shlex.split(quote_host_command(line, item)) == shlex.split(line), host
            step = Step(1, (item,), "ON", 0, 0, ())
            for name, script in texts(step, advice).items():
                if name.endswith(".sh"):
                    subprocess.run(["sh", "-n"], input=script, text=True, timeout=10, check=True)


def _hosts_advice() -> Iterator[tuple[str, Advice]]:
    """Return the advice of each committed machine."""
    return ((name, advised(name)) for name in MACHINES)
