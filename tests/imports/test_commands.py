"""Commands in scripts, mails and transcripts: new settings, failures, pending values, and the reports' databases."""

import pytest

from advisor.errors import UserError
from advisor.imports.databases import name_unnamed
from advisor.imports.values import columns
from tests.imports.reading import captured, reading, reasons

NUMBERS = [row["NAME"] for row in columns("config") if (row["SCOPE"], row["KIND"]) == ("db", "number")]
BOTH = "VALUE", "DEFERRED_VALUE"
DONE = "DB20000I  The UPDATE DATABASE CONFIGURATION command completed successfully.\n"
WAITS = DONE + (
    "SQL1363W  One or more of the parameters submitted for immediate modification\nwere not changed dynamically.\n"
)


def settings_of(text, source="dbcfg"):
    """Return names and values in effect of a text's settings."""
    key, value = ("REG_VAR_NAME", "REG_VAR_VALUE") if source == "registry" else ("NAME", "VALUE")
    return {row[key]: row.get(value) for row in reading(text).rows.get(source, [])}


@pytest.mark.parametrize(
    "text",
    [
        "update db cfg for quarry using logprimary 20 logsecond 40",
        "UPDATE DATABASE CONFIGURATION FOR QUARRY USING LOGPRIMARY 20, LOGSECOND 40;",
        'db2 "update db cfg for quarry using LOGPRIMARY 20 LOGSECOND 40 immediate"',
        "$ db2 -v update db cfg using logprimary 20 logsecond 40 | tee out.txt",
        "[db2inst1@flint ~]$ db2 update db cfg for quarry using logprimary 20 logsecond 40",
        "db2inst1@flint:/home/db2inst1> db2 update db cfg for quarry using logprimary 20 logsecond 40",
        "C:\\Program Files\\IBM>db2 update db cfg for quarry using logprimary 20 logsecond 40",
        "db2 => update db cfg for quarry using logprimary 20 logsecond 40",
        "db2 connect to quarry; db2 update db cfg using logprimary 20 logsecond 40; db2 terminate",
        "db2 update db cfg for quarry using logprimary 20 && db2 update db cfg for quarry using logsecond 40",
        'su - db2inst1 -c "db2 update db cfg for quarry using logprimary 20 logsecond 40"',
        "docker exec pit bash -c \"su - db2inst1 -c 'db2 update db cfg for quarry using logprimary 20 logsecond 40'\"",
        'docker exec pit su - db2inst1 -c "db2 connect to quarry; db2 \\"update db cfg using logprimary 20 logsecond 40\\""',
        "CALL SYSPROC.ADMIN_CMD('update db cfg using logprimary 20 logsecond 40')",
        "db2 update db cfg for quarry using \\\n    logprimary 20 \\\n    logsecond 40\n",
        "db2 => update db cfg for quarry using -\ndb2 (cont.) => logprimary 20 logsecond 40\n",
        "UPDATE DB CFG FOR quarry USING\n  LOGPRIMARY 20\n  LOGSECOND 40\n;\n",
        "UPDATE DB CFG FOR quarry\n  USING LOGPRIMARY 20\n  LOGSECOND 40;\n",
        "Please run\n\n> 1) `db2 update db cfg for quarry using logprimary 20 logsecond 40`\n\nand tell me.\n",
        "db2 -v update db cfg using logprimary 20 logsecond 40\nupdate db cfg using logprimary 20 logsecond 40\n"
        + DONE,
    ],
)
def test_a_command_is_known_wherever_it_stands(text):
    assert settings_of(text) == {"logprimary": "20", "logsecond": "40"}


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("LOCKLIST AUTOMATIC", dict.fromkeys(BOTH) | {"VALUE_FLAGS": "AUTOMATIC"}),
        ("DATABASE_MEMORY 90000 AUTOMATIC", dict.fromkeys(BOTH, "90000") | {"VALUE_FLAGS": "AUTOMATIC"}),
        ("AUTO_REORG off", dict.fromkeys(BOTH, "OFF") | {"VALUE_FLAGS": "NONE"}),
        ("LOGARCHMETH1 'DISK:/ar ch/'", dict.fromkeys(BOTH, "DISK:/ar ch/") | {"VALUE_FLAGS": "NONE"}),
        ("NEWLOGPATH NULL", dict.fromkeys(BOTH) | {"VALUE_FLAGS": "NONE"}),
        ("LOGFILSIZ 5000 DEFERRED", {"VALUE": None, "DEFERRED_VALUE": "5000", "VALUE_FLAGS": None}),
    ],
)
def test_what_a_command_sets(text, row):
    (found,) = reading(f"db2 update db cfg for quarry using {text}\n").rows["dbcfg"]
    assert {name: found.get(name) for name in row} == row


