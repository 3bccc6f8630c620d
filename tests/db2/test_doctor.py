"""``db2tune doctor``: its report on a server with scripted answers, and the names that it queries."""

import csv
import re
from collections.abc import Iterator
from typing import Any

import pytest

from advisor.catalogue.sources import all_sources, read_sources
from advisor.catalogue.sqltext import remove_comments
from advisor.db2.address import parse_address
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.doctor import examination
from advisor.doctor.diagnosis import Diagnosis, Verdict
from advisor.doctor.examination import Examination
from advisor.doctor.installing import HEAPS
from advisor.quoting import quoted
from advisor.report.doctor import render
from advisor.resources import SQL, data_file, sections
from tests.support.paths import CONTRACT

QUESTIONS = sections(SQL / "doctor" / "queries.sql")

Rows = list[dict[str, Any]]


def failure(code: str, state: str, *tokens: str) -> Db2Failure:
    quoted = " ".join(f'"{token}"' for token in tokens)
    return Db2Failure(f"[IBM][CLI Driver][DB2/LINUXX8664] {code}  Text {quoted}.  SQLSTATE={state} SQLCODE=-1")


def authority(name: str, **held: str) -> dict[str, str]:
    ways = ("D_USER", "D_GROUP", "D_PUBLIC", "ROLE_USER", "ROLE_GROUP", "ROLE_PUBLIC")
    return {"AUTHORITY": name} | {way: held.get(way, "N") for way in ways}


SETTINGS = {
    **dict.fromkeys(("mon_req_metrics", "mon_act_metrics", "mon_obj_metrics"), "BASE"),
    **dict.fromkeys(("varchar2_compat", "date_compat", "number_compat"), "OFF"),
    **{"restrict_access": "NO", "dft_table_org": "ROW", "string_units": "SYSTEM", "auto_reval": "DEFERRED"},
    **{"cur_commit": "ON", "logfilsiz": "1000", "logprimary": "13", "logsecond": "12"},
    **{"num_log_span": "0", "max_log": "0", "locklist": "8192", "maxlocks": "60", "stmtheap": "8192"},
    **{"applheapsz": "256"},
}


def settings(**other: str | None) -> Rows:
    """Return the configuration of a two-member database with changed values; None if a level lacks one."""
    values = SETTINGS | other
    return [
        {"NAME": name, "MEMBER": number, "VALUE": value}
        for name, value in values.items()
        if value is not None
        for number in (0, 1)
    ]


def automatic(name: str, value: str) -> Rows:
    """Return the configuration with one parameter that Db2 sets."""
    return [row | {"VALUE_FLAGS": "AUTOMATIC" if row["NAME"] == name else "NONE"} for row in settings(**{name: value})]


