"""Older Db2 levels lack columns, and page sizes differ: existing data is used, missing data is reported."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from advisor.capture import MANIFEST
from advisor.catalogue.rules import all_rules
from advisor.catalogue.sources import Source, all_sources, read_sources
from advisor.db2.collector import collect
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.judgement.advice import Advice
from advisor.judgement.run import advise
from tests.machines import x445
from tests.standin.machine.contract import definitions, level
from tests.support.states import State, base_state, write_capture
from tests.wire.conftest import CAPTURES, Server, standin
from tests.wire.fixtures import judged_inside, listed

pytestmark = pytest.mark.full

OLD, NEW = "10.5", "12.1"
SECONDS = 300
MACHINE = {
    "platform": ["Windows"],
    "topology": ["dpf", "several members"],
}  # rules for other platforms or topologies have no findings here
LARGER_PAGES = [
    "CREATE BUFFERPOOL BP8K SIZE 1000 PAGESIZE 8 K",
    "CREATE TABLESPACE TUNESPACE PAGESIZE 8 K MANAGED BY AUTOMATIC STORAGE BUFFERPOOL BP8K",
]


def whole() -> State:
    """Return the demo machine with a value in every column, so that only the level removes columns."""
    state = x445()
    for name, source in all_sources().items():
        blank = {column.name: 0 if column.kind == "counter" else None for column in source.columns}
        state.sources[name] = [blank | row for row in state.sources.get(name, [])]
    return state


def lacking(at: str) -> set[tuple[str, str]]:
    """Return source and name of each declared column that exists only at later levels, by the contract.

    Keys and columns in a source's conditions exist at every level; otherwise the source could not be collected.
    """
    return {
        (source.name, column.name)
        for source in all_sources().values()
        for column in source.columns
        if column.kind != "key" and _named(column.expression) & _later(source, at) - _named(source.head + source.tail)
    }


def _named(text: str) -> set[str]:
    return set(re.findall(r"\b[PT]\.(\w+)", text))


def _later(source: Source, at: str) -> set[str]:
    """Return columns of a source's object that are newer than a level."""
    name = source.db2_object.split(".")[-1]
    objects = [item for (_, called), item in definitions().items() if called == name]
    return {one.column.name for item in objects for one in item.columns if one.since > level(at)}


@dataclass(frozen=True)
class Judged:
    """The results for the machine at one level, inside the database and outside."""

    at: str
    inside: Advice
    outside: Advice
    manifest: dict[str, Any]
    absent: set[tuple[str, str]]  # results that the database stores
    filled: dict[tuple[str, str], int]  # number of values in each of these columns
    unread: set[str]
    unanswered: set[tuple[str, str]]  # rules with the reason
    errors: list[tuple[Any, ...]]


