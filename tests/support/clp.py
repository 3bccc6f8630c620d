"""The command line processor of Db2: scripts read and run as it does with -td, and what it shows of a result set."""

import re
from collections.abc import Iterable
from typing import Any

import ibm_db

from advisor.db2.connection import Connection
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


def typed(lines: Iterable[str], label: str = "do") -> list[str]:
    """The commands of a report as they are typed: those after the label, put together where a backslash continues them."""
    found: list[str] = []
    width = 0
    for line in lines:
        begins = re.match(rf" *{label} +(?!by hand: )(?=\S)", line)
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
