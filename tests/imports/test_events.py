"""Problems that texts report become events, few for many records, and findings."""

from pathlib import Path

import pytest

from advisor.catalogue.rules import all_rules
from advisor.imports.events import all_messages
from advisor.judgement.run import advise
from advisor.resources import data_file
from tests.imports.reading import captured, reading
from tests.support.paths import FIXTURES

HEAD = "2026-03-02-01.40.5{second}.000001+060 E11795E640          LEVEL: Error\n"
ABOUT = (
    "PID     : 31744                TID : 140102037777   PROC : db2sysc {member}\n"
    "INSTANCE: db2wares             NODE : 00{member}           DB   : {database}\n"
    "APPHDL  : {member}-54          APPID: 10.1.2.3.40112.260302004055\n"
    "FUNCTION: DB2 UDB, data protection services, sqlpgResSpace, probe:2860\n"
)


def record(message: str, second: int = 5, member: int = 0, database: str = "WARES") -> str:
    return HEAD.format(second=second) + ABOUT.format(member=member, database=database) + message + "\n\n"


def events(text: str) -> list[dict[str, str]]:
    return reading(text).rows.get("event", [])


def test_messages_have_unique_codes_and_short_texts():
    rows = data_file("schema", "messages")
    assert len(all_messages()) == len(rows) >= 60
    assert [row["CODE"] for row in rows if len(row["CAUSE"]) > 200 or len(row["FIRST_STEP"]) > 500] == []


def test_equal_records_become_one_event_with_first_and_last_time():
    text = "".join(record('RETCODE : ZRC=0x850F000C=-2062614516=SQLO_DISK "Disk full."', n) for n in (7, 3, 9, 5))
    [event] = events(text)
    assert (event["CODE"], event["OCCURRENCES"]) == ("SQLO_DISK", "4")
    assert (event["FIRST_TIME"], event["LAST_TIME"]) == ("2026-03-02 01:40:53", "2026-03-02 01:40:59")


def test_record_gives_member_application_and_function():
    [event] = events(record('MESSAGE : ADM6044E  The DMS table space "TS A" (ID "4") is full.', member=3))
    assert (event["MEMBER"], event["APPLICATION_HANDLE"]) == ("3", str((3 << 16) + 54))
    assert (event["OBJECT_NAME"], event["FUNCTION_NAME"], event["LEVEL"]) == ("TS A", "sqlpgResSpace", "Error")
    assert event["MESSAGE"] == 'ADM6044E The DMS table space "TS A" (ID "4") is full.'


@pytest.mark.parametrize(
    ("holder", "handle"), [('handle "0-214"', "214"), ("handle 74", "74"), ('handle "2-7"', "131079"), ("someone", "")]
)
def test_full_log_names_its_holder_not_the_reporter(holder, handle):
    [event] = events(
        record(f"MESSAGE : ADM1823E  The active log is full and is held by application\n          {holder}.")
    )
    assert (event["CODE"], event.get("APPLICATION_HANDLE") or "") == ("ADM1823E", handle)


def test_databases_and_members_keep_their_own_events():
    message = "RETCODE : ZRC=0x85100009=-2062548983=SQLP_NOSPACE\n          DIA8309C Log file was full."
    text = record(message) + record(message, member=1) + record(message, database="STOCK")
    found = reading(text)
    names = {str(report.number): report.database for report in found.reports}
    assert [(names[row["REPORT"]], row["MEMBER"]) for row in found.rows["event"]] == [
        ("WARES", "0"),
        ("WARES", "1"),
        ("STOCK", "0"),
    ]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("SQL0964C  The transaction log for the database is full.  SQLSTATE=57011", "SQL0964C"),
        ("  ADM1823E  The active log is full", "ADM1823E"),
        ("MESSAGE : ADM1823E  The active log is full", "ADM1823E"),
        ('SQL0911N  The current transaction has been rolled back.  Reason code "2".', "SQL0911N 2"),
        (
            'SQL0911N  The current transaction has been rolled back because of a\ntimeout.  Reason code "68".',
            "SQL0911N 68",
        ),
        ("DB2 SQL Error: SQLCODE=-911, SQLSTATE=40001, SQLERRMC=68, DRIVER=4.1", "SQL0911N 68"),
        ("Caused by: error. SQLCODE: -964 SQLSTATE: 57011", "SQL0964C"),
        ("x [IBM][CLI Driver][DB2/AIX64] SQL0955C  Sort memory cannot be allocated.", "SQL0955C"),
        ("SQL0968C", "SQL0968C"),
    ],
)
def test_message_in_a_form_of_db2_counts(line, code):
    assert [event["CODE"] for event in events(f"Dear all,\n\n{line}\n\nRegards\n")] == [code]


