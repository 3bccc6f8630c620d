"""Execution of commands over a connection, each at its receiver."""

from advisor.catalogue.commands import recipient
from advisor.db2.connection import Connection
from tests.standin.commands import is_command
from tests.standin.commands.host import Fact, Host, facts_of
from tests.standin.commands.platforms import host_commands

# The receiver of a command, by its first words; everything else is an SQL statement.
ADMIN_CMD = ("UPDATE DB CFG ", "REDISTRIBUTE ")
HOST = ("db2set ", "db2start", "db2stop", "ACTIVATE ", "ATTACH ", "DETACH", "UPDATE DBM CFG ")


def is_remote(line: str) -> bool:
    """Return whether a line needs only a connection, and no command on the host."""
    return is_command(line) and not line.startswith(HOST) and recipient(line) is None and facts_of(line) is None


class ThroughDriver:
    """An executor of commands over one connection.

    The fake server's host runs commands for the host and text for a person, because Db2 has no such procedure. TUNE
    gets the operating system's new settings as its collector would find them.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.host: str | None = None

    def carry_out(self, line: str) -> None:
        """Execute one line and commit: a change of storage does not wait for later lines."""
        if recipient(line):
            ((database,),) = self._connection.rows("VALUES CURRENT SERVER")
            for command in host_commands(line, database.rstrip()) or ():
                self.carry_out(command)
            return
        if line.startswith(ADMIN_CMD):
            self._connection.call("SYSPROC.ADMIN_CMD", [line])
        elif is_command(line) and (facts := facts_of(line)) is not None:
            self._on_host(facts)
        elif is_remote(line):
            self._connection.execute(line)
        else:
            self._connection.call("STANDIN.HOST_COMMAND", [line])
        self._connection.commit()

    def _on_host(self, facts: list[Fact]) -> None:
        columns = ("HOST", "FACT_KEY", "ITEM", "VALUE")
        rows = self._connection.rows(f"SELECT {', '.join(columns)} FROM TUNE.HOSTFACT")
        known = [dict(zip(columns, row, strict=True)) for row in rows]
        Host({"hostfact": known}, self.host).carry_out(facts)
        for row in known:
            self._connection.execute(
                "UPDATE TUNE.HOSTFACT SET VALUE = ? WHERE HOST = ? AND FACT_KEY = ? AND ITEM = ?",
                [row["VALUE"], row["HOST"], row["FACT_KEY"], row["ITEM"]],
            )