def healthy() -> dict[str, Rows | Db2Failure]:
    """Return the answers of a healthy partitioned database, by the names in sql/doctor/queries.sql."""
    return {
        "session": [{"DATABASE_NAME": "SAMPLE", "AUTHID": 'BO"B'}],
        "product": [
            {
                "INSTALLED_PROD_FULLNAME": "DB2_ADVANCED_ENTERPRISE_SERVER_EDITION",
                "PROD_RELEASE": "11.5",
                "LICENSE_INSTALLED": "Y",
                "LICENSE_TYPE": "PRODUCTION",
            }
        ],
        "instance": [
            {
                "INST_NAME": "db2inst1",
                "SERVICE_LEVEL": "DB2 v11.5.8.0",
                "FIXPACK_NUM": 0,
                "NUM_DBPARTITIONS": 2,
                "NUM_MEMBERS": 2,
            }
        ],
        "system": [
            {
                "HOST_NAME": "h1",
                "OS_NAME": "Linux",
                "OS_VERSION": "5",
                "OS_RELEASE": "14",
                "TOTAL_CPUS": 8,
                "TOTAL_MEMORY": 65536,
            }
        ],
        "member": [{"ID": number, "HOME_HOST": "h1", "STATE": "STARTED"} for number in (0, 1)],
        "caching_facility": [],
        "setting": settings(),
        "version": [{"VERSION": "0.3.0", "INSTALLED_AT": "2026-03-02", "INSTALLED_BY": "DBA"}],
        "refused": [],
        "scheduler": [{"MEMBER": 0, "REG_VAR_VALUE": "YES", "REG_VAR_ON_DISK_VALUE": "YES"}],
        "tablespace": [
            {"TBSPACE": "SYSCATSPACE", "DATATYPE": "A", "PAGESIZE": 8192, "EXTENTSIZE": 32},
            {"TBSPACE": "SYSTOOLSPACE", "DATATYPE": "L", "PAGESIZE": 8192, "EXTENTSIZE": 32},
            {"TBSPACE": "TEMPSPACE1", "DATATYPE": "T", "PAGESIZE": 8192, "EXTENTSIZE": 32},
            {"TBSPACE": "USERSPACE1", "DATATYPE": "L", "PAGESIZE": 8192, "EXTENTSIZE": 32},
        ],
        "owner": [],
        "alert_use": [{"MODULENAME": "DBMS_ALERT"}],
        "authority": [authority("DBADM", D_USER="Y"), authority("SYSADM", D_GROUP="Y"), authority("LOAD")],
        "tablespace_use": [{"TBSPACE": "USERSPACE1"}],
        "tablespace_free": [],
        "schema_create": [],
        "function": [
            {"ROUTINENAME": "MON_GET_BUFFERPOOL", "SPECIFICNAME": "MON_GET_BUFFERPOOL"},
            {"ROUTINENAME": "ADMIN_GET_TAB_INFO", "SPECIFICNAME": "ADMIN_GET_TAB_INFO"},
            {"ROUTINENAME": "ADMIN_GET_TAB_INFO", "SPECIFICNAME": "ADMIN_GET_TAB_INFO_V97"},
        ],
    }


class Server(Connection):
    """A connection that answers from a table and records its statements.

    ``sources`` defines which part of a source's statement fails, and how.
    """

    def __init__(self, answers: dict[str, Rows | Db2Failure], sources: dict[str, Db2Failure] | None = None) -> None:
        super().__init__(parse_address("db2://bob@db.example/SAMPLE"))
        self.answers = answers
        self.sources = sources or {}
        self.ran: list[str] = []

    def describe(self, sql: str) -> list[tuple[str, str]]:
        question = _question(sql)
        if question is None:
            for part, failed in self.sources.items():
                if re.search(rf"{part}", sql):
                    raise failed
            return [("N", "int")]
        answer = self.answers[question]
        if isinstance(answer, Db2Failure):
            raise answer
        return [(name, "string") for row in answer[:1] for name in row]

    def rows(self, sql: str, parameters: Any = (), timeout_s: int | None = None) -> Iterator[tuple[Any, ...]]:
        question = _question(sql)
        assert question is not None, f"a source was run: {sql}"
        self.ran.append(question)
        answer = self.answers[question]
        assert isinstance(answer, list)
        return iter([tuple(row.values()) for row in answer])


def _question(sql: str) -> str | None:
    return next((name for name, text in QUESTIONS.items() if text.endswith(sql)), None)


def examine(sources: dict[str, Db2Failure] | None = None, **answers: Rows | Db2Failure) -> Examination:
    return examination.examine(Server(healthy() | answers, sources))


def check(found: Examination, what: str) -> Diagnosis:
    (only,) = [each for each in found.diagnoses if each.what == what]
    return only


def test_a_server_that_lacks_nothing() -> None:
    server = Server(healthy())
    found = examination.examine(server)
    assert found.missing == []
    assert {each.what for each in found.diagnoses if each.verdict is Verdict.UNKNOWN} == set()
    assert (found.database, found.user) == ("SAMPLE", 'BO"B')
    assert check(found, "level").found == "DB2 v11.5.8.0, fix pack 0, instance db2inst1"
    assert check(found, "topology").found == "partitioned, 2 partitions"
    assert check(found, "members").found == "2 of 2 started"
    assert check(found, "DBADM").found == "held by the user"
    assert check(found, "installed version").found == "0.3.0, by DBA at 2026-03-02"
    assert {each.what for each in found.diagnoses if each.area == "Sources"} == {
        source.db2_object for source in read_sources().values()
    }
    assert len(server.ran) == len(set(server.ran)), "a question was asked twice"
    assert render(found, 100).splitlines()[:3] == ["advise    ready", "install   ready", "schedule  ready"]
    assert found.ready