def test_the_instance_and_the_registry():
    assert settings_of("db2 update dbm cfg using intra_parallel yes\n", "dbmcfg") == {"intra_parallel": "YES"}
    assert settings_of("db2 UPDATE DATABASE MANAGER CONFIGURATION USING NUMDB 5\n", "dbmcfg") == {"numdb": "5"}
    text = (
        "db2set DB2_PARALLEL_IO=*\ndb2set -i db2inst1 DB2_A=ON\n$ db2set -g db2comm='TCPIP,SSL'\n!db2set DB2_B=\"x y\";\n"
        "db2set -im DB2_C=1 DB2_D=2\ndb2set DB2_E=\ndb2set DB2_F\n"
    )
    assert settings_of(text, "registry") == {
        "DB2_PARALLEL_IO": "*", "DB2_A": "ON", "DB2COMM": "TCPIP,SSL", "DB2_B": "x y", "DB2_C": "1", "DB2_D": "2",
        "DB2_E": None,
    }  # fmt: skip
    assert settings_of("$ db2set\nDB2_WORKLOAD=SAP\nDB2COMM=TCPIP\n", "registry") == {
        "DB2_WORKLOAD": "SAP",
        "DB2COMM": "TCPIP",
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("db2 update db cfg using logprimary 9999\nSQL5130N  The value is not in the range.\n", "failed"),
        ("db2 => update db cfg using logprimary 9\n\nSQL1024N  A database connection does not exist.\n", "failed"),
        ("db2 -v update db cfg using logprimary 9\nupdate db cfg using logprimary 9\nSQL0104N  No.\n", "failed"),
        ("db2set DB2_PARALLEL_IO=*\nDBI1301E Invalid value.\n", "failed"),
        ("# db2 update db cfg using logprimary 9\n", "a remark"),
        ("-- update db cfg using logprimary 9\n", "not recognised"),
        ("I would update db cfg using logprimary 9.\n", "not recognised"),
        ("db2 update db cfg for $DB using logprimary $LOGS\n", "the value of LOGPRIMARY is not in the text"),
        ("db2 update db cfg using MAXFILOP N\n", "the value of MAXFILOP is not in the text"),
        ("db2set DB2_MEM_TUNING_RANGE=MINFREE, MAXFREE\n", "the value of DB2_MEM_TUNING_RANGE is not in the text"),
        ("db2 update db cfg using no_such_thing 9\n", "sets nothing that rules use"),
        ("create bufferpool bp9 size 100\n\nDB21034E  It was processed as SQL:\nSQL0601N  No.\n", "failed"),
        ('db2 => create bufferpool bp9 size 100\nDB21034E  It was processed as SQL:\nSQL0601N  No.\n', "failed"),
    ],
)  # fmt: skip
def test_what_did_not_happen_does_not_count(text, why):
    found = reading(text)
    assert not found.rows
    assert reasons(text) == [why]


def test_a_script_is_taken_at_its_word_and_explained():
    text = "db2 update db cfg using logprimary 9\n"
    formats = [item.format for item in reading(text).ranges]
    assert "update db cfg; its outcome is unknown: counted as done" in formats
    formats = [item.format for item in reading(text + DONE).ranges]
    assert formats == ["a command"]


def imported(folder, *texts, **known):
    """Return the rows of the texts' capture by source, and the notes."""
    found = captured(folder, *texts, **known)
    return {path.stem: found.rows(path.stem) for path in found.folder.glob("*.csv")}, found.notes


def cfg(*lines, name="QUARRY"):
    return f"\n       Database Configuration for Database {name}\n\n" + "".join(f" {line}\n" for line in lines) + "\n"


def value(rows, name):
    (row,) = [row for row in rows["dbcfg"] if row["NAME"] == name]
    return row["VALUE"], row.get("DEFERRED_VALUE", "")


