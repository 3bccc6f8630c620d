"""Templates of rule headers, and the SELECT generated from a header: its texts on the embedded engine."""

import re
import shlex
from itertools import cycle
from pathlib import Path
from typing import Any

import duckdb
import pytest

from advisor.catalogue.actions import Row
from advisor.catalogue.rule_file import list_alternatives
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.rules import parse as parse_rule
from advisor.catalogue.settings import kind_of
from advisor.catalogue.sqltext import remove_comments
from advisor.catalogue.tables import PER_RUN
from advisor.catalogue.templates import _WORDS, Figures, choose_text, holds_control, read
from advisor.catalogue.views import model_views
from advisor.errors import UserError
from advisor.quoting import CONTROLS, quoted
from tests.support.set_by import set_by, setting

HEADER = """\
rule: log.example
title: An example
lane: performance
takes_effect: immediately
judged_by: config
object: DATABASE
references: [nobody]
why: Because.
not_if: Never.
confidence: 0.3
"""


def written(template: str, **figures: Any) -> str | None:
    """Return a template with these numbers, as the embedded engine formats it."""
    known = Figures()
    text = known.read(template).expression()
    return _ask(known, text, figures)


def _ask(known: Figures, text: str, figures: dict[str, Any]) -> str | None:
    given = ", ".join(f"? AS {name}" for name in figures)
    also = "".join(f", {figure.sql_text} AS {figure.column}" for figure in known.noted.values())
    sql = f"WITH F AS (SELECT {given}), W AS (SELECT F.*{also} FROM F) SELECT {text} FROM W"
    row = duckdb.connect().execute(sql, list(figures.values())).fetchone()
    assert row is not None
    return row[0]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("template", "value", "text"),
    [
        ("{X}", 48, "48"),
        ("{X}", 47.5, "48"),
        ("{X}", -3, "-3"),
        ("{X}", None, "not known"),
        ("{X|none}", None, "none"),
        ("{X|}", None, ""),
        ("{X:2}", 1.15, "1.15"),  # no decimal that a binary number represents exactly: 1.149999...
        ("{X:2}", 0.29, "0.29"),
        ("{X:2}", 0.0, "0.00"),
        ("{X:1}", 0.05, "0.1"),
        ("{X:2}", -0.5, "-0.50"),
        ("{X:2}", 12345678.9, "12345678.90"),
        ("{X:1}", 7, "7.0"),
        ("{X:0}", 1.6, "2"),
        ("{X:2}", -0.001, "0.00"),
        ("{X:6}", 1e13, "not known"),  # with six decimals not a BIGINT
        ("{X}", float("nan"), "not known"),
        ("{X:1|none}", float("inf"), "none"),
        ("{X}", -float("inf"), "not known"),
        ("{X}", 1e19, "not known"),
        ("{X}", 9e15, "9000000000000000"),
        ("a[ b {X}] c", float("nan"), "a c"),
        ("{X:text}", "it's {X} [or] not", "it's {X} [or] not"),
        ("{X:name}", 'a"b', '"a""b"'),
        ("{X:literal}", "o'c", "'o''c'"),
        ("{X:path}", "/log", "/log"),
        ("{X:path}", "/my log", '"/my log"'),
        ("{X:path}", 'a";b', '"a"";b"'),
        ("{X:path}", "", '""'),
        ("{X:path}", "a\tb", '"a\tb"'),
        ("{X:json}", 'a"b\\c', '"a\\"b\\\\c"'),
        ("{X:shell}", "$(reboot) it's", "'$(reboot) it'\\''s'"),
        ("{X:shellname}", "a\"b'c", "'\"a\"\"b'\\''c\"'"),
        ("100 % of {X} pages'", 2, "100 % of 2 pages'"),
        ("a[ b {X} c] d", 1, "a b 1 c d"),
        ("a[ b {X} c] d", None, "a d"),
        ("[[{X}]] {{ }}", 1, "[1] { }"),
    ],
)
def test_a_figure_is_written(template: str, value: Any, text: str) -> None:
    assert written(template, X=value) == text