SMALL = [{"TBSPACE": "USERSPACE1", "DATATYPE": "L", "PAGESIZE": 4096}]
INSTANCE = {
    "INST_NAME": "i",
    "SERVICE_LEVEL": "DB2 v12.1.0.0",
    "FIXPACK_NUM": 0,
    "NUM_DBPARTITIONS": 1,
    "NUM_MEMBERS": 2,
}


@pytest.mark.parametrize(
    ("answers", "what", "verdict", "found", "commands"),
    [
        (
            {"setting": [{"NAME": "mon_req_metrics", "MEMBER": n, "VALUE": v} for n, v in ((0, "BASE"), (1, "NONE"))]},
            "mon_req_metrics",
            Verdict.MISSING,
            "BASE, NONE: without it",
            ("UPDATE DB CFG FOR SAMPLE USING MON_REQ_METRICS BASE",),
        ),
        ({"setting": []}, "mon_obj_metrics", Verdict.UNKNOWN, "does not have this parameter", ()),
        (
            {"setting": [{"NAME": "mon_obj_metrics", "MEMBER": 0, "VALUE": "EXTENDED"}]},
            "mon_obj_metrics",
            Verdict.OK,
            "EXTENDED",
            (),
        ),
        ({"version": failure("SQL0204N", "42704", "TUNE.VERSION")}, "installed version", Verdict.NOTE, "none", ()),
        ({"version": []}, "installed version", Verdict.NOTE, "none", ()),
        (
            {"instance": [INSTANCE], "caching_facility": [{"ID": 128, "CURRENT_HOST": "h", "STATE": "PRIMARY"}]},
            "topology",
            Verdict.NOTE,
            "pureScale, 2 members",
            (),
        ),
        ({"instance": [INSTANCE]}, "topology", Verdict.NOTE, "single member", ()),
        (
            {"member": [{"ID": 7, "HOME_HOST": "h", "STATE": "STOPPED"}]},
            "member 7 on h",
            Verdict.MISSING,
            "STOPPED",
            ("db2start member 7",),
        ),
        ({"scheduler": []}, "DB2_ATS_ENABLE", Verdict.MISSING, "not set", ("db2set DB2_ATS_ENABLE=YES",)),
        (
            {"scheduler": [{"MEMBER": 0, "REG_VAR_VALUE": None, "REG_VAR_ON_DISK_VALUE": "on"}]},
            "DB2_ATS_ENABLE",
            Verdict.MISSING,
            "only after db2stop and db2start",
            (),
        ),
        (
            {"tablespace": SMALL},
            "SYSTOOLSPACE",
            Verdict.MISSING,
            "does not exist",
            ("CREATE TABLESPACE SYSTOOLSPACE IN IBMCATGROUP MANAGED BY AUTOMATIC STORAGE EXTENTSIZE 4",),
        ),
        (
            {"tablespace": SMALL},
            "table space",
            Verdict.MISSING,
            "db2tune install --create-tablespace creates one",
            (
                "CREATE BUFFERPOOL TUNE PAGESIZE 8 K",
                "CREATE TABLESPACE TUNE IN IBMCATGROUP PAGESIZE 8 K EXTENTSIZE 4 BUFFERPOOL TUNE",
            ),
        ),
        (
            {"tablespace_use": [], "authority": []},
            "table space",
            Verdict.MISSING,
            "PUBLIC lack USE",
            ('GRANT USE OF TABLESPACE USERSPACE1 TO USER "BO""B"',),
        ),
        ({"tablespace_use": []}, "table space", Verdict.OK, "USERSPACE1", ()),
        (
            {"version": [], "tablespace_free": [{"TBSP_NAME": "USERSPACE1", "FREE": 9 * 1024**2}]},
            "table space",
            Verdict.MISSING,
            "MB in USERSPACE1 (pages of 8 KB, extent size 32); 9 MB are free",
            ("ALTER TABLESPACE USERSPACE1 AUTORESIZE YES",),
        ),
        (
            {"version": [], "tablespace_free": failure("SQL0551N", "42501")},
            "table space",
            Verdict.OK,
            "extent size 32)",
            (),
        ),
        (
            {"authority": []},
            "create tables",
            Verdict.MISSING,
            "DBADM or CREATETAB is missing",
            ('GRANT CREATETAB ON DATABASE TO USER "BO""B"',),
        ),
        ({"authority": [authority("CREATETAB", D_PUBLIC="Y")]}, "create tables", Verdict.OK, "held by PUBLIC", ()),
        (
            {"authority": []},
            "create schema TUNE",
            Verdict.MISSING,
            "DBADM or CREATEIN is missing",
            ('CREATE SCHEMA TUNE AUTHORIZATION "BO""B"',),
        ),
        (
            {"authority": [], "schema_create": [{"SCHEMANAME": "TUNE"}]},
            "create schema TUNE",
            Verdict.OK,
            "CREATEIN",
            (),
        ),
        # the widest sorted row needs 8 KB: SQL1585N otherwise
        (
            {"tablespace": [{"TBSPACE": "T", "DATATYPE": "T", "PAGESIZE": 4096}]},
            "system temporary table space",
            Verdict.MISSING,
            "SQL1585N",
            (
                "CREATE BUFFERPOOL TUNE PAGESIZE 8 K",
                "CREATE SYSTEM TEMPORARY TABLESPACE TUNETEMP PAGESIZE 8 K BUFFERPOOL TUNE",
            ),
        ),
        (
            {"tablespace": [{"TBSPACE": "T", "DATATYPE": "T", "PAGESIZE": 32768}]},
            "system temporary table space",
            Verdict.OK,
            "32768",
            (),
        ),
        # logfilsiz is in 4 KB pages (r0000239); logsecond -1 means unlimited logging (r0000241)
        (
            {"setting": settings(logprimary="3", logsecond="7")},
            "log",
            Verdict.MISSING,
            "39 MB; an installation can need 50 MB",
            ("UPDATE DB CFG FOR SAMPLE USING LOGSECOND 10",),
        ),
        # 4096 pages of 4 KB, 22 % of them for one application, 256 bytes for each lock (r0000267)
        (
            {"setting": settings(locklist="4096", maxlocks="22")},
            "locks",
            Verdict.NOTE,
            "14,417; an installation can need 20,000",
            ("UPDATE DB CFG FOR SAMPLE USING LOCKLIST 5682",),
        ),
        ({"setting": settings()}, "locks", Verdict.OK, "78,643", ()),
        ({"setting": settings(locklist=None)}, "locks", Verdict.UNKNOWN, "do not contain", ()),
        ({"setting": automatic("locklist", "100")}, "locks", Verdict.OK, "self-tuned", ()),
        # 10 files of 1,000 pages are 39 MB
        (
            {"setting": settings(num_log_span="10")},
            "num_log_span",
            Verdict.MISSING,
            "10 files, 39 MB; an installation can need 50 MB",
            ("UPDATE DB CFG FOR SAMPLE USING NUM_LOG_SPAN 14",),
        ),
        ({"setting": settings(num_log_span="22")}, "num_log_span", Verdict.OK, "22 files", ()),
        ({"setting": settings()}, "num_log_span", Verdict.OK, "no limit", ()),
        # 40 % of 30 primary files are 47 MB; 13 primary files are 51 MB
        (
            {"setting": settings(max_log="40", logprimary="30")},
            "max_log",
            Verdict.MISSING,
            "40 percent, 47 MB",
            ("UPDATE DB CFG FOR SAMPLE USING MAX_LOG 43",),
        ),
        (
            {"setting": settings(max_log="90", logprimary="12")},
            "max_log",
            Verdict.MISSING,
            "90 percent, 42 MB",
            ("UPDATE DB CFG FOR SAMPLE USING MAX_LOG 0",),
        ),
        (
            {"setting": settings(stmtheap="2048")},
            "stmtheap",
            Verdict.NOTE,
            "SQL0101N",
            ("UPDATE DB CFG FOR SAMPLE USING STMTHEAP AUTOMATIC",),
        ),
        (
            {"setting": settings(applheapsz="128")},
            "applheapsz",
            Verdict.NOTE,
            "SQL0954C",
            ("UPDATE DB CFG FOR SAMPLE USING APPLHEAPSZ AUTOMATIC",),
        ),
        ({"setting": automatic("stmtheap", "100")}, "stmtheap", Verdict.OK, "AUTOMATIC", ()),
        # r0000241: 256 files at most with circular logging
        (
            {"setting": settings(logfilsiz="50", logprimary="3", logsecond="10")},
            "log",
            Verdict.MISSING,
            "3 MB; an installation can need 50 MB",
            ("UPDATE DB CFG FOR SAMPLE USING LOGSECOND 253",),
        ),
        ({"setting": settings(logprimary="3", logsecond="-1")}, "log", Verdict.OK, "infinite", ()),
        ({"setting": settings()}, "log", Verdict.OK, "98 MB", ()),
        ({"setting": settings(logfilsiz=None)}, "log", Verdict.UNKNOWN, "the parameters do not contain", ()),
        (
            {"owner": [{"PLACE": 1, "FOUND": "schema TUNE belongs to EVE", "COMMAND": "DROP SCHEMA TUNE RESTRICT"}]},
            "owner of schema TUNE",
            Verdict.MISSING,
            "schema TUNE belongs to EVE",
            ("DROP SCHEMA TUNE RESTRICT",),
        ),
        (
            {"owner": [{"PLACE": 3, "FOUND": "EVE owns sequence TUNE.S: drop it or transfer it", "COMMAND": None}]},
            "owner of schema TUNE",
            Verdict.MISSING,
            "EVE owns sequence TUNE.S",
            (),
        ),
        ({}, "owner of schema TUNE", Verdict.OK, "no other user owns or can change it", ()),
        # DATAACCESS may execute objects of any module (c0053934); GRANT on a module: r0054779
        (
            {"alert_use": []},
            "DBMS_ALERT",
            Verdict.MISSING,
            "PUBLIC lack EXECUTE",
            ('GRANT EXECUTE ON MODULE SYSIBMADM.DBMS_ALERT TO USER "BO""B"',),
        ),
        (
            {"alert_use": [], "authority": [authority("DATAACCESS", D_USER="Y")]},
            "DBMS_ALERT",
            Verdict.OK,
            "DATAACCESS, held by the user",
            (),
        ),
        (
            {"authority": failure("SQL0551N", "42501", "BOB", "EXECUTE", "SYSPROC.AUTH_LIST")},
            "create tables",
            Verdict.UNKNOWN,
            "BOB may not EXECUTE SYSPROC.AUTH_LIST",
            (),
        ),
    ],
)
def test_missing_privileges_are_listed(
    answers: dict[str, Rows | Db2Failure], what: str, verdict: Verdict, found: str, commands: tuple[str, ...]
) -> None:
    checked = check(examine(**answers), what)
    assert (checked.verdict, checked.commands) == (verdict, commands)
    assert found in checked.found