SET = "db2 update db cfg for quarry using LOGFILSIZ 8192\n"
SHOWN = "Log file size (4KB)   (LOGFILSIZ) = "


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((cfg(SHOWN + "1000"), cfg(SHOWN + "4000")), ("4000", "")),
        ((cfg(SHOWN + "4000") + cfg(SHOWN + "1000"),), ("1000", "")),
        ((SHOWN + "4000\n" + SHOWN + "1000\n",), ("1000", "")),
        (
            (cfg(SHOWN + "1000      1000"), cfg(SHOWN + "4000")),
            ("4000", ""),
        ),  # the first listing shows no pending values
        ((cfg(SHOWN + "1000") + SET,), ("8192", "8192")),
        ((cfg(SHOWN + "1000") + SET + WAITS,), ("1000", "8192")),
        ((SET + cfg(SHOWN + "1000"),), ("1000", "8192")),
        ((SET + DONE + cfg(SHOWN + "8192"),), ("8192", "8192")),
        ((SET, cfg(SHOWN + "8192"), cfg(SHOWN + "1000")), ("1000", "")),  # another user restored the old value
    ],
)
def test_the_last_version_of_a_setting_counts(texts, expected, tmp_path):
    rows, notes = imported(tmp_path, *texts)
    assert value(rows, "logfilsiz") == expected
    several = len({text for text in ("1000", "4000", "8192 ", "8192\n") if any(text in item for item in texts)}) > 1
    assert any("several values of one setting" in note for note in notes) == (several and "SQL1363W" not in texts[0])


ARCHIVE = "First log archive method  (LOGARCHMETH1) = "
ARCHIVING = "db2 update db cfg for quarry using LOGARCHMETH1 DISK:/arch\n" + WAITS
AGAIN = "$ db2 deactivate db quarry\nDB20000I  Done.\n$ db2 activate db quarry\nDB20000I  Done.\n"
STOPPED = (
    "$ db2stop force\n11/20/2026 10:11:12     0   0   SQL1064N  DB2STOP processing was successful.\n"
    "SQL1064N  DB2STOP processing was successful.\n$ db2start\nSQL1063N  DB2START processing was successful.\n"
)
MANY = [f"x ({name.upper()}) = 10" for name in NUMBERS[:50]]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        (ARCHIVING + AGAIN + cfg(ARCHIVE + "DISK:/arch/"), "logarchmeth1", ("DISK:/arch/", "")),
        (ARCHIVING + cfg(ARCHIVE + "DISK:/arch/"), "logarchmeth1", ("DISK:/arch/",) * 2),
        (ARCHIVING.replace("DISK", "disk") + cfg(ARCHIVE + "DISK:/arch/"), "logarchmeth1", ("DISK:/arch/",) * 2),
        (cfg(ARCHIVE + "OFF") + ARCHIVING + AGAIN, "logarchmeth1", ("DISK:/arch",) * 2),
        (cfg(ARCHIVE + "OFF") + ARCHIVING + STOPPED, "logarchmeth1", ("DISK:/arch",) * 2),
        (cfg(ARCHIVE + "OFF") + ARCHIVING, "logarchmeth1", ("OFF", "DISK:/arch")),
        (cfg(ARCHIVE + "OFF") + AGAIN + ARCHIVING, "logarchmeth1", ("OFF", "DISK:/arch")),
        (cfg(ARCHIVE + "OFF") + ARCHIVING + "db2stop\nSQL1025N  Active.\n", "logarchmeth1", ("OFF", "DISK:/arch")),
        (cfg(ARCHIVE + "OFF") + ARCHIVING + "db2 activate db mill\nDB20000I  Done.\n", "logarchmeth1", ("OFF", "DISK:/arch")),
        (ARCHIVING + cfg(ARCHIVE + "DISK:/archive/"), "logarchmeth1", ("DISK:/archive/", "DISK:/arch")),
        (ARCHIVING + cfg(ARCHIVE + "OFF", *MANY), "logarchmeth1", ("OFF", "")),  # a complete listing has priority
        (cfg(ARCHIVE + "OFF", *MANY) + ARCHIVING, "logarchmeth1", ("OFF", "DISK:/arch")),
        (ARCHIVING + AGAIN, "logarchmeth1", ("DISK:/arch",) * 2),
        (cfg(SHOWN + "1000      2000") + AGAIN, "logfilsiz", ("2000", "2000")),
    ],
)  # fmt: skip
def test_what_is_in_force_does_not_wait(text, name, expected, tmp_path):
    rows, _ = imported(tmp_path, text)
    assert value(rows, name) == expected


