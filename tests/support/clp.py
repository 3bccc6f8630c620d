"""Reading and running a script as the command line processor of Db2 does with -td."""

import re

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