@pytest.fixture(scope="module")
def judged(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """Measure the same five minutes inside one server and outside another one."""
    at, folder, served = OLD, tmp_path_factory.mktemp("capture"), contextmanager(standin)
    machine = write_capture(whole(), tmp_path_factory.mktemp("machine"))
    with served(machine, level=at) as server, server.connect() as connection:
        collect(connection, folder, SECONDS, None, server.advance)
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    with served(machine, level=at) as server:
        assert server.tune("install").exit_code == 0
        with server.connect() as connection:
            inside = judged_inside(connection, server, SECONDS)
            return Judged(at, inside, advise(folder), manifest, *_kept(connection))


def _kept(connection: Connection) -> tuple[Any, ...]:
    """Return the tables of a collection and a judgement in schema TUNE."""
    absent = set(connection.rows("SELECT SOURCE, COLUMN_NAME FROM TUNE.COLUMN_ABSENT"))
    filled = {
        (source, column): next(connection.rows(f"SELECT COUNT({column}) FROM TUNE.S_{source.upper()}"))[0]
        for source, column in sorted(absent)
    }
    unread = {row[0] for row in connection.rows("SELECT SOURCE FROM TUNE.SNAPSHOT_SOURCE WHERE REASON IS NOT NULL")}
    unanswered = set(connection.rows("SELECT RULE, REASON FROM TUNE.NOT_RUN WHERE REASON LIKE 'column %'"))
    return absent, filled, unread, unanswered, list(connection.rows("SELECT PLACE, MESSAGE FROM TUNE.ERROR"))


def test_the_levels_differ() -> None:
    assert lacking(OLD)
    assert not lacking(NEW)


def test_the_database_finds_out_which_columns_it_lacks(judged: Judged) -> None:
    assert judged.absent == lacking(judged.at)
    assert judged.filled == dict.fromkeys(judged.absent, 0)
    assert (judged.unread, judged.errors) == (set(), [])


def test_so_does_who_reads_it_from_outside(judged: Judged) -> None:
    read = {(name, column) for name, item in judged.manifest["sources"].items() for column in item["columns"]}
    declared = {(name, column.name) for name, source in read_sources().items() for column in source.columns}
    assert {item for item in declared - read if item[0] != "hostfact"} == lacking(judged.at)
    assert set(judged.manifest["not_collected"]) == {"hostfact"}  # objects that only schema TUNE or a file has


def test_unjudged_rules_are_reported_with_the_missing_column(judged: Judged) -> None:
    absent = lacking(judged.at)
    asked = [
        rule
        for rule in all_rules().values()
        if all(any(own in rule.applies.get(name, own) for own in these) for name, these in MACHINE.items())
        and {need.partition(".")[0] for need in rule.get_list("needs")} <= read_sources().keys() | {"host"}
    ]
    needs = {(rule.name, *need.split(".")) for rule in asked for need in rule.get_list("needs")}
    assert judged.unanswered == {
        (rule, f"column {column} of {source} was not collected")
        for rule, source, column in needs
        if (source, column) in absent
    }


def test_advice_from_inside_and_outside_is_the_same(judged: Judged) -> None:
    assert listed(judged.inside) == listed(judged.outside)


# --- page sizes and table spaces -----------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Server]:
    """Return a database whose only table space has 4 KB pages."""
    yield from standin(write_capture(base_state(), tmp_path))


def _places(server: Server) -> set[str]:
    with server.connect() as connection:
        return {row[0] for row in connection.rows("SELECT TBSPACE FROM SYSCAT.TABLES WHERE TABSCHEMA = 'TUNE'"
                                                  " AND TYPE = 'T'")}  # fmt: skip


def test_8_kb_pages_suffice_without_user_temporary_space() -> None:
    for server in standin(CAPTURES / "x445-8way", page_size=8, user_temporary=False):
        assert server.tune("install", "--tablespace", "USERSPACE1").exit_code == 0
        assert _places(server) == {"USERSPACE1"}
        with server.connect() as connection:
            with pytest.raises(Db2Failure, match="SQL0286N"):
                connection.execute("DECLARE GLOBAL TEMPORARY TABLE SESSION.T (A INTEGER)")
            _, (_, ranked) = connection.call("TUNE.ADVISE")
        assert ranked.columns[0] == "RANK"


@pytest.mark.parametrize("options", [(), ("--tablespace", "USERSPACE1")])
def test_pages_of_4_kb_are_too_small_and_nothing_is_left_behind(small: Server, options: tuple[str, ...]) -> None:
    small.say("CALL STANDIN.FAIL('refuse', 'CREATE', '-901 58004 DDL')")  # reported before any object is created
    done = small.tune("install", *options)
    assert done.exit_code == 2, done.output
    assert [line for line in done.output.splitlines() if "use install --create-tablespace" in line]
    assert _places(small) == set()
    assert "was not installed" in small.tune("uninstall", "--yes").output


@pytest.mark.parametrize(("options", "places"), [((), {"USERSPACE1", "TUNESPACE"}), (("TUNESPACE",), {"TUNESPACE"})])
def test_one_larger_table_space_is_enough(small: Server, options: tuple[str, ...], places: set[str]) -> None:
    """Without --tablespace, Db2 puts each table into a table space in which its rows fit."""
    for statement in LARGER_PAGES:
        small.say(statement)
    done = small.tune("install", *(word for name in options for word in ("--tablespace", name)))
    assert done.exit_code == 0, done.output
    assert _places(small) == places
    assert small.tune("advise", "--in-database", "--interval", "0").exit_code == 0


@pytest.mark.parametrize("name", ["TUNE", "Advice"])
def test_installation_creates_missing_table_space_once(small: Server, name: str) -> None:
    options = ("--create-tablespace", *(() if name == "TUNE" else ("--tablespace", name)))
    spaces = "SELECT TBSPACE, EXTENTSIZE FROM SYSCAT.TABLESPACES WHERE PAGESIZE = 8192 ORDER BY TBSPACE"
    for more in ((), (), ("--check",)):
        done = small.tune("install", *options, *more)
        assert done.exit_code == 0, done.output
        with small.connect() as connection:
            assert sorted(connection.rows(spaces))[0] == (name, 4)
            assert len(list(connection.rows(spaces))) == 2
    assert _places(small) == {name}
