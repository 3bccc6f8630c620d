"""Carrying out commands over a connection: each where Db2 takes it."""

from advisor.connection import Connection
from tests.interpreter import is_command

# Who takes a command, by how it begins; everything else is an SQL statement.
ADMIN_CMD = ("UPDATE DB CFG ", "UPDATE DBM CFG ", "REDISTRIBUTE ")
HOST = ("db2set ", "db2start ", "db2stop ", "ACTIVATE ")


def is_remote(line: str) -> bool:
    """Whether a connection is enough for a line, and nobody has to type it on the host."""
    return is_command(line) and not line.startswith(HOST)


class ThroughDriver:
    """Carries out commands over one connection.

    Those for the host, and text for a person, go to the stand-in's host: Db2 has no such procedure.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def carry_out(self, line: str) -> None:
        """Carry out one line and commit: no change of storage waits for the others."""
        if line.startswith(ADMIN_CMD):
            self._connection.call("SYSPROC.ADMIN_CMD", [line])
        elif is_remote(line):
            self._connection.execute(line)
        else:
            self._connection.call("STANDIN.HOST_COMMAND", [line])
        self._connection.commit()