@pytest.mark.parametrize("again", ["", AGAIN])
@pytest.mark.parametrize(
    ("path", "waits"),
    [("/new/", ""), ("/new/NODE0000/LOGSTREAM0000/", ""), ("/new/old/NODE0000/LOGSTREAM0000/", "/new")],
)
def test_a_log_that_has_moved_does_not_wait(again, path, waits, tmp_path):
    command = "db2 update db cfg for quarry using NEWLOGPATH /new\n" + WAITS
    shown = cfg("Changed path to log files   (NEWLOGPATH) = ", f"Path to log files = {path}")
    rows, _ = imported(tmp_path, command + again + shown)
    assert value(rows, "newlogpath") == ("", "" if again else waits)


KEPT = "Log retain for recovery status  = ", "User exit for logging status    = "


@pytest.mark.parametrize(
    ("lines", "off"),
    [
        ((KEPT[0] + "NO", KEPT[1] + "NO"), True),
        ((KEPT[0] + "RECOVERY", KEPT[1] + "NO"), False),
        ((KEPT[0] + "NO", KEPT[1] + "YES"), False),
        ((KEPT[0] + "NO",), False),
        ((KEPT[0] + "NO", KEPT[1] + "NO", " (LOGRETAIN) = OFF", " (USEREXIT) = OFF"), True),
        ((KEPT[0] + "NO", KEPT[1] + "NO", " (LOGRETAIN) = RECOVERY", " (USEREXIT) = OFF"), False),
        ((KEPT[0] + "NO", KEPT[1] + "NO", " (LOGRETAIN) = OFF", " (USEREXIT) = ON"), False),
    ],
)
def test_circular_logging_archives_no_logs(lines, off, tmp_path):
    rows, _ = imported(tmp_path, cfg(*lines))
    assert [row["VALUE"] for row in rows["dbcfg"] if row["NAME"] == "logarchmeth1"] == ["OFF"] * off


@pytest.mark.parametrize("name", ["${DB}", "$DB", "$DBNAME", '"$DB"', "$(cat db)"])
def test_variable_is_not_a_database(name):
    text = f"db2 connect to {name}\ndb2 get db cfg for {name}\ndb2pd -d {name}\n{SHOWN}1000\n"
    assert [report.database for report in reading(text).reports if report.database] == []


def test_note_lists_the_versions(tmp_path):
    _, notes = imported(tmp_path, cfg(SHOWN + "1000"), cfg(SHOWN + "4000"))
    assert notes == ["several values of one setting, the last one counts: LOGFILSIZ 1000, then 4000"]


UPDATE = "db2 update db cfg using LOGFILSIZ {}\n".format
CONNECT = "db2 connect to {}\n".format


@pytest.mark.parametrize(
    ("lines", "versions"),
    [
        ([UPDATE(1)] * 9, [(None, "1")]),
        ([UPDATE(1), UPDATE(2), UPDATE(1)], [(None, "1"), (None, "2"), (None, "1")]),
        ([UPDATE(1), SHOWN + "2\n", UPDATE(1)], [(None, "1"), (None, "2"), (None, "1")]),
        ([CONNECT("mill"), UPDATE(1)] * 3, [("MILL", "1")]),
        ([CONNECT("mill"), UPDATE(1), CONNECT("quarry"), UPDATE(1)], [("MILL", "1"), ("QUARRY", "1")]),
        ([UPDATE(1) + DONE, UPDATE(1) + WAITS], [(None, "1"), (None, None)]),
    ],
)
def test_repeated_command_is_not_a_new_version(lines, versions):
    found = reading("".join(lines))
    name_unnamed(found.reports)
    databases = [report.database for report in found.reports]
    rows = sorted(found.rows["dbcfg"], key=lambda row: int(row["REPORT"]))
    assert [(databases[int(row["REPORT"])], row.get("VALUE")) for row in rows] == versions


