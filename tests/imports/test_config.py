"""Configuration listings: complete, in detail, partly pasted, and the advice from them alone."""

import random

import pytest

from tests.imports.printers import config
from tests.imports.reading import captured, reading
from tests.machines import MACHINES
from tests.support.advised import judged

WITH_ADVICE = "vm-oltp-final"
SOME = 40  # texts with some of the lines, from very few to nearly all


def settings_of(text):
    return {row["NAME"]: row for row in reading(text).rows["dbcfg"]}


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("Log buffer size (4KB)   (LOGBUFSZ) = 2048", {"VALUE": "2048", "VALUE_FLAGS": "NONE"}),
        (
            "Log buffer size(4KB)  (LOGBUFSZ) = 8192      4096",
            {"VALUE": "8192", "VALUE_FLAGS": "NONE", "DEFERRED_VALUE": "4096", "DEFERRED_VALUE_FLAGS": "NONE"},
        ),
        (
            "(LOGBUFSZ) = 8192 4096",
            {"VALUE": "8192", "VALUE_FLAGS": "NONE", "DEFERRED_VALUE": "4096", "DEFERRED_VALUE_FLAGS": "NONE"},
        ),
        ("   (LOGBUFSZ)=256", {"VALUE": "256", "VALUE_FLAGS": "NONE"}),
        ("(LOGBUFSZ) = 256  <- changed in May", {"VALUE": "256", "VALUE_FLAGS": "NONE"}),
        ("缓冲区 (LOGBUFSZ) = 256 # 原为 8", {"VALUE": "256", "VALUE_FLAGS": "NONE"}),
        ("> Num. of active log files for 1 active UOW(NUM\\_LOG\\_SPAN) = 0", {"VALUE": "0", "VALUE_FLAGS": "NONE"}),
        ("> Path to log files = C:/mylogs/", {"VALUE": "C:/mylogs/", "VALUE_FLAGS": "NONE"}),
        ("(PCKCACHESZ) = AUTOMATIC(8192)", {"VALUE": "8192", "VALUE_FLAGS": "AUTOMATIC"}),
        ("(PCKCACHESZ) = AUTOMATIC", {"VALUE_FLAGS": "AUTOMATIC"}),
        ("(PCKCACHESZ) = AUTOMATIC((MAXAPPLS*8))", {"VALUE_FLAGS": "AUTOMATIC"}),
        ("(PCKCACHESZ) = (MAXAPPLS*8)", {"VALUE": "(MAXAPPLS*8)", "VALUE_FLAGS": "NONE"}),
        ("(DATABASE_MEMORY) = COMPUTED(1000)", {"VALUE": "1000", "VALUE_FLAGS": "COMPUTED"}),
        (
            "(PCKCACHESZ) = AUTOMATIC(8192)    AUTOMATIC(9000)",
            {
                "VALUE": "8192",
                "VALUE_FLAGS": "AUTOMATIC",
                "DEFERRED_VALUE": "9000",
                "DEFERRED_VALUE_FLAGS": "AUTOMATIC",
            },
        ),
        (
            "(SELF_TUNING_MEM) = ON (Active)     ON",
            {"VALUE": "ON", "VALUE_FLAGS": "NONE", "DEFERRED_VALUE": "ON", "DEFERRED_VALUE_FLAGS": "NONE"},
        ),
        (
            "Database Configuration for Database X\n (INDEXREC) = SYSTEM (RESTART)",
            {"VALUE": "SYSTEM", "VALUE_FLAGS": "NONE"},
        ),  # the meaning of SYSTEM, and no pending value
        (
            "Database Configuration for Database X\n (INDEXREC) = SYSTEM (RESTART)     SYSTEM (RESTART)",
            {"VALUE": "SYSTEM", "VALUE_FLAGS": "NONE", "DEFERRED_VALUE": "SYSTEM", "DEFERRED_VALUE_FLAGS": "NONE"},
        ),
        ("Path to log files = /db2/log dir/", {"VALUE": "/db2/log dir/", "VALUE_FLAGS": "NONE"}),
        ("Path to log files = /db2/log/x/    <-- own disk", {"VALUE": "/db2/log/x/", "VALUE_FLAGS": "NONE"}),
        ("Path to log files = /db2/log/x/    own disk", {"VALUE": "/db2/log/x/", "VALUE_FLAGS": "NONE"}),
        ("Path to log files = D:\\db2\\n", {"VALUE": "D:\\db2\\n", "VALUE_FLAGS": "NONE"}),
        ("(LOGARCHMETH1) = DISK:/arch/     # archive disk", {"VALUE": "DISK:/arch/", "VALUE_FLAGS": "NONE"}),
        ("(LOGARCHMETH1) = DISK:/arch/ # archive disk", {"VALUE": "DISK:/arch/", "VALUE_FLAGS": "NONE"}),
        ("(LOGARCHMETH1) = DISK:/arch/\\n", {"VALUE": "DISK:/arch/", "VALUE_FLAGS": "NONE"}),
        ("(AUTO_MAINT) = ON\\n", {"VALUE": "ON", "VALUE_FLAGS": "NONE"}),
        ("(NEWLOGPATH) =              not moved", {"VALUE_FLAGS": "NONE"}),
        (
            "(LOGARCHMETH1) = OFF            DISK:/arch/   # since May",
            {"VALUE": "OFF", "VALUE_FLAGS": "NONE", "DEFERRED_VALUE": "DISK:/arch/", "DEFERRED_VALUE_FLAGS": "NONE"},
        ),
        ("Path to log files =\n   /db2/log/", {"VALUE": "/db2/log/", "VALUE_FLAGS": "NONE"}),
        ("Changed path to log files (NEWLOGPATH) =", {"VALUE_FLAGS": "NONE"}),
        (
            f"Changed path to log files (NEWLOGPATH) = {' ' * 26}/new/",
            {"VALUE_FLAGS": "NONE", "DEFERRED_VALUE": "/new/", "DEFERRED_VALUE_FLAGS": "NONE"},
        ),
    ],
)
def test_a_line_of_the_database_configuration(line, row):
    (found,) = settings_of(line + "\n").values()
    assert {name: value for name, value in found.items() if name not in {"REPORT", "NAME"}} == row