@pytest.mark.parametrize("template", ["{X", "X}", "[a", "a]", "[a [b] c]", "{X:bold}", "{X:12}", "{}"])
def test_a_template_that_is_not_closed_is_refused(template: str) -> None:
    with pytest.raises(ValueError, match=r"closed|must be"):
        read(template)


def test_value_is_null_if_a_figure_is() -> None:
    known = Figures()
    text = known.read("{A} AUTOMATIC").value()
    assert _ask(known, text, {"A": None}) is None
    assert _ask(known, text, {"A": 20}) == "20 AUTOMATIC"
    assert _ask(Figures(), read("").value(), {"A": 1}) is None


@pytest.mark.parametrize(
    ("template", "value", "text"),
    [
        ("RESIZE {X}[ ON {X}]", 2, "RESIZE 2 ON 2"),
        ("RESIZE {X}[ ON {X}]", None, None),
        ("REBALANCE[ ON {X}]", None, "REBALANCE"),
        ("RESIZE {X|0}", None, "RESIZE 0"),
        ("RESIZE {X}", float("nan"), None),
    ],
)
def test_what_a_command_lacks(template: str, value: Any, text: str | None) -> None:
    known = Figures()
    assert _ask(known, known.read(template).value(), {"X": value}) == text


@pytest.mark.parametrize(("x", "text"), [(1, "one"), (2, "two"), (3, "many"), (None, "many")])
def test_the_first_line_that_holds_is_chosen(x: int | None, text: str) -> None:
    item = {"choose": [{"when": "X = 1", "text": "one"}, {"when": "X = 2", "text": "two"}, "many"]}
    group = list_alternatives(item)
    known = Figures()
    assert _ask(known, choose_text(group, [known.read(each["text"]).expression() for each in group]), {"X": x}) == text


def test_alternative_without_condition_before_others_is_refused() -> None:
    with pytest.raises(ValueError, match="only the last alternative"):
        list_alternatives({"choose": ["plain", {"when": "X = 1", "text": "other"}]})


def rule(tmp_path: Path, lines: str, select: str, header: str = HEADER) -> Rule:
    path = tmp_path / "example.sql"
    given = {line.partition(":")[0] for line in lines.splitlines()}
    kept = [line for line in header.splitlines(keepends=True) if line.partition(":")[0] not in given]
    path.write_text(f"/*---\n{''.join(kept)}{lines}---*/\n{select}", encoding="utf-8")
    return parse_rule(path)


def found(made: Rule, dbt_ms: int = 1000) -> list[dict[str, Any]]:
    """Return the findings in a database that was busy for this many milliseconds."""
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA TUNE")
    connection.execute("CREATE TABLE TUNE.RUN_DATABASE AS SELECT 'SALES' AS DB_NAME, 'db2inst1' AS INSTANCE_NAME")
    connection.execute(f"CREATE TABLE TUNE.DATABASE_TIME AS SELECT {dbt_ms} AS DBT_MS")
    cursor = connection.execute(f"{made.statement} ORDER BY STEP, PLACE, OBJECT_NAME")
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


SETTINGS = """\
actions:
  - set:
      - {kind: DBCFG, name: LOGFILSIZ, from: '{OLD_SIZE}', to: '{NEW_SIZE}', unit: 4 KB pages}
      - {kind: DBCFG, name: LOGPRIMARY, from: '{OLD_FILES}', to: '{NEW_FILES}', unit: files}
  - when: NEW_SIZE > 5000
    manual: Look at the {FREE|unknown} MB that are free.
    undo: {manual: Nothing.}
finding: 'Too small: {OLD_SIZE}.'
evidence: [LOGFILSIZ=OLD_SIZE, 'free=FREE?']
"""