def test_many_commands_take_no_memory(tmp_path):
    text = "".join(f"{UPDATE(size)}db2set DB2_A={size}\n" for size in range(1, 200))
    assert [report.format for report in reading(text).reports] == ["update db cfg", "db2set"]
    rows, _ = imported(tmp_path, text)
    assert value(rows, "logfilsiz")[0] == "199"
    assert [row["REG_VAR_VALUE"] for row in rows["registry"]] == ["199"]


LOCKS = "db2 get snapshot for locks on {}\n".format
POOL = "db2 alter bufferpool BP1 size 1000\n"


@pytest.mark.parametrize(
    ("lines", "reports"),
    [
        ([UPDATE(1), POOL, LOCKS("mill"), UPDATE(2)], 1),
        ([UPDATE(1), POOL, LOCKS("quarry"), UPDATE(2)], 2),
        ([UPDATE(1), SHOWN + "2\n", UPDATE(2)], 2),
        ([UPDATE(1), "db2 activate db mill\n", UPDATE(2)], 2),
    ],
)
def test_commands_go_on_behind_what_shows_and_names_nothing_new(lines, reports):
    found = reading("".join([CONNECT("mill"), *lines]))
    name_unnamed(found.reports)
    assert next(report.database for report in found.reports if report.format == "update db cfg") == "MILL"
    assert sum(report.format == "update db cfg" for report in found.reports) == reports
    assert [row["VALUE"] for row in found.rows["dbcfg"]][-1] == "2"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([UPDATE(1), SHOWN + "2\n", UPDATE(3)], "3"),
        ([UPDATE(3), UPDATE(1), SHOWN + "2\n"], "2"),
        (["db2 update db cfg using LOGFILSIZ 3 LOGFILSIZ 4\n"], "4"),
        ([UPDATE(1), "db2 update db cfg for quarry using LOGFILSIZ 2\n", UPDATE(3)], "3"),
    ],
)
def test_last_command_counts_with_output_in_between(lines, expected, tmp_path):
    rows, _ = imported(tmp_path, "".join(lines))
    assert value(rows, "logfilsiz")[0] == expected


def test_of_very_many_versions_some_are_named(tmp_path):
    _, notes = imported(tmp_path, "".join(UPDATE(size) for size in range(1000, 2000)))
    assert notes == [
        "several values of one setting, the last one counts: "
        "LOGFILSIZ 1000, then 1001, then 1002, then 1003, then 995 others, then 1999"
    ]


def test_an_emptied_path_is_empty(tmp_path):
    path = "Changed path to log files   (NEWLOGPATH) = "
    rows, _ = imported(tmp_path, cfg(SHOWN + "1000", path + "/db2/new/"), cfg(SHOWN + "1000", path))
    assert value(rows, "newlogpath")[0] == ""


def test_a_variable_that_is_unset_again_is_not_there(tmp_path):
    rows, _ = imported(tmp_path, "db2set DB2_A=1\ndb2set DB2_B=2\ndb2set DB2_A=\n")
    assert [row["REG_VAR_NAME"] for row in rows["registry"]] == ["DB2_B"]


LISTED = "Tablespace ID = {}\n Name = {}\n Type = Database managed space\n Page size (bytes) = 4096\n\n"


@pytest.mark.parametrize(
    ("text", "database"),
    [
        ("$ db2 get db cfg for quarry\n\n" + SHOWN + "1000\n", "QUARRY"),
        ("db2 connect to quarry\n\nTablespaces for Current Database\n\n" + LISTED.format(2, "STONE"), "QUARRY"),
        (
            "$ db2pd -d quarry -tablespaces\n\nTablespaces for Current Database\n\n" + LISTED.format(2, "STONE"),
            "QUARRY",
        ),
        (
            "$ db2pd -d mill -tablespaces > spaces\n$ db2 connect to quarry\n\nTablespaces for Current Database\n\n"
            + LISTED.format(2, "STONE"),
            "QUARRY",
        ),
        ("db2 connect to quarry\nSQL1013N  It could not be found.\n" + SHOWN + "1000\n", None),
    ],
)
def test_the_command_line_names_the_database(text, database, tmp_path):
    rows, _ = imported(tmp_path, text)
    assert rows
    if database is None:
        captured(tmp_path, text, name="OTHER")
    else:
        with pytest.raises(UserError, match="no text is about database OTHER; the texts are about QUARRY"):
            captured(tmp_path, text, name="OTHER")