@pytest.mark.parametrize(
    ("part", "failed", "what", "verdict", "commands"),
    [
        (
            "MON_GET_BUFFERPOOL",
            failure("SQL0551N", "42501", "BOB", "EXECUTE", "SYSPROC.MON_GET_BUFFERPOOL"),
            "MON_GET_BUFFERPOOL",
            Verdict.MISSING,
            ('GRANT EXECUTE ON FUNCTION SYSPROC.MON_GET_BUFFERPOOL TO USER "BO""B"',),
        ),
        (
            "MON_GET_BUFFERPOOL",
            failure("SQL0440N", "42884", "MON_GET_BUFFERPOOL", "FUNCTION"),
            "MON_GET_BUFFERPOOL",
            Verdict.MISSING,
            ('GRANT EXECUTE ON FUNCTION SYSPROC.MON_GET_BUFFERPOOL TO USER "BO""B"',),
        ),
        (
            "ADMIN_GET_TAB_INFO",
            failure("SQL0551N", "42501", "BOB", "EXECUTE", "SYSPROC.ADMIN_GET_TAB_INFO"),
            "ADMIN_GET_TAB_INFO",
            Verdict.MISSING,
            (
                'GRANT EXECUTE ON SPECIFIC FUNCTION SYSPROC.ADMIN_GET_TAB_INFO TO USER "BO""B"',
                'GRANT EXECUTE ON SPECIFIC FUNCTION SYSPROC.ADMIN_GET_TAB_INFO_V97 TO USER "BO""B"',
            ),
        ),
        (
            "SYSIBMADM.DBMCFG",
            failure("SQL0551N", "42501", "BOB", "SELECT", "SYSIBMADM.DBMCFG"),
            "SYSIBMADM.DBMCFG",
            Verdict.MISSING,
            ('GRANT SELECT ON SYSIBMADM.DBMCFG TO USER "BO""B"',),
        ),
        (
            "SYSIBMADM.DBMCFG",
            failure("SQL0551N", "42501", "BOB", "EXECUTE", "SYSPROC.DBM_GET_CFG"),
            "SYSIBMADM.DBMCFG",
            Verdict.MISSING,
            ('GRANT EXECUTE ON FUNCTION SYSPROC.DBM_GET_CFG TO USER "BO""B"',),
        ),
        ("MON_GET_FCM", failure("SQL0440N", "42884", "MON_GET_FCM", "FUNCTION"), "MON_GET_FCM", Verdict.NOTE, ()),
        (
            "SYSCAT.PARTITIONMAPS",
            failure("SQL0204N", "42704", "SYSCAT.PARTITIONMAPS"),
            "SYSCAT.PARTITIONMAPS",
            Verdict.NOTE,
            (),
        ),
        ("TUNE.HOSTFACT", failure("SQL0204N", "42704", "TUNE.HOSTFACT"), "TUNE.HOSTFACT", Verdict.NOTE, ()),
        ("MON_GET_FCM", failure("SQL0901N", "58004", "x"), "MON_GET_FCM", Verdict.UNKNOWN, ()),
        # a key that this level lacks: the source cannot be read without it
        (r"T\.BP_NAME", failure("SQL0206N", "42703", "T.BP_NAME"), "MON_GET_BUFFERPOOL", Verdict.UNKNOWN, ()),
    ],
)
def test_a_source_that_cannot_be_read(
    part: str, failed: Db2Failure, what: str, verdict: Verdict, commands: tuple[str, ...]
) -> None:
    checked = check(examine({part: failed}), what)
    assert (checked.verdict, checked.commands) == (verdict, commands)