def test_settings_that_stay_are_left_out(tmp_path: Path) -> None:
    select = "SELECT 1000 AS OLD_SIZE, 4000 AS NEW_SIZE, 13 AS OLD_FILES, 13 AS NEW_FILES, CAST(NULL AS BIGINT) AS FREE"
    (row,) = found(rule(tmp_path, SETTINGS, select))
    assert (row["OBJECT_TYPE"], row["OBJECT_NAME"], row["TARGET"]) == ("DATABASE", "SALES", "DBCFG:LOGFILSIZ")
    assert (row["CURRENT_VALUE"], row["PROPOSED_VALUE"], row["UNIT"]) == ("1000", "4000", "4 KB pages")
    assert (row["STEP"], row["PLACE"], row["ACTION_TEXT"]) == (1, 1, None)
    assert (row["FINDING"], row["EVIDENCE"]) == ("Too small: 1000.", "LOGFILSIZ=1000")


def test_every_line_that_holds_is_a_step(tmp_path: Path) -> None:
    select = "SELECT 1000 AS OLD_SIZE, 8000 AS NEW_SIZE, 13 AS OLD_FILES, 20 AS NEW_FILES, 7 AS FREE"
    rows = found(rule(tmp_path, SETTINGS, select))
    assert [(row["STEP"], row["PLACE"], row["TARGET"]) for row in rows] == [
        (1, 1, "DBCFG:LOGFILSIZ"),
        (1, 2, "DBCFG:LOGPRIMARY"),
        (2, 0, None),
    ]
    assert (rows[2]["ACTION_TEXT"], rows[2]["UNDO_TEXT"]) == ("-- Look at the 7 MB that are free.", "-- Nothing.")
    assert rows[2]["EVIDENCE"] == "LOGFILSIZ=1000; free=7"


FINDING = "finding: x\n"
MANUAL = f"{FINDING}actions: [{{manual: y}}]\n"


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ("actions: [{manual: y}]\n", "finding is missing"),
        (FINDING, "actions is missing"),
        (f"{FINDING}actions: []\n", "actions: must be a list with at least one entry"),
        (f"{FINDING}actions: [{{set: {{kind: NOWHERE, name: X, to: '1'}}}}]\n", "no such kind"),
        (f"{FINDING}actions: [{{set: {{kind: DBCFG, to: '1'}}}}]\n", "actions"),
        (f"object: TABLE\n{MANUAL}", "object: must be a type and a name"),
        (f"{FINDING}actions: [{{by_hand: y}}]\n", "by_hand"),
        (
            f"{FINDING}actions: [{{set: [{{kind: REGISTRY, name: X, to: '1'}}, {{kind: REGISTRY, name: Y, to: '1'}}]}}]\n",
            "one command must be able to set",
        ),
        (f"{MANUAL}recover: [0.1, 0.5]\n", "recover: must be a list of low, expected and high"),
        (f"{MANUAL}claims: {{A: {{}}, B: {{}}, C: {{}}, D: {{}}}}\n", "claims"),
        (f"{MANUAL}claims: {{LOCK_WAIT: {{events: A}}}}\n", "claims.LOCK_WAIT"),
        (f"{MANUAL}claims: {{B: {{at_most_pct: a lot}}}}\n", "claims.B.at_most_pct: must be a number"),
        (f"{MANUAL}Finding: x\n", "there is no 'Finding'; did you mean finding"),
    ],
)
def test_header_with_a_fault_names_its_place(tmp_path: Path, lines: str, fault: str) -> None:
    with pytest.raises((UserError, ValueError), match=f"example.*{re.escape(fault)}"):
        _ = rule(tmp_path, lines, "SELECT 1 AS A").statement


def test_names_of_generated_columns_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"log\.example: names with __ are generated"):
        _ = rule(tmp_path, f"{FINDING}actions: [{{command: '{{A}}'}}]\n", "SELECT 1 AS A, 2 AS A__TEXT").statement


