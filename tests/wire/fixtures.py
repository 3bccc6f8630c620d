"""The machines of fixtures/ on a server, and the advice that must be the same for all callers."""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from advisor.capture import open_capture
from advisor.db2 import in_database as inside
from advisor.db2.connection import Connection, Out
from advisor.judgement.advice import Advice
from advisor.report.jsonout import document
from advisor.report.selection import select
from tests.support.carrying_out import files
from tests.support.data_files import read_expected
from tests.support.paths import EXPECTED, NAMES
from tests.support.states import State
from tests.wire.conftest import Server, hostfacts


def expected(name: str) -> list[dict[str, Any]]:
    """Return the committed advice of a machine's fixture."""
    return list(read_expected(EXPECTED)[name])


def together(of: Callable[[str], frozenset[Any]]) -> Iterator[str]:
    """Return few machines that together have every property.

    Each step adds the machine with most of the missing properties.
    """
    missing = {name: of(name) for name in NAMES}
    while any(missing.values()):
        name = max(missing, key=lambda each: len(missing[each]))
        yield name
        missing = {each: kept - of(name) for each, kept in missing.items()}


def seconds_of(fixture: Path) -> float:
    """Return the length of the fixture's interval."""
    with open_capture(fixture) as capture:
        return capture.snapshots[-1].epoch_s - capture.snapshots[0].epoch_s


def options_of(fixture: Path) -> dict[str, dict[str, str | float]]:
    with open_capture(fixture) as capture:
        return capture.options


def tell(connection: Connection, fixture: Path) -> None:
    """Give an installed TUNE the data that no database contains: the fixture's host facts and its site's options.

    One statement inserts the facts. tests/wire/test_calls.py tests TUNE.SET_HOSTFACTS, which takes one at a time.
    """
    if facts := [tuple(fact.values()) for fact in hostfacts(fixture)]:
        marks = ", ".join(["(?, ?, ?, ?)"] * len(facts))
        connection.execute(
            f"INSERT INTO TUNE.HOSTFACT (HOST, FACT_KEY, ITEM, VALUE) VALUES {marks}", [*chain.from_iterable(facts)]
        )
    for rule, values in options_of(fixture).items():
        for name, value in values.items():
            connection.call("TUNE.SET_OPTION", [rule, name, str(value)])
    connection.commit()


def judged_inside(connection: Connection, server: Server, seconds: float) -> Advice:
    """Return the list of CALL TUNE.ADVISE for the next interval of this many seconds."""
    connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
    connection.commit()
    server.advance(seconds)
    return inside.advise(connection, None)


def kept(server: Server) -> dict[str, str]:
    """Return the machine as a capture on disk, without the time of its last start."""
    assert server.standin is not None
    machine = server.standin.backend.database.machine
    sources = machine.sources()
    del sources["database"]
    return files(State(sources, machine.database))


def listed(advice: Advice) -> dict[str, Any]:
    """Return the comparable parts: all except the database's identity, the clock, and reasons for missing data."""
    whole = document(select(advice))
    window = {key: whole["window"][key] for key in ("seconds", "source")}
    return {
        "recommendations": whole["recommendations"],
        "workload": whole["workload"],
        "window": window,
        "not_run": [item["rule"] for item in whole["not_run"]],
        "questions": whole["questions"],
    }
