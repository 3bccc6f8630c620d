"""Time of the last full backup: from the history, transcripts and snapshots, up to the moment of the text.

The manual documents the letters of LIST HISTORY (r0001991) and the statuses (r0023596).
"""

from datetime import datetime, timedelta

import pytest

from tests.imports.reading import captured, reading

DATE = "[owner@flint ~]$ date\nMon Mar  2 10:15:01 CET 2026\n"
NOW = datetime(2026, 3, 2, 10, 15, 1)
ASKED = "[owner@flint ~]$ db2 list history backup all for wares\n\n"
FAILED = "SQLCA Information\n\n sqlcaid : SQLCA     sqlcabc: 136   sqlcode: -2009   sqlerrml: 0\n sqlstate:\n"


def entry(kind="N", object="D", op="B", start=NOW - timedelta(days=9), status="A", behind=""):
    begins = f"{start:%Y%m%d%H%M%S}"
    return (
        " Op Obj Timestamp+Sequence Type Dev Earliest Log Current Log  Backup ID\n"
        " -- --- ------------------ ---- --- ------------ ------------ --------------\n"
        f"  {op}  {object}  {begins}001   {kind}    D  S0004711.LOG S0004712.LOG\n"
        f" {'-' * 76}\n  Contains 1 tablespace(s):\n\n  00001 SYSCATSPACE\n {'-' * 76}\n"
        f"    Comment: DB2 BACKUP WARES ONLINE\n Start Time: {begins}\n   End Time: {begins}\n     Status: {status}\n"
        f" {'-' * 76}\n  EID: 905 Location: /backup/wares\n\n{behind}"
    )


def history(*entries, number=None):
    count = f"Number of matching file entries = {len(entries) if number is None else number}\n\n"
    return f"                    List History File for wares\n\n{count}{''.join(entries)}\n"


def backed_up(tmp_path, text):
    """Return whether a backup exists, and its age in days."""
    (row,) = captured(tmp_path, text).rows("database")
    age = row.get("BACKUP_AGE_S")
    return row.get("BACKED_UP"), timedelta(seconds=int(age)).days if age else None


def rows(text):
    return reading(text).rows.get("database", [])


@pytest.mark.parametrize("kind", "FN")
def test_a_full_backup_is_as_old_as_the_text_says(tmp_path, kind):
    assert backed_up(tmp_path, DATE + ASKED + history(entry(kind))) == ("1", 9)


def test_without_a_moment_only_that_there_is_one_is_known(tmp_path):
    assert backed_up(tmp_path, ASKED + history(entry())) == ("1", None)


@pytest.mark.parametrize(
    "other",
    [entry(kind, start=NOW - timedelta(days=1)) for kind in "IODE"]
    + [
        entry(start=NOW - timedelta(days=1)).replace("N    D  S00", "N    N  S00"),
        entry(object="P", start=NOW - timedelta(days=1)),
        entry(op="R", start=NOW - timedelta(days=1)),
        entry(start=NOW - timedelta(days=1), status="D"),
        entry(start=NOW - timedelta(days=1), behind=FAILED),
    ],
)
def test_only_full_backups_count(tmp_path, other):
    assert backed_up(tmp_path, DATE + ASKED + history(entry(), other)) == ("1", 9)


def test_truncated_listing_has_no_last_backup():
    assert not rows(ASKED + history(entry(), number=2))
    assert not rows(entry())


def test_empty_history_is_not_a_backup(tmp_path):
    assert backed_up(tmp_path, DATE + ASKED + history()) == ("0", None)
    assert not rows(DATE + ASKED.replace("all", "since 20260301") + history())
    assert not rows(DATE + ASKED.replace("backup", "load") + history())


IMAGE = "Backup successful. The timestamp for this backup image is : 20260220101501\n"


@pytest.mark.parametrize(
    "text",
    [
        f"$ db2 backup db wares to /backup compress\n\n{IMAGE}",
        f'$ db2 "backup database wares online to /backup include logs"\n{IMAGE}',
        f"db2 => BACKUP DATABASE wares ON ALL DBPARTITIONNUMS USE TSM\n{IMAGE.replace(' 2026', chr(10) + ' 2026')}",
        f"$ db2 backup db wares to /backup\nSQL2430W  The database backup succeeded, but not all.\n\n{IMAGE}",
    ],
)
def test_a_backup_that_a_transcript_shows(tmp_path, text):
    assert backed_up(tmp_path, f"{DATE}{text}") == ("1", 10)