def test_figures_that_look_generated_are_their_own(tmp_path: Path) -> None:
    select = "SELECT 1.25 AS X, 'a' AS X_TEXT, 'b' AS X_1, 'c' AS OF_DATABASE, 9 AS ROW_NO"
    command = "'{X} {X:1} {X_TEXT:text} {X_1:text} {OF_DATABASE:text} {ROW_NO}'"
    lines = f"{FINDING}actions: [{{command: {command}}}, {{manual: y}}]\n"
    do, by_hand = found(rule(tmp_path, lines, select))
    assert (do["ACTION_TEXT"], by_hand["ACTION_TEXT"]) == ("1 1.3 a b c 9", "-- y")
    assert do["OBJECT_NAME"] == "SALES"


def test_missing_figure_gives_no_command_and_no_undo(tmp_path: Path) -> None:
    lines = """\
finding: x
actions:
  - {command: 'RESIZE {X}', undo: {command: RESIZE 1}}
  - {command: GROW, undo: {command: 'SHRINK {X}'}}
  - manual: See {X}.
"""
    rows = found(rule(tmp_path, lines, "SELECT CAST(NULL AS BIGINT) AS X"))
    assert [(row["ACTION_TEXT"], row["UNDO_TEXT"]) for row in rows] == [
        (None, None),
        ("GROW", None),
        ("-- See not known.", None),
    ]
    rows = found(rule(tmp_path, lines, "SELECT 5 AS X"))
    assert [(row["ACTION_TEXT"], row["UNDO_TEXT"]) for row in rows] == [
        ("RESIZE 5", "RESIZE 1"),
        ("GROW", "SHRINK 5"),
        ("-- See 5.", None),
    ]


PROGRAM = re.compile(
    r"(?:^|[ (])(?:db2[a-z]+|db2 |parted|tunedasd|chdev|lvs|df|ls|poolcfg|numactl) ?(.*?)(?=[,;:.)] |[,;:.)]*$)"
)


def _texts(step: dict[str, Any]) -> list[str]:
    """Return the commands and manual steps of a step and of its undo."""
    return [each[key] for each in (step, step.get("undo", {})) for key in ("command", "manual") if key in each]


@pytest.mark.parametrize("name", sorted(all_rules()))
def test_manual_line_with_program_quotes_its_values(name: str) -> None:
    """A program's call is the text after its name up to the next stop."""
    steps = [step for action in all_rules()[name].header["actions"] for step in list_alternatives(action)]
    for text in (text for step in steps for text in _texts(step)):
        for call in PROGRAM.findall(text):
            forms = {figure.form for figure in read(re.sub(r"[][]", "", call)).figures if figure.form in _WORDS}
            assert forms <= {"shell", "shellname"}, text


@pytest.mark.parametrize("word", ["it's", "$(reboot)", 'a "b"', "`c`;d", "\\"])
def test_shell_form_is_one_word_of_a_shell(word: str) -> None:
    assert shlex.split(written("{X:shell} -", X=word) or "") == [word, "-"]
    assert shlex.split(written("{X:shellname} -", X=word) or "") == [quoted(word), "-"]


NOT_GIVEN = "-- A name or value here holds a control character, so no command is given. Write this step manually."
SOME_CONTROLS = "\x01\n\r\x1b\x7f\x85\u200e\u2028\u202e\u2069"


@pytest.mark.parametrize(
    ("control", "parts"), list(zip(SOME_CONTROLS, cycle([("1{}", "2", "BP"), ("1", "2{}", "BP"), ("1", "2", "B{}P")])))
)
def test_control_in_a_setting_gives_a_manual_line(control: str, parts: tuple[str, ...]) -> None:
    given = setting("BUFFERPOOL", "SIZE", *(part.format(control) for part in parts))
    ((command,), _) = set_by(given)
    assert (command.action, command.undo) == (NOT_GIVEN, None)