def test_columns_that_a_level_lacks_are_named() -> None:
    names = ("POOL_COL_L_READS", "POOL_ASYNC_COL_READS")
    found = examine({rf"T\.{name}\b": failure("SQL0206N", "42703", name) for name in names})
    checked = check(found, "MON_GET_BUFFERPOOL")
    assert checked.verdict is Verdict.OK
    assert all(name in checked.found for name in names)


# Meaning of each setting: r0054914, r0054912, r0054913, r0022605, r0060587, r0060936, r0053784, r0053671 (cur_commit)
@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("varchar2_compat", "ON", "an empty text is NULL"),
        ("date_compat", "ON", "a time of day"),
        ("number_compat", "ON", "install --check"),
        ("restrict_access", "YES", "PUBLIC may do nothing"),
        ("dft_table_org", "COLUMN", "organized by row"),
        ("string_units", "CODEUNITS32", "set to bytes"),
        ("auto_reval", "DEFERRED_FORCE", "rules fail at run time (42703); set DEFERRED while you install"),
        ("auto_reval", "DISABLED", "upgrade"),
        ("cur_commit", "DISABLED", "DBMS_ALERT"),
        ("cur_commit", "AVAILABLE", "DBMS_ALERT"),
    ],
)
def test_a_setting_that_changes_what_an_installation_means(name: str, value: str, says: str) -> None:
    usual = check(examine(), name)
    assert (usual.verdict, usual.found) == (Verdict.OK, SETTINGS[name])
    other = check(examine(setting=settings(**{name: value})), name)
    assert other.verdict is Verdict.NOTE
    assert other.found.startswith(f"{value}: ")
    assert says in other.found
    assert check(examine(setting=settings(**{name: None})), name).verdict is Verdict.UNKNOWN