def test_several_databases_stay_apart(tmp_path):
    spaces = "Tablespaces for Current Database\n\n" + LISTED
    text = (
        "db2 connect to quarry\n" + spaces.format(2, "STONE") + "db2 get db cfg for mill\n" + cfg(SHOWN + "7", name="MILL")
        + spaces.format(3, "GRAVEL") + "db2 connect to mill\n" + spaces.format(4, "FLOUR")
    )  # fmt: skip
    rows, _ = imported(tmp_path, text, name="quarry")
    assert [row["TBSP_NAME"] for row in rows["tablespace"]] == ["GRAVEL", "STONE"]
    assert "dbcfg" not in rows


def test_data_without_a_database_among_several_is_not_used(tmp_path):
    spaces = "Tablespaces for Current Database\n\n" + LISTED.format(2, "STONE")
    texts = spaces, cfg(SHOWN + "1"), cfg(SHOWN + "2", name="MILL")
    rows, notes = imported(tmp_path, *texts, name="mill")
    assert rows.keys() == {"dbcfg"}
    assert notes == ["not used, since their database is unknown: list tablespaces"]


@pytest.mark.parametrize("level", ["0x1600", "0x1500"])
def test_the_level_is_the_most_exact_one(level, tmp_path):
    version = {"0x1600": "12 R:1 M:3", "0x1500": "11 R:5 M:9"}[level]
    text = (
        f"          Database Manager Configuration\n\n Database manager configuration release level = {level}\n"
        f" Current effective code level         (CUR_EFF_CODE_LVL) = V:{version} F:0 I:0 SB:0\n"
        + cfg(f"Database configuration release level = {level}", SHOWN + "1000")
    )
    found = {report.format: report.level for report in reading(text).reports}
    assert found == {
        "get dbm cfg": version.replace(" R:", ".").replace(" M:", "."),
        "get db cfg": {"0x1600": "12.1", "0x1500": "11.5"}[level],
    }
    assert found["get dbm cfg"] in (captured(tmp_path, text).folder / "manifest.json").read_text()


def in_capture(tmp_path, text, name):
    """Return a setting's value in effect and its pending value."""
    found = [row for row in captured(tmp_path, text).rows("dbcfg") if row["NAME"] == name]
    return [(row["VALUE"], row.get("DEFERRED_VALUE", "")) for row in found]


OLD_LOG = " Path to log files                                       = /db/dbpath/NODE0000/SQL00001/LOGSTREAM0000/\n"
MOVED = "$ db2 update db cfg for quarry using newlogpath /log\n" + DONE
AGAIN = "$ db2 deactivate db quarry\n$ db2 activate db quarry\nDB20000I  The ACTIVATE DATABASE command completed.\n"


@pytest.mark.parametrize("before", ["", "$ db2 get db cfg for quarry\n" + OLD_LOG])
def test_an_activation_moves_the_log(before, tmp_path):
    """newlogpath, r0000237 of the manual: the next activation makes it the log path and empties it."""
    assert in_capture(tmp_path, before + MOVED + AGAIN, "logpath") == [("/log/", "/log/" if before else "")]
    assert in_capture(tmp_path, before + MOVED + AGAIN, "newlogpath") == []


def test_without_an_activation_the_log_stays(tmp_path):
    assert in_capture(tmp_path, "$ db2 get db cfg for quarry\n" + OLD_LOG + MOVED, "logpath")[0][0].startswith(
        "/db/dbpath"
    )


def test_what_a_listing_behind_it_shows_is_where_the_log_is(tmp_path):
    text = MOVED + AGAIN + "$ db2 get db cfg for quarry\n" + OLD_LOG
    assert in_capture(tmp_path, text, "logpath")[0][0].startswith("/db/dbpath")


def test_a_path_that_db2_wrote_in_full_is_the_one_that_was_set(tmp_path):
    listing = " Changed path to log files                  (NEWLOGPATH) = /log/NODE0000/LOGSTREAM0000/\n"
    ((now, later),) = in_capture(tmp_path, MOVED + "$ db2 get db cfg for quarry\n" + listing + OLD_LOG, "newlogpath")
    assert now == later == "/log/NODE0000/LOGSTREAM0000/"