@pytest.mark.parametrize(
    "text",
    [
        f"$ db2 backup db wares tablespace (SHOP) online to /backup\n{IMAGE}",
        f"$ db2 backup db wares online incremental delta to /backup\n{IMAGE}",
        f"$ db2 backup db wares on dbpartitionnum 1 to /backup\n{IMAGE}",
        f"$ db2 backup db wares to /dev/null\n{IMAGE}",
        "$ db2 backup db wares to /backup\nSQL2009C  There is not enough memory available.\n",
        "$ db2 backup db wares to /backup\n",
        f"# db2 backup db ${{DB}} to /backup\n{IMAGE}",
        IMAGE,
    ],
)
def test_a_backup_that_is_not_shown_to_be_one_of_all(text):
    assert not rows(DATE + text)


def test_the_age_is_that_of_the_latest_one(tmp_path):
    """The history contains a nine-day-old backup; the transcript after it, of unknown time, a later one."""
    later = IMAGE.replace("20260220101501", "20260303101501")
    assert backed_up(tmp_path, f"{DATE}{ASKED}{history(entry())}$ db2 backup db wares to /backup\n{later}") == (
        "1",
        None,
    )


SNAPSHOT = """              Database Snapshot

Database name                              = WARES
Database status                            = Active
First database connect timestamp           = 02/01/2026 08:00:00.000000
Last backup timestamp                      = {}
Snapshot timestamp                         = 03/02/2026 10:15:01.000000
Deadlocks detected                         = 0
"""


@pytest.mark.parametrize(("said", "expected"), [("02/20/2026 10:15:01.000000", ("1", 10)), ("", ("0", None))])
def test_snapshot_has_the_last_backup(tmp_path, said, expected):
    assert backed_up(tmp_path, SNAPSHOT.format(said)) == expected


def test_listing_has_the_last_backup(tmp_path):
    text = (
        f'{DATE}$ db2 "select member, db_conn_time, last_backup from table(mon_get_database(-2))"\n\n'
        "MEMBER DB_CONN_TIME               LAST_BACKUP               \n"
        "------ -------------------------- --------------------------\n"
        "     0 2026-02-01-08.00.00.000000 2026-02-20-10.15.01.000000\n\n  1 record(s) selected.\n"
    )
    assert backed_up(tmp_path, text) == ("1", 10)
    assert rows(text.replace("2026-02-20-10.15.01.000000", f"{'-':<26}"))[0]["BACKED_UP"] == "0"


@pytest.mark.parametrize("line", ["Mon Mar  2 10:15:01 CET 2026", "Mon Mrz  2 10:15:01 CET 2026"])
def test_date_without_a_command_is_not_a_moment(line):
    assert not [
        report for report in reading(f"It began on\n{line}\n{ASKED}{history(entry())}").reports if report.taken_at
    ]


@pytest.mark.parametrize(
    ("status", "pending"),
    [("DB  pending", "DATABASE"), ("TBS pending", "TABLESPACE"), ("not pending", "NO"), ("DB  working", None)],
)
def test_rollforward_status_is_the_configurations(status, pending):
    """Using rollforward (t0006297): DB or TBS, pending or working; rollfwd_pending (r0000255)."""
    found = reading(
        "$ db2 rollforward db wares query status\n\n                                 Rollforward Status\n\n"
        " Input database alias                   = wares\n Number of members have returned status = 1\n\n"
        f" Member ID                              = 0\n Rollforward status                     = {status}\n"
        " Next log file to be read               =\n Log files processed                    =  -\n"
        " Last committed transaction             = 1970-01-01-00.00.00.000000 UTC\n"
    )
    values = [(row["NAME"], row["MEMBER"], row["VALUE"]) for row in found.rows.get("dbcfg", [])]
    assert values == ([("rollfwd_pending", "0", pending)] if pending else [])
    assert {report.database for report in found.reports if report.database} <= {"WARES"}
    assert not [item for item in found.ranges if item.why == "not recognised" and item.last > 3]