def test_every_setting_that_is_judged_is_asked_for_and_known() -> None:
    asked = set(re.findall(r"'(\w+)'", QUESTIONS["setting"]))
    assert asked == set(SETTINGS)
    judged = {row["NAME"] for name in ("modes", "switches") for row in data_file("doctor", name)}
    limits = {"logfilsiz", "logprimary", "logsecond", "num_log_span", "max_log", "locklist", "maxlocks", *HEAPS}
    assert judged | limits == asked
    documented = set()
    for file in ("config_params", "additions"):
        with (CONTRACT / f"{file}.csv").open(encoding="utf-8", newline="") as opened:
            documented |= {row["name"] for row in csv.DictReader(opened) if "db" in row.values()}
    assert asked <= documented


def test_what_decides_about_an_installation_comes_first() -> None:
    areas = list(dict.fromkeys(each.area for each in examine().diagnoses))
    assert areas[:2] == ["Server", "To install"]


def test_command_that_fixes_two_things_is_shown_once() -> None:
    lines = render(examine(tablespace=SMALL), 100).splitlines()
    assert lines.count("  CREATE BUFFERPOOL TUNE PAGESIZE 8 K") == 1
    assert "  CREATE SYSTEM TEMPORARY TABLESPACE TUNETEMP PAGESIZE 8 K BUFFERPOOL TUNE" in lines