@pytest.mark.parametrize(
    "line",
    [
        "What does SQL0964C mean?",
        "SQL0964C means that the log is full",
        "See SQL0964C  The transaction log is full",
        'SQL0204N  "APP.T" is an undefined name.  SQLSTATE=42704',
        "SQLCODE=-204, SQLSTATE=42704",
        "SQLCODE=964",
    ],
)
def test_message_in_prose_or_of_no_problem_is_no_event(line):
    assert events(f"Dear all,\n\n{line}\n\nRegards\n") == []


def test_many_objects_give_few_rows(monkeypatch):
    monkeypatch.setattr("advisor.imports.events.MOST_EVENTS", 10)
    text = "".join(record(f'MESSAGE : ADM6044E  The DMS table space "TS{n}" (ID "4") is full.') for n in range(99))
    found = events(text)
    assert (len(found), sum(int(event["OCCURRENCES"]) for event in found)) == (11, 99)


def test_words_of_a_message_without_a_code_may_be_on_two_lines():
    text = record("MESSAGE : Did not receive anything for the duration of\n          HADR_TIMEOUT. Closing connection.")
    assert [event["CODE"] for event in events(text)] == ["HADR_TIMEOUT"]


def advice_on(text: str, target: Path, **known: str):
    found = captured(target, text, **known)
    return advise(found.folder), found


def test_event_of_an_unnamed_database_is_left_out_among_several(tmp_path):
    other = record('MESSAGE : ADM6044E  The DMS table space "T" is full.', database="STOCK")
    text = "SQL0964C  The transaction log for the database is full.\n\n" + record("MESSAGE : ADM1530E  Crash") + other
    found, result = advice_on(text, tmp_path, name="STOCK")
    assert [item.rule.name for item in found.recommendations] == ["event.space-full"]
    assert any("Db2 messages" in note for note in result.notes)


def test_event_rules_do_not_apply_without_messages(tmp_path):
    found, _ = advice_on(" Lock timeout (sec)      (LOCKTIMEOUT) = -1\n", tmp_path)
    assert not [rule for rule in found.not_run if "event" in str(rule)]


def test_area_that_stmm_shrank_to_a_quarter_is_an_event():
    text = (FIXTURES / "imports" / "db2diag.txt").read_text(encoding="utf-8")
    assert "STMM_SHRANK" not in {event["CODE"] for event in events(text)}
    [event] = [
        event for event in events(text.replace('From: "9600"', 'From: "65536"')) if event["CODE"] == "STMM_SHRANK"
    ]
    assert (event["OBJECT_NAME"], event["OCCURRENCES"], event["LAST_TIME"]) == ("LOCKLIST", "1", "2026-03-01 23:13:07")
    assert event["MESSAGE"] == 'STMM changed "LOCKLIST" from 65536 to 16384 pages'


def test_critical_events_are_ranked_by_what_fails_then_by_time(tmp_path):
    messages = (
        (3, "SQL0968C  The file system is full."),
        (5, "SQL1040N  The maximum number of applications is already connected."),
        (1, "SQL1034C  The database was damaged."),
        (4, 'SQL0289N  Unable to allocate new pages in table space "SALES".'),
        (2, "SQL0964C  The transaction log for the database is full."),
    )
    advice, _ = advice_on("".join(record(f"MESSAGE : {message}", second) for second, message in messages), tmp_path)
    assert [item.rule.name for item in advice.ranked] == [
        "event.log-full",
        "event.crash",
        "event.space-full",
        "event.disk-full",
        "event.limit-reached",
    ]


def test_classes_of_messages_have_their_rules():
    classes = {row["CLASS"]: row["RULE"] for row in data_file("schema", "event_classes")}
    assert classes.keys() == {row["CLASS"] for row in data_file("schema", "messages")}
    for name, rule in classes.items():
        assert f"E.CLASS = '{name}'" in all_rules()[rule].path.read_text(encoding="utf-8")
