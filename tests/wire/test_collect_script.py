"""Script tune-collect.sql in the command line processor: the same advice as from a connection, and no changes.

The processor continues after an error unless -s is given, prints NULL as -, and prints each column as wide as its type
(r0010410). TRANSLATE takes the target characters before the source characters (r0000862), or after them with
varchar2_compat (r0052880).
"""

import csv
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlfluff.core import FluffConfig, Linter

from advisor.capture.manifest import read_manifest
from advisor.catalogue.rules import all_rules
from advisor.catalogue.sources import Column, all_sources
from advisor.db2.collector import collect
from advisor.imports.collect_script import NOT_READ, collect_script
from advisor.imports.texts import import_texts
from advisor.judgement.run import advise
from tests.machines import x445
from tests.standin.objects.modes import CODEUNITS32, DATE, VARCHAR2
from tests.support.clp import printed, read
from tests.support.states import State, write_capture
from tests.wire.conftest import CAPTURES, standin
from tests.wire.fixtures import listed, seconds_of


@dataclass(frozen=True)
class Taken:
    """A machine, as a capture over a connection and as two texts of the same moments."""

    fixture: Path
    capture: Path
    texts: list[Path]


def take(fixture: Path, folder: Path, **options: Any) -> Taken:
    """Return both from one fake server that does not change between them."""
    capture, texts = folder / "capture", [folder / "sales-1.txt", folder / "sales-2.txt"]
    capture.mkdir()
    with contextmanager(standin)(fixture, **options) as server, server.connect() as connection:

        def write(text: Path) -> None:
            text.write_text(printed(connection, collect_script()), encoding="utf-8")

        def wait(seconds: float) -> None:
            write(texts[0])
            server.advance(seconds)

        collect(connection, capture, int(seconds_of(fixture)), None, wait, texts=False)
        write(texts[1])
    return Taken(fixture, capture, texts)


@pytest.fixture(params=["x445-8way", "purescale"], scope="module")
def taken(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Taken]:
    yield take(CAPTURES / request.param, tmp_path_factory.mktemp("taken"))


@pytest.mark.full
def test_the_advice_is_that_of_a_capture(taken: Taken, tmp_path: Path) -> None:
    import_texts(taken.texts, tmp_path)
    assert listed(advise(tmp_path)) == listed(advise(taken.capture))


@pytest.mark.full
def test_so_are_the_rows(taken: Taken, tmp_path: Path) -> None:
    import_texts(taken.texts, tmp_path)
    own, other = read_manifest(taken.capture), read_manifest(tmp_path)
    assert [item.database for item in own.snapshots] == [item.database for item in other.snapshots]
    assert own.not_collected.keys() | NOT_READ == other.not_collected.keys()
    for name in other.sources:
        assert rows(tmp_path, name) == rows(taken.capture, name)


# --- other databases -------------------------------------------------------------------------------------------------

OTHERS: dict[str, dict[str, Any]] = {
    "10.5": {"level": "10.5"},
    "both compatibilities, CODEUNITS32": {
        "modes": frozenset({VARCHAR2, DATE}),
        "string_units": CODEUNITS32,
        "timezone": 13000,
    },
    "pages of 4 KB": {"page_size": 4},
}


@pytest.mark.full
@pytest.mark.parametrize("other", OTHERS)
def test_on_other_databases_it_is_the_same(other: str, tmp_path: Path) -> None:
    """Columns that a level lacks are absent, not zero or NULL; they cannot be recognized in a source without rows."""
    taken = take(write_capture(odd(), tmp_path / "machine"), tmp_path, **OTHERS[other])
    (tmp_path / "made").mkdir()
    import_texts(taken.texts, tmp_path / "made")
    own, made = read_manifest(taken.capture), read_manifest(tmp_path / "made")
    assert own.not_collected.keys() | NOT_READ == made.not_collected.keys()
    empty = {name for name in made.sources if not rows(taken.capture, name)}
    for name in made.sources.keys() - empty:
        assert own.sources[name].columns == made.sources[name].columns, name
        assert rows(tmp_path / "made", name) == rows(taken.capture, name), name
    one, two = listed(advise(tmp_path / "made")), listed(advise(taken.capture))
    more = set(two.pop("not_run")) - set(one.pop("not_run"))
    assert one == two
    assert {rule for rule in more if not empty & {need.partition(".")[0] for need in needs(rule)}} == set()


def needs(rule: str) -> list[str]:
    return all_rules()[rule].get_list("needs")


def odd() -> State:
    """Return a machine with a row in every source, and names that contain every separator."""
    state = x445()
    for name, source in all_sources().items():
        if not state.sources.get(name):
            state.sources[name] = [{column.name: _value(column) for column in source.columns}]
    for rows in state.sources.values():
        for row in rows:
            for column, text in row.items():
                if text == "EMPLOYEE_TABLE":
                    row[column] = 'a|b "c"\\\n \u00dc\u65e5'
    return state


def _value(column: Column) -> Any:
    if column.type == "TIMESTAMP":
        return "2026-03-01 10:00:00"
    return "0" if column.type.startswith("VARCHAR") else 0


def test_it_reads_and_does_nothing_else() -> None:
    """The script runs the statements of a connection, a SET of the session, and an end that reads nothing."""
    statements = list(read(collect_script(), ";"))
    queries = [statement for statement in statements if statement.endswith("WITH UR")]
    assert len(queries) == len(all_sources().keys() - NOT_READ) + 1 <= 36
    rest = [statement for statement in statements if statement not in queries]
    assert [statement.split()[0] for statement in rest] == ["SET", "VALUES"]
    words = {
        word for statement in queries for word in re.findall(r"(?<![:\w.])[A-Z_]+", re.sub("'[^']*'", "", statement))
    }
    assert not words & {
        "INSERT",
        "UPDATE",
        "DELETE",
        "MERGE",
        "CREATE",
        "DECLARE",
        "DROP",
        "ALTER",
        "CALL",
        "GRANT",
        "LOCK",
    }


@pytest.mark.full
@pytest.mark.parametrize("name", ["identity", "index", "statement", "unit_of_work"])
def test_sqlfluff_reads_it_as_db2(name: str) -> None:
    """One statement of each kind: with common table expressions and joins, and with ORDER BY."""
    (query,) = (text for text in read(collect_script(), ";") if f"(':tune:{name}:" in text)
    linter = Linter(config=FluffConfig(overrides={"dialect": "db2", "large_file_skip_byte_limit": 0}))
    assert [str(error) for error in linter.parse_string(f"{query};\n").violations] == []
    assert linter.parse_string(query.replace("FROM DATA AS D", "FROM DATA AS AS D") + ";\n").violations


def test_statement_text_is_read_only_on_request() -> None:
    head = ":tune:statement:0:1:"
    assert "|STMT_TEXT|" not in collect_script().partition(head)[2]
    assert "|STMT_TEXT|" in collect_script(texts=True).partition(head)[2]


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        found = [{key: value(cell) for key, cell in row.items()} for row in csv.DictReader(file)]
    return sorted(found, key=lambda row: [str(cell) for cell in row.values()])


def value(cell: str) -> str | float:
    """Return a cell's value, with 8.0 and 8.0E0 as the same."""
    try:
        return float(cell)
    except ValueError:
        return cell