def test_a_system_that_tells_no_version_has_none() -> None:
    row = {
        "HOST_NAME": "h1",
        "OS_NAME": "Windows",
        "OS_VERSION": None,
        "OS_RELEASE": None,
        "TOTAL_CPUS": 8,
        "TOTAL_MEMORY": 4096,
    }
    assert check(examine(system=[row]), "platform").found == "Windows on h1, 8 processors, 4096 MB of memory"


def test_every_question_may_fail_alone() -> None:
    for question in healthy():
        found = examine(**{question: failure("SQL0551N", "42501", "BOB", "SELECT", "SYSIBMADM.X")})
        assert len(found.diagnoses) > len(all_sources()), question
        assert render(found, 100)
    blind = examination.examine(
        Server(dict.fromkeys(healthy(), failure("SQL0551N", "42501", "BOB", "SELECT", "SYSIBMADM.X")))
    )
    assert (blind.database, blind.user) == ("db.example:50000/SAMPLE", "BOB")


@pytest.mark.parametrize("question", sorted(healthy()))
def test_a_lost_connection_ends_it(question: str) -> None:
    sources = {"MON_GET_BUFFERPOOL": failure("SQL0440N", "42884", "MON_GET_BUFFERPOOL", "FUNCTION")}
    with pytest.raises(Db2Failure) as failed:
        examine(sources, **({"authority": []} | {question: failure("SQL1224N", "55032")}))
    assert failed.value.dropped


def test_a_connection_lost_at_a_source_ends_it() -> None:
    with pytest.raises(Db2Failure):
        examine({"MON_GET_BUFFERPOOL": failure("SQL1224N", "55032")})


def test_the_report_lists_the_commands_once_each_to_be_copied() -> None:
    denied = {
        name: failure("SQL0551N", "42501", "BOB", "EXECUTE", f"SYSPROC.{name}")
        for name in ("MON_GET_FCM", "MON_GET_UTILITY")
    }
    lines = render(examine(denied, scheduler=[]), 100).splitlines()
    assert lines[:3] == [
        "advise    missing: MON_GET_FCM, MON_GET_UTILITY",
        "install   ready",
        "schedule  missing (optional): DB2_ATS_ENABLE",
    ]
    assert '  GRANT EXECUTE ON FUNCTION SYSPROC.MON_GET_FCM TO USER "BO""B"' in lines
    assert '  GRANT SQLADM ON DATABASE TO USER "BO""B"' in lines
    assert lines.index("  db2set DB2_ATS_ENABLE=YES") > lines.index("To fix 3 things missing:")
    assert max(len(line) for line in lines if not line.startswith("  ")) <= 100


@pytest.mark.parametrize(
    ("answers", "ready"),
    [({"scheduler": []}, True), ({"member": [{"ID": 0, "HOME_HOST": "h", "STATE": "STOPPED"}]}, False)],
)
def test_server_without_scheduler_is_ready(answers: dict[str, Any], ready: bool) -> None:
    found = examine(**answers)
    assert found.missing
    assert found.ready is ready