@pytest.mark.parametrize("control", CONTROLS)
def test_control_character_is_the_same_in_sql(control: str) -> None:
    query = f"SELECT {holds_control('T')} FROM (SELECT ? AS T)"
    assert duckdb.execute(query, [f"a{control}b"]).fetchall() == [(True,)]


def test_text_without_control_characters_is_let_through() -> None:
    query = f"SELECT {holds_control('T')} FROM (SELECT ? AS T)"
    assert duckdb.execute(query, ["Überraum 名前 \"'\\`$;@ \u00a0€"]).fetchall() == [(False,)]


def test_the_undo_of_a_chain_is_that_of_each_of_its_lines(tmp_path: Path) -> None:
    lines = """\
finding: x
actions:
  - choose:
      - {when: X = 1, command: ONE}
      - when: X = 2
        set: [{kind: DBCFG, name: A, from: '1', to: '2'}, {kind: DBCFG, name: B, from: '1', to: '2'}]
      - command: MANY
    undo: {command: BACK}
"""
    for x, action in ((1, "ONE"), (3, "MANY")):
        (row,) = found(rule(tmp_path, lines, f"SELECT {x} AS X"))
        assert (row["ACTION_TEXT"], row["UNDO_TEXT"]) == (action, "BACK")


@pytest.mark.parametrize(("old", "new", "rows"), [("NULL", "'-'", 1), ("'-'", "'-'", 0), ("NULL", "NULL", 0)])
def test_a_dash_is_a_value(tmp_path: Path, old: str, new: str, rows: int) -> None:
    values = "from: '{OLD_X:text}', to: '{NEW_X:text}'"
    select = f"SELECT CAST({old} AS VARCHAR(9)) AS OLD_X, CAST({new} AS VARCHAR(9)) AS NEW_X"
    made = rule(tmp_path, f"{FINDING}actions: [{{set: {{kind: DBCFG, name: X, {values}}}}}]\n", select)
    assert len(found(made)) == rows


def test_each_part_of_the_objects_name_is_quoted(tmp_path: Path) -> None:
    setting = "{name: COMPRESS, from: 'NO', to: 'YES'}"
    lines = f"object: TABLE {{S:text}}.{{T:text}}\nfinding: x\nactions: [{{set: {setting}}}]\n"
    name = '"' * 128
    (row,) = found(rule(tmp_path, lines, f"SELECT 'a.b' AS S, '{name}' AS T"))
    assert (row["SETTING_OBJECT"], row["QUOTED_OBJECT"]) == (f"a.b.{name}", f'"a.b"."{name * 2}"')


def test_quoted_object_fits_two_names_of_only_quotes() -> None:
    for text in (Row.quoted, PER_RUN["FINDING"]):
        (width,) = re.findall(r"QUOTED_OBJECT VARCHAR\((\d+)\)|NULL AS VARCHAR\((\d+)\)", text)
        assert int("".join(width)) >= 2 * len('""') * 129 + len(".")


@pytest.mark.parametrize(("kb", "memory"), [("1.5", 2), ("-1.5", -2), ("CAST('nan' AS DOUBLE)", 0), ("NULL", 0)])
def test_memory_is_rounded(tmp_path: Path, kb: str, memory: int) -> None:
    (row,) = found(rule(tmp_path, f"{MANUAL}memory: KB\n", f"SELECT CAST({kb} AS DOUBLE) AS KB"))
    assert row["MEMORY_DELTA_KB"] == memory


@pytest.mark.parametrize(("x", "text"), [(1, "One."), (2, "One. Two."), (0, "An example")])
def test_a_finding_is_never_empty(tmp_path: Path, x: int, text: str) -> None:
    lines = "actions: [{manual: x}]\nfinding: [{when: X > 0, text: One.}, {when: X > 1, text: Two.}]\n"
    (row,) = found(rule(tmp_path, lines, f"SELECT {x} AS X"))
    assert row["FINDING"] == text


