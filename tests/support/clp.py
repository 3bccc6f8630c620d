"""The Db2 command line processor: reads and runs scripts as with -td, and formats result sets."""

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any

import ibm_db

from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from tests.wire.carrying_out import ThroughDriver


def run_script(connection: Connection, script: str) -> None:
    """Run the statements of a script; stop at the first error, as -s does."""
    hands = ThroughDriver(connection)
    for statement in statements_of(script):
        hands.carry_out(statement)


def statements_of(script: str) -> list[str]:
    """Return the statements of a script, split at its header's terminator; ignore lines that start with --."""
    code = "\n".join(line for line in script.split("\n") if not line.startswith("--"))
    named = re.search(r"^-- .*\bdb2 -td(\S) -svf ", script, re.MULTILINE)
    if named is None:
        assert not code.strip(), "the header does not contain the command to run it"
        return []
    *statements, rest = code.split(named[1])
    assert not rest.strip(), "does not end its last statement"
    return [statement.strip("\n").removesuffix(" ") for statement in statements]


def read(script: str, terminator: str) -> Iterator[str]:
    """Return the statements of a script as -t or -td reads it.

    Lines that start with two dashes are comments. A statement ends with a line whose last character is the terminator.
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
    """Return the processor's output for a script.

    Each column is as wide as its type allows and NULL is printed as -. Messages and row counts are included. The script
    continues after an error. ``echoed`` means -v, which prints each statement in one line.
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
    """Return the commands of a report as a user types them.

    The commands follow the label and are joined at backslash continuations.
    """
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
    """Return the line length of each result set: column widths by type or name, separated by a blank."""
    called = ibm_db.exec_immediate(connection, statement)
    found, following = [], called
    while following:
        columns = range(ibm_db.num_fields(following))
        widths = [max(ibm_db.field_display_size(following, i), len(ibm_db.field_name(following, i))) for i in columns]
        found.append(sum(widths) + len(widths) - 1)
        following = ibm_db.next_result(called)
    return found