def test_platform_without_sizes_names_the_system_alone() -> None:
    system = [healthy()["system"][0] | {"TOTAL_CPUS": None, "TOTAL_MEMORY": None}]
    assert check(examine(system=system), "platform").found == "Linux 5.14 on h1"


def test_the_report_is_safe_to_show_and_coloured_by_state() -> None:
    found = examine(session=[{"DATABASE_NAME": "S\x1b[2J", "AUTHID": "B\nB"}], scheduler=[], authority=[])
    assert "\x1b" not in render(found, 100)
    painted = render(found, 100, lambda line, fg=None, **_: f"<{fg}>{line}" if fg else line)
    assert "<red>missing" in painted
    assert "<green>ok" in painted


# --- names --------------------------------------------------------------------------------------------------

# from IBM's documentation (AUTH_LIST_AUTHORITIES_FOR_AUTHID: r0052898) or public SQL that reads them
SEEN = {
    "AUTH_LIST_AUTHORITIES_FOR_AUTHID": "AUTHORITY D_USER D_GROUP D_PUBLIC ROLE_USER ROLE_GROUP ROLE_PUBLIC",
    "SYSCAT.TBSPACEAUTH": "GRANTEE TBSPACE USEAUTH",
    "SYSCAT.SCHEMATA": "SCHEMANAME OWNER",
    "SYSCAT.SCHEMAAUTH": "GRANTEE GRANTEETYPE SCHEMANAME ALTERINAUTH CREATEINAUTH DROPINAUTH",
    "SYSCAT.SEQUENCES": "SEQSCHEMA SEQNAME OWNER",
    "SYSCAT.VARIABLES": "VARSCHEMA VARNAME OWNER",  # r0050506
    "SYSCAT.DATATYPES": "TYPESCHEMA TYPENAME OWNER",
    "SYSCAT.MODULES": "MODULESCHEMA MODULENAME OWNER",
    "SYSCAT.TRIGGERS": "TRIGSCHEMA TRIGNAME OWNER TABSCHEMA",  # r0001066
    "SYSCAT.ROLEAUTH": "GRANTEE ROLENAME",
    "SYSCAT.MODULEAUTH": "GRANTEE MODULESCHEMA MODULENAME EXECUTEAUTH",  # r0054748
}


def known_columns() -> set[tuple[str, str]]:
    with (CONTRACT / "columns.csv").open(encoding="utf-8", newline="") as file:
        documented = {(row["object"], row["column"]) for row in csv.DictReader(file) if row["confidence"] != "memory"}
    return documented | {(name, column) for name, columns in SEEN.items() for column in columns.split()}


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions_ask_for_names_that_db2_has(name: str) -> None:
    sql = remove_comments(QUESTIONS[name])
    found = re.findall(r"FROM (?:TABLE\(SYSPROC\.(\w+)\([^)]*\)\)|([\w.]+)) AS (\w)\b", sql)
    objects = {alias: function or view for function, view, alias in found}
    used = {(objects[alias], column) for alias, column in re.findall(r"\b([A-Z])\.(\w+)", sql)}
    assert used or name == "session"
    assert {each for each in used if not each[0].startswith("TUNE.")} - known_columns() == set()


@pytest.mark.parametrize("name", ["SAMPLE; DROP", 'a"b', "S-1"])
def test_a_command_has_the_name_of_the_database_in_quotes(name: str) -> None:
    session = [{"DATABASE_NAME": name, "AUTHID": "BOB"}]
    found = examine(session=session, setting=settings(mon_req_metrics="NONE"))
    commands = check(found, "mon_req_metrics").commands
    assert commands == (f"UPDATE DB CFG FOR {quoted(name)} USING MON_REQ_METRICS BASE",)


def test_a_name_with_a_control_character_gives_no_command() -> None:
    item = Diagnosis("Sources", "x", Verdict.MISSING, "SQL0551N", ('GRANT SELECT ON T TO USER "A\nB"',))
    assert (item.commands, item.found) == ((), "SQL0551N; a name in the command holds a control character")