@pytest.mark.parametrize(
    ("lines", "action", "undo"),
    [
        (((None, "1"), ("2", "3")), ["A 1 B 3"], []),
        ((("1", "2"), (None, "3")), ["A 2 B 3"], []),
        ((("1", None), ("2", "3")), ["B 3"], ["B 2"]),
        ((("1", "2"), ("2", "3")), ["A 2 B 3"], ["A 1 B 2"]),
    ],
)
def test_the_undo_of_several_settings_is_whole(
    lines: tuple[tuple[str | None, str | None], ...], action: list[str], undo: list[str]
) -> None:
    given = tuple(setting("DBCFG", name, old, new) for name, (old, new) in zip("AB", lines, strict=True))
    commands, _ = set_by(given)
    using = "UPDATE DB CFG FOR X USING "
    assert [command.action for command in commands] == [using + text for text in action]
    assert [command.undo for command in commands if command.undo] == [using + text for text in undo]


def test_a_block_size_without_blocks_needs_no_undo() -> None:
    blocks, size = (setting("BUFFERPOOL", *of, "BP") for of in (("NUMBLOCKPAGES", "0", "9"), ("BLOCKSIZE", None, "3")))
    ((command,), _) = set_by((blocks, size))
    assert (command.action, command.undo) == (
        'ALTER BUFFERPOOL "BP" NUMBLOCKPAGES 9 BLOCKSIZE 3',
        'ALTER BUFFERPOOL "BP" NUMBLOCKPAGES 0',
    )


@pytest.mark.parametrize(
    ("members", "differs", "fixed"),
    [
        ([("5", 0), ("5", 0)], 0, 1),
        ([("5", 1), ("5", 1)], 0, 0),
        ([("5", 0), ("5", 1)], 1, 0),
        ([("5", 0), ("6", 0)], 1, 0),
        ([("5", 0), (None, 0)], 1, 0),
    ],
)
def test_members_differ_where_db2_sets_the_value_of_some(
    members: list[tuple[str | None, int]], differs: int, fixed: int
) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA TUNE")
    columns = "SCOPE VARCHAR, NAME VARCHAR, VALUE VARCHAR, NUM BIGINT, AUTOMATIC INT, PENDING INT, NEXT_VALUE VARCHAR"
    connection.execute(f"CREATE TABLE TUNE.CONFIG ({columns})")
    connection.executemany("INSERT INTO TUNE.CONFIG VALUES ('DB', 'x', ?, 5, ?, 0, NULL)", members)
    select = model_views()["SETTING"]
    assert connection.execute(f"SELECT DIFFERS, FIXED FROM ({select})").fetchall() == [(differs, fixed)]


@pytest.mark.parametrize(
    ("kind", "name", "written_by"),
    [
        ("DBCFG", "SORTHEAP", "UPDATE DB CFG FOR {DB_ALIAS}{OF_MEMBER} USING"),
        ("HOST", "kernel.shmmax", ""),
        ("TABLESPACE", "PAGESIZE", ""),
    ],
)
def test_the_first_kind_that_fits_counts(kind: str, name: str, written_by: str) -> None:
    assert kind_of(kind, name).statement == written_by


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="no such kind"):
        kind_of("DISK", "SPEED")


LOG_DISK = "LOG_DISK: {events: FLUSHES, cost_ms: FLUSH_MS}"
PUBLISHED = f"{MANUAL}claims: {{PROCESSING: {{at_most_pct: 7}}}}\n"


def test_a_counted_claim_is_events_times_what_each_costs(tmp_path: Path) -> None:
    lines = f"{MANUAL}claims: {{{LOG_DISK}, LOCK_WAIT: {{events: WAITS, cost_ms: 0.5}}}}\nevidence: [FLUSHES]\n"
    select = "SELECT 3000 AS FLUSHES, 2.25 AS FLUSH_MS, 800 AS WAITS"
    (row,) = found(rule(tmp_path, lines, select), dbt_ms=100_000)
    assert (row["CLAIMED_PCT"], row["CLAIM_2_PCT"], row["CLAIM_3_PCT"]) == (pytest.approx(6.75 + 0.4), 0.4, 0)
    assert row["EVIDENCE"] == (
        "FLUSHES=3000; claimed_LOG_DISK=3000 FLUSHES x 2.250 ms; claimed_LOCK_WAIT=800 WAITS x 0.5 ms"
    )


