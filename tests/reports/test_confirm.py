"""Queries that confirm a finding: each can be copied as it is printed."""

import pytest

from advisor.catalogue.rules import all_rules
from advisor.report.confirm import queries
from tests.support.made_up import item

PROGRAMS = {
    "db2",
    "db2diag",
    "db2gpmap",
    "db2inspf",
    "db2level",
    "db2pd",
    "db2set",
    "df",
    "du",
    "grep",
    "ipcs",
    "ls",
    "lsblk",
    "LOAD",
}
ROWS = "SELECT A FROM SYSCAT.T"
MEASURED = "SELECT A FROM TABLE(MON_GET_DATABASE(-2))"


@pytest.mark.parametrize("name", [name for name, rule in all_rules().items() if rule.query])
def test_each_is_a_statement_or_a_command(name: str) -> None:
    for part in queries(all_rules()[name].query):
        assert part.split()[0] in PROGRAMS or (part.startswith("SELECT ") and part.endswith(";")), part


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (None, [f"{MEASURED};", f"{ROWS};", "db2set -all"]),
        ("10.5", [f"{MEASURED};", f"{ROWS};", "db2set -all"]),
        ("8.1", [f"{ROWS};", "db2set -all"]),
    ],
)
def test_none_calls_a_function_that_the_level_lacks(level: str | None, expected: list[str]) -> None:
    assert queries(f"{MEASURED}; {ROWS}; db2set -all", {"name": "SHOP", "level": level}) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("SHOP", "db2pd -db SHOP -logs"), ("DBNAME", "db2pd -db <database> -logs"), ("A;B", "db2pd -db <database> -logs")],
)
def test_query_names_the_database_if_its_name_is_known(name: str, expected: str) -> None:
    assert queries("db2pd -db <database> -logs", {"name": name, "level": None}) == [expected]


def test_query_names_what_the_evidence_contains() -> None:
    found = item(all_rules()["log.path-waiting"], "C", 1, name="SHOP", evidence={"NEWLOGPATH": "/log 2;x"})
    assert queries("ls <NEWLOGPATH>; db2gpmap -g <object>", None, found) == ["ls '/log 2;x'", "db2gpmap -g SHOP"]
