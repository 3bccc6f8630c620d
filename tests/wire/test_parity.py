"""One list, three ways: CALL TUNE.ADVISE inside the database, plain SELECTs from outside, the capture offline."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from advisor import inside
from advisor.capture import opened
from advisor.cli_database import take
from advisor.connection import Out
from advisor.engine import Advice, advise
from advisor.report.jsonout import document
from advisor.report.selection import select
from tests.wire.conftest import FIXTURES, Server, hostfacts, standin

NAMES = sorted(path.name for path in FIXTURES.iterdir() if path.is_dir())


def _list(advice: Advice) -> dict[str, Any]:
    """What must be the same: all but the identity of the database, the clock, and why something is missing."""
    whole = document(select(advice))
    window = {key: whole["window"][key] for key in ("seconds", "source")}
    return {
        "recommendations": [_written_alike(item) for item in whole["recommendations"]],
        "workload": whole["workload"],
        "window": window,
        "not_run": [item["rule"] for item in whole["not_run"]],
        "questions": whole["questions"],
    }


def _written_alike(item: dict[str, Any]) -> dict[str, Any]:
    """Db2 writes 0.40 as .40, also in a command; it reads both."""
    return item | {key: [line.replace(" .", " 0.") for line in item[key]] for key in ("actions", "undo")}


@pytest.fixture(params=NAMES)
def fixture(request: pytest.FixtureRequest) -> Path:
    return FIXTURES / str(request.param)


@pytest.fixture
def server(fixture: Path) -> Iterator[Server]:
    yield from standin(fixture)


def _seconds(fixture: Path) -> float:
    with opened(fixture) as capture:
        return capture.snapshots[-1].epoch_s - capture.snapshots[0].epoch_s


def _options(fixture: Path) -> dict[str, dict[str, str | float]]:
    with opened(fixture) as capture:
        return capture.options


def test_inside_is_as_offline(server: Server, fixture: Path) -> None:
    assert server.tune("install").exit_code == 0
    with server.connect() as connection:
        for fact in hostfacts(fixture):
            connection.execute("INSERT INTO TUNE.HOSTFACT VALUES (?, ?, ?, ?)", list(fact.values()))
        for rule, values in _options(fixture).items():
            for name, value in values.items():
                connection.call("TUNE.SET_OPTION", [rule, name, str(value)])
        connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
        connection.commit()
        server.advance(_seconds(fixture))
        found = inside.advise(connection, None)
    assert _list(found) == _list(advise(fixture))


def test_outside_is_as_offline(server: Server, fixture: Path, tmp_path: Path) -> None:
    facts = tmp_path / "facts.csv"
    with facts.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ("HOST", "FACT_KEY", "ITEM", "VALUE"))
        writer.writeheader()
        writer.writerows(hostfacts(fixture))
    target = tmp_path / "capture"
    target.mkdir()
    with server.connect() as connection:
        take(connection, target, int(_seconds(fixture)), facts, server.advance, _options(fixture))
    assert _list(advise(target)) == _list(advise(fixture))