@pytest.mark.parametrize("flushes", ["CAST(NULL AS INTEGER)", "-5"])
def test_what_cannot_be_counted_claims_nothing(tmp_path: Path, flushes: str) -> None:
    lines = f"{MANUAL}claims: {{{LOG_DISK}}}\n"
    (row,) = found(rule(tmp_path, lines, f"SELECT {flushes} AS FLUSHES, 2.25 AS FLUSH_MS"), dbt_ms=100_000)
    assert row["CLAIMED_PCT"] == 0


def test_a_published_effect_is_the_most_that_counts(tmp_path: Path) -> None:
    for said, counts in ((5, 5), (60, 7)):
        (row,) = found(rule(tmp_path, PUBLISHED, f"SELECT {said} AS CLAIM_PROCESSING"))
        assert (row["CLAIMED_PCT"], row["CONFIDENCE"]) == (counts, 0.3)


def test_a_published_effect_has_low_confidence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"confidence must be at most 0\.3"):
        _ = rule(tmp_path, f"{PUBLISHED}confidence: 0.6\n", "SELECT 9 AS CLAIM_PROCESSING").statement


def test_what_the_header_counts_no_select_says(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="CLAIM_LOG_DISK is counted by the header"):
        _ = rule(tmp_path, f"{MANUAL}claims: {{{LOG_DISK}}}\n", "SELECT 1 AS FLUSHES, 3 AS CLAIM_LOG_DISK").statement


@pytest.mark.parametrize("control", CONTROLS)
def test_comment_removal_keeps_control_in_a_literal(control: str) -> None:
    assert remove_comments(f"SELECT '{control}' -- all\nFROM T") == f"SELECT '{control}'\nFROM T"


@pytest.mark.parametrize(
    ("instance", "before"),
    [
        ("db2inst1", "ATTACH TO db2inst1"),
        ("a b", "-- Attach to the instance first; otherwise the change takes effect at the next db2start."),
        ("a;b", "-- Attach to the instance first; otherwise the change takes effect at the next db2start."),
    ],
)
def test_instance_setting_needs_attachment(instance: str, before: str) -> None:
    commands, _ = set_by(
        setting("DBCFG", "LOGBUFSZ", "1", "2"), setting("DBMCFG", "DIAGLEVEL", "4", "3"), instance=instance
    )
    assert [command.action for command in commands if command.action] == [
        "UPDATE DB CFG FOR X USING LOGBUFSZ 2", before, "UPDATE DBM CFG USING DIAGLEVEL 3",
    ]  # fmt: skip
    assert [command.undo for command in reversed(commands) if command.undo] == [
        before, "UPDATE DBM CFG USING DIAGLEVEL 4", "UPDATE DB CFG FOR X USING LOGBUFSZ 1",
    ]  # fmt: skip


def test_setting_with_unknown_value_has_no_attachment_in_undo() -> None:
    commands, _ = set_by(setting("DBMCFG", "DIAGLEVEL", None, "3"), instance="db2inst1")
    assert [command.undo for command in commands if command.undo] == []
    assert [command.action for command in commands] == ["ATTACH TO db2inst1", "UPDATE DBM CFG USING DIAGLEVEL 3"]


def test_no_text_of_a_rule_leaves_open_whether_it_counts_one_or_several() -> None:
    headers = {name: rule.path.read_text(encoding="utf-8").partition("---*/")[0] for name, rule in all_rules().items()}
    assert [name for name, header in headers.items() if re.search(r"[a-z]\(s\)", header)] == []