@pytest.mark.parametrize(
    "line",
    ["(NO_SUCH_PARAMETER) = 7", "a (LOGBUFSZ) remark", "(INDEXREC) = SYSTEM", "Buffer pool data logical reads = 7"],
)
def test_unknown_setting_or_scope_is_not_read(line):
    found = reading(line + "\n")
    assert not found.rows
    assert [item.why for item in found.ranges] == ["not recognised"]


def test_misspelled_parameter_of_configuration_is_noted(tmp_path):
    text = (
        "       Database Configuration for Database sample\n\n"
        " Default prefetch size (pages)         (DFT_PREFETCH_SZ) = AUTOMATIC\n"
        " Alternate collating sequence              (ALT_COLLATE) =\n"
        " Max storage for lock list (4KB)               (LOKLIST) = 100\n"
        " Log buffer size (4KB)                        (LOGBUFSZ) = 256\n"
    )
    assert [note for note in captured(tmp_path, text).notes if "misspelled" in note] == [
        "not parameters of any known level, perhaps misspelled, so no rule reads them: LOKLIST"
    ]


def test_what_a_listing_is_about():
    text = (
        "\n       Database Configuration for Database sample\n\n"
        " Database configuration release level                    = 0x1500\n"
        " Index re-creation time and redo index build  (INDEXREC) = RESTART\n"
        "          Database Manager Configuration\n\n"
        " Index re-creation time and redo index build  (INDEXREC) = ACCESS\n"
    )
    found = reading(text)
    assert [(report.format, report.database, report.level) for report in found.reports] == [
        ("get db cfg", "SAMPLE", "11.5"),
        ("get dbm cfg", None, None),
    ]
    assert [found.rows[name][0]["VALUE"] for name in ("dbcfg", "dbmcfg")] == ["RESTART", "ACCESS"]


def test_the_upper_level_of_the_registry_hides_the_lower():
    text = "[e] DB2COMM=SSL\n[i] DB2COMM=TCPIP\n[i] DB2_SKIPINSERTED=ON [DB2_WORKLOAD]\n[g] DB2SYSTEM=myhost\n"
    rows = reading(text).rows["registry"]
    assert [(row["REG_VAR_NAME"], row["REG_VAR_VALUE"], row.get("AGGREGATE_NAME")) for row in rows] == [
        ("DB2COMM", "SSL", None),
        ("DB2_SKIPINSERTED", "ON", "DB2_WORKLOAD"),
        ("DB2SYSTEM", "myhost", None),
    ]


