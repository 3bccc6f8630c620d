"""The command line processor of Db2: scripts read and run as it does with -td, and what it shows of a result set."""

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any

import ibm_db

from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from tests.wire.carrying_out import ThroughDriver


def run_script(connection: Connection, script: str) -> None:
    """Run the statements of a script; stops at the first error, as -s asks for."""
    hands = ThroughDriver(connection)
    for statement in statements_of(script):
        hands.carry_out(statement)


def statements_of(script: str) -> list[str]:
    """The statements of a script, by the character that its head names; lines that begin with -- are comments."""
    code = "\n".join(line for line in script.split("\n") if not line.startswith("--"))
    named = re.search(r"^-- .*\bdb2 -td(\S) -svf ", script, re.MULTILINE)
    if named is None:
        assert not code.strip(), "does not say how to run it"
        return []
    *statements, rest = code.split(named[1])
    assert not rest.strip(), "does not end its last statement"
    return [statement.strip("\n").removesuffix(" ") for statement in statements]


def read(script: str, terminator: str) -> Iterator[str]:
    """The statements of a script as -t or -td reads it: lines that begin with two dashes are remarks, and a statement
    ends with a line whose last sign is the terminator.
    """
    lines: list[str] = []
    for line in script.splitlines():
        if line.startswith("--"):
            continue
        text = line.rstrip()
        lines.append(text.removesuffix(terminator))
        if text.endswith(terminator):
            yield "\n".join(lines).strip()
            lines = []
    assert not "".join(lines).strip(), "the last statement has no end"


def printed(connection: Connection, script: str, echoed: bool = False) -> str:
    """What the processor prints of a script: each column as wide as its type allows, NULL as -, messages and counts.

    It goes on after an error. ``echoed`` is with -v, which shows every statement in one line.
    """
    return "".join(
        (f"{' '.join(statement.split())}\n" if echoed else "") + _answer(connection, statement)
        for statement in read(script, ";")
    )


def _answer(connection: Connection, statement: str) -> str:
    if statement.startswith("SET "):
        return _done(connection, statement)
    try:
        rows = list(connection.rows(statement))
        handle = ibm_db.exec_immediate(connection._handle, statement)
    except Db2Failure as failure:
        return _refused(failure)
    names = [ibm_db.field_name(handle, i) for i in range(ibm_db.num_fields(handle))]
    widths = [max(ibm_db.field_display_size(handle, i), len(name)) for i, name in enumerate(names)]
    lines = ["", " ".join(name.ljust(width) for name, width in zip(names, widths, strict=True))]
    lines.append(" ".join("-" * width for width in widths))
    for row in rows:
        cells = ("-" if cell is None else str(cell) for cell in row)
        lines.append(" ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)))
    return "\n".join([*lines, "", f"  {len(rows)} record(s) selected.", "", ""]) + "\n"


def _done(connection: Connection, statement: str) -> str:
    try:
        connection.execute(statement)
    except Db2Failure as failure:
        return _refused(failure)
    return "DB20000I  The SQL command completed successfully.\n\n"


def _refused(failure: Db2Failure) -> str:
    head = (
        "DB21034E  The command was processed as an SQL statement because it was not a valid Command Line Processor"
        " command.  During SQL processing it returned:"
    )
    message = f"{failure.id}  {failure.message.removeprefix(failure.id).strip()}  SQLSTATE={failure.sqlstate}"
    return "\n".join([*wrap(head, 78), *wrap(message, 78), ""]) + "\n"


def typed(lines: Iterable[str], label: str = "do") -> list[str]:
    """The commands of a report as they are typed: those after the label, put together where a backslash continues them."""
    found: list[str] = []
    width = 0
    for line in lines:
        begins = re.match(rf" *{label} +(?!manual: )(?=\S)", line)
        if begins:
            width = begins.end()
            found.append(line[width:])
        elif width and line[:width].isspace() and found[-1].endswith("\\"):
            found[-1] = found[-1][:-1] + line[width:]
        else:
            width = 0
    return found


def line_widths(connection: Any, statement: str) -> list[int]:
    """How long a line of each result set is: every column as wide as its type allows, or its name, a blank between."""
    called = ibm_db.exec_immediate(connection, statement)
    found, following = [], called
    while following:
        columns = range(ibm_db.num_fields(following))
        widths = [max(ibm_db.field_display_size(following, i), len(ibm_db.field_name(following, i))) for i in columns]
        found.append(sum(widths) + len(widths) - 1)
        following = ibm_db.next_result(called)
    return found
