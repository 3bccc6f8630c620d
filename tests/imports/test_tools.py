"""Other tools' output about a database: the memory tracker, the diagnostic log, the history, agents and operators."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.errors import UserError
from advisor.imports.texts import import_texts
from tests.imports.reading import reading, reasons, rows_of
from tests.support.paths import FIXTURES

SAMPLES = FIXTURES / "imports"
NAMES = ("db2mtrk.txt", "db2diag.txt", "list-history.txt", "db2ucluster.yaml")


def sample(name):
    return (SAMPLES / name).read_text(encoding="utf-8")


SETS = {"DBMS": "41344", "FCM": "960", "DATABASE": "1733952", "APPLICATION": "1984"}


def test_pools_add_up_to_memory_sets():
    found = rows_of(sample("db2mtrk.txt"), "memory_set")
    assert {row["MEMORY_SET_TYPE"]: row["MEMORY_SET_USED"] for row in found} == SETS
    assert {row["MEMORY_SET_TYPE"]: row["DB_NAME"] for row in found} == {
        **dict.fromkeys(("DBMS", "FCM"), "-"),
        **dict.fromkeys(("DATABASE", "APPLICATION"), "WARES"),
    }
    assert all("MEMORY_SET_COMMITTED" not in row for row in found)


def test_sizes_below_the_names():
    text = (
        "Tracking Memory on: 2026/03/02 at 09:15:42\n\nMemory for instance\n\n   other       fcmbp       monh\n"
        "   40.0M       960.0K      448.0K\n\nMemory for database: wares\n\n"
        "   utilh       pckcacheh   bph (1)     bph (S32K)  apph (62376)apph (62374)\n"
        "   64.0K       9.0M        1.0G        832.0K      64.0K       128.0K\n\n   appshrh\n   1.8M\n"
    )
    found = {row["MEMORY_SET_TYPE"]: row["MEMORY_SET_USED"] for row in rows_of(text, "memory_set")}
    assert found == {"DBMS": "41408", "FCM": "960", "DATABASE": "1058688", "APPLICATION": "2035"}


@pytest.mark.parametrize("option", ["-w", "-m", "-dw", "-d -m -v"])
def test_only_current_sizes_are_read(option):
    text = sample("db2mtrk.txt").replace("-i -d -v", option)
    assert not reading(text).rows
    assert "not the current sizes of the memory pools" in reasons(text)


def test_nothing_active():
    text = "Tracking Memory on: 2026/03/02 at 09:15:42\n\nNo active databases\n"
    assert (reading(text).rows, reading(text).ranges[0].format) == ({}, "db2mtrk")


def test_the_last_change_of_each_setting():
    assert rows_of(sample("db2diag.txt"), "dbcfg") == [
        {"NAME": "locklist", "MEMBER": "0", "VALUE": "16384", "VALUE_FLAGS": "AUTOMATIC"},
        {"NAME": "pckcachesz", "MEMBER": "0", "VALUE": "6144", "VALUE_FLAGS": "AUTOMATIC"},
    ]
    *_, report = reading(sample("db2diag.txt")).reports
    assert (report.database, report.instance, report.host) == ("WARES", "db2wares", "wareshost")


def test_members_and_databases_keep_their_own():
    record = sample("db2diag.txt").split("\n\n")[0]
    other = record.replace("NODE : 000", "NODE : 003").replace("12800", "9999")
    third = record.replace("WARES:", "STOCK:").replace("12800", "7777")
    found = reading("\n\n".join((record, other, third)))
    names = {str(report.number): report.database for report in found.reports}
    assert [(names[row["REPORT"]], row["MEMBER"], row["VALUE"]) for row in found.rows["dbcfg"]] == [
        ("WARES", "0", "12800"),
        ("WARES", "3", "9999"),
        ("STOCK", "0", "7777"),
    ]


@pytest.mark.parametrize("fence", ["```", "~~~ text"])
def test_what_is_quoted_ends_at_its_fence(fence):
    text = f"{fence}\n{sample('db2diag.txt').rstrip()}\n{fence}\nThe log:\n{fence}\n Log buffer size (LOGBUFSZ) = 256\n{fence}\n"
    assert "256" in {row.get("VALUE") for row in rows_of(text, "dbcfg")}


def test_the_variables_of_a_playbook_are_settings():
    text = (
        "- hosts: localhost\n  vars:\n    db2_memory_limits: 16Gi\n    db2_database_db_config:\n      CHNGPGS_THRESH: '40'\n"
        "      LOCKLIST: AUTOMATIC\n    db2_instance_dbm_config:\n      NUMDB: 5 # more\n    db2_instance_registry:\n"
        "      DB2AUTH: '{{ x }}'\n      DB2_PARALLEL_IO: '*'\n  roles:\n    - ibm.mas_devops.db2\n"
    )
    found = [
        (row["NAME"], row.get("VALUE"), row["VALUE_FLAGS"]) for row in rows_of(text, "dbcfg") + rows_of(text, "dbmcfg")
    ]
    assert found == [("chngpgs_thresh", "40", "NONE"), ("locklist", None, "AUTOMATIC"), ("numdb", "5", "NONE")]
    assert [(row["REG_VAR_NAME"], row["REG_VAR_VALUE"]) for row in rows_of(text, "registry")] == [
        ("DB2_PARALLEL_IO", "*")
    ]


def test_manual_change_is_not_a_value_in_force():
    assert not rows_of(sample("db2diag.txt").replace("STMM CFG DB", "CFG DB"), "dbcfg")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            sample("db2diag.txt"),
            "how a backup or restore went (Performance statistics, 2026-03-02-02.31.00.400400+060)",
        ),
        (
            sample("list-history.txt").replace("entries = 3", "entries = 4"),
            "recognised as list history; contains nothing that rules use",
        ),
        (sample("file-systems.txt"), "recognised as mount; contains nothing that rules use"),
        ("apiVersion: db2u.databases.ibm.com/v1\nkind: Db2uCluster\nspec: {}\n", "recognised as custom resource"),
    ],
)
def test_what_no_rule_uses_is_named(text, why):
    assert any(item.startswith(why) for item in reasons(text))


def test_useless_text_is_reported_by_its_kind(tmp_path):
    path = tmp_path / "given"
    path.write_text(sample("file-systems.txt"))
    with pytest.raises(UserError, match="recognised as df, mount; contains nothing that rules use"):
        import_texts([path], tmp_path)


def test_what_follows_a_log_is_read():
    text = sample("db2diag.txt") + "\n       Database Configuration for Database WARES\n (LOGBUFSZ) = 256\n"
    assert [row["NAME"] for row in rows_of(text, "dbcfg")] == ["locklist", "pckcachesz", "logbufsz"]


def test_settings_of_an_operator():
    found = reading(sample("db2ucluster.yaml"))
    assert {row["NAME"]: (row.get("VALUE"), row["VALUE_FLAGS"]) for row in found.rows["dbcfg"]} == {
        "logprimary": ("24", "NONE"),
        "logfilsiz": ("10240", "NONE"),
        "pckcachesz": (None, "AUTOMATIC"),
        "softmax": ("0", "NONE"),
    }
    assert {row["REG_VAR_NAME"]: row["REG_VAR_VALUE"] for row in found.rows["registry"]} == {
        "DB2_PARALLEL_IO": "*",
        "DB2_WORKLOAD": "ANALYTICS",
    }
    [report] = found.reports
    assert (report.database, report.level) == ("WARES", "11.5.9.0")


@pytest.mark.parametrize("listed", [True, False])
def test_a_resource_within_others(listed):
    resource = sample("db2ucluster.yaml")
    if listed:
        body = resource.splitlines()
        resource = "apiVersion: v1\nitems:\n- " + "\n  ".join(body) + "\nkind: List\n"
    else:
        resource = f"apiVersion: v1\nkind: Namespace\n---\n{resource}---\napiVersion: v1\nkind: Secret\n"
    assert reading(resource).rows == reading(sample("db2ucluster.yaml")).rows


def test_several_databases_of_one_resource():
    text = (
        "apiVersion: db2u.databases.ibm.com/v1\nkind: Db2uInstance\nspec:\n  environment:\n    databases:\n"
        "      - name: one\n        dbConfig:\n          LOGPRIMARY: 5\n      - name: two\n"
    )
    found = reading(text)
    assert [report.database for report in found.reports] == ["ONE", "TWO"]
    assert [row["REPORT"] for row in found.rows["dbcfg"]] == ["0"]


def test_damaged_yaml_is_reported():
    assert "YAML that cannot be read" in reasons("apiVersion: db2u.databases.ibm.com/v1\nspec: [\n")


@settings(max_examples=60)
@given(st.data())
def test_garbled_text_is_read_without_inventing(data):
    text = sample(data.draw(st.sampled_from(NAMES)))
    kept = [line for line in text.splitlines() for _ in range(data.draw(st.sampled_from((0, 1, 1, 1, 2))))]
    garbled = "\n".join(kept)[: data.draw(st.integers(0, 4000))]
    if data.draw(st.booleans()):
        garbled = re.sub(r" +", " ", garbled)
    for source, found in reading(garbled).rows.items():
        for row in found:
            for column, value in row.items():
                computed = source == "memory_set" or column.startswith(("TOTAL_LOG_", "TBSP_TOTAL", "TBSP_USED"))
                fixed = {"NONE", "AUTOMATIC", "0", "1"}
                there = re.sub(r"\D", "", value) if column == "LAST_BACKUP" else value.upper()
                computed = computed or column in (
                    "REPORT",
                    "MEMBER",
                    "EVENT_ID",
                    "OCCURRENCES",
                    "FIRST_TIME",
                    "LAST_TIME",
                )
                words = " ".join(garbled.upper().split()) if source == "event" else garbled.upper()
                assert computed or not value or value in fixed or there in words