@pytest.mark.parametrize("name", ["x445-8way", "docker-default", "oltp-tuned", WITH_ADVICE])
@pytest.mark.parametrize("detail", [True, False])
def test_what_is_printed_is_read_back(name, detail):
    state = MACHINES[name]()
    found = reading(config.printed(state, detail)).rows
    for source, columns in config.HOLDS.items():
        held = [column for column in columns if detail or not column.startswith("DEFERRED")]
        key = held[0]
        printed = {row[key]: shown(row, held) for row in reversed(state.sources[source])}
        assert {row[key]: {name: row[name] for name in held if name in row} for row in found.get(source, [])} == printed


def shown(row, held):
    """Return a setting's data in the text; a flag without a value is omitted."""
    present = {column: str(row[column]) for column in held if row[column] not in {None, ""}}
    if "DEFERRED_VALUE" not in present and present.get("DEFERRED_VALUE_FLAGS") == "NONE":
        del present["DEFERRED_VALUE_FLAGS"]
    return present


def words(advice):
    return {(item.rule.name, word) for item in advice.ranked for line in item.actions for word in line.split()}


def test_some_lines_advise_nothing_that_all_lines_do_not(tmp_path):
    lines = config.printed(MACHINES[WITH_ADVICE]()).splitlines(keepends=True)
    chance = random.Random(WITH_ADVICE)
    parts = [[line for line in lines if chance.random() < number / SOME] for number in range(1, SOME)]
    texts = [text for text in ("".join(part) for part in [lines, *parts]) if "=" in text]
    captures = [captured(tmp_path, text, name="OLTP").folder for text in texts]
    whole, *some = judged(captures)
    assert words(whole)
    assert len(some) > SOME / 2
    for text, advice in zip(texts[1:], some, strict=True):
        assert words(advice) <= words(whole), text


def test_pending_states_are_read():
    found = settings_of(
        " Backup pending                                          = YES\n"
        " All committed transactions have been written to disk    = NO\n"
        " Rollforward pending                                     = DATABASE\n"
        " Restore pending                                         = YES\n"
        " Database is in write suspend state                      = YES\n"
    )
    assert {name: row["VALUE"] for name, row in found.items()} == {
        "backup_pending": "YES", "database_consistent": "NO", "rollfwd_pending": "DATABASE", "restore_pending": "YES",
        "suspend_io": "YES",
    }  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [
        "[redacted]",
        "[\u2026]",
        "<path>",
        "{{ logpath }}",
        "%DIR%\\SQL00001\\",
        "DISK:${ARCHIVE}/",
        "$HOME/log",
        "***",
        "xxx",
        "...",
    ],
)
def test_placeholder_is_not_a_value(value):
    assert "dbcfg" not in reading(f" First log archive method (LOGARCHMETH1) = {value}\n").rows


@pytest.mark.parametrize(("text", "value"), [("db2c_x(was 50000)", "db2c_x"), ("/dump/ $h$m", "/dump/ $h$m")])
def test_value_next_to_a_remark_or_with_expressions_is_kept(text, value):
    token = "DIAGPATH" if text[0] == "/" else "SVCENAME"
    assert reading(f" Label ({token}) = {text}\n").rows["dbmcfg"][0]["VALUE"] == value


@pytest.mark.parametrize("first", [True, False])
def test_whole_configuration_outranks_quoted_lines(first, tmp_path):
    """Only a command changes what a whole configuration shows."""
    whole = config.database(MACHINES[WITH_ADVICE]())
    quoted = "Notes of the last year:\n\n (LOGFILSIZ) = 77\n (LOCKTIMEOUT) = 78\n"
    texts = (quoted, whole) if first else (whole, quoted)
    assert "78" not in {row["VALUE"] for row in captured(tmp_path, *texts).rows("dbcfg")}
    changed = captured(tmp_path, *texts, "$ db2 update db cfg using LOCKTIMEOUT 79\n")
    assert "79" in {row["VALUE"] for row in changed.rows("dbcfg")}
