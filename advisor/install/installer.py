"""Runs the installation and its removal over a connection, in one transaction each: all of it or nothing."""

from collections.abc import Callable, Sequence

from advisor import __version__
from advisor.catalogue.rules import Rule
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.errors import UserError
from advisor.install.statements import install_statements, uninstall_statements

_OBJECTS = "SELECT COUNT(*) FROM SYSCAT.TABLES AS T WHERE T.TABSCHEMA = 'TUNE'"
_VERSION_TABLE = _OBJECTS + " AND T.TABNAME = 'VERSION'"
_AWAY = ("08", "40", "57", "58")  # classes of SQLSTATE that are no word of a view: lost, rolled back, no room, a fault
LOCK_TIMEOUT_S = 10  # nobody waits longer for a lock of the catalog, with others of it in hand
_VERSION = "SELECT V.VERSION FROM TUNE.VERSION AS V ORDER BY V.INSTALLED_AT DESC FETCH FIRST 1 ROW ONLY"


def installed_version(connection: Connection) -> str | None:
    """The version that is installed, None where there is none. Raises UserError where schema TUNE is somebody else's."""
    if _count(connection, _VERSION_TABLE):
        return next((str(row[0]) for row in connection.rows(_VERSION)), None)
    if _count(connection, _OBJECTS + " AND T.OWNER = SESSION_USER"):  # sql/install/owned.sql names any other owner
        raise UserError("schema TUNE holds tables that db2tune did not make; it needs a schema of that name to itself")
    return None


def may_install(connection: Connection) -> None:
    """Raises UserError where schema TUNE is somebody else's, or of a newer version."""
    before = installed_version(connection)
    if before is not None and _order(before) > _order(__version__):
        raise UserError(f"db2tune {before} is installed, which is newer than this one ({__version__}); use that one")


def install(
    connection: Connection,
    tablespace: str | None = None,
    done: Callable[[int, int], None] = lambda *_: None,
    own: Sequence[Rule] = (),
) -> list[tuple[str, str]]:
    """Install or upgrade, with rules of the site's ``own``; the rules whose views this server refused, with the reason.

    ``done`` is told how many statements have run, of how many. Raises UserError or Db2Failure, and then nothing
    has changed.
    """
    may_install(connection)
    refused = []
    connection.execute(f"SET CURRENT LOCK TIMEOUT {LOCK_TIMEOUT_S}")
    statements = install_statements(tablespace, own)
    for number, statement in enumerate(statements, 1):
        try:
            connection.execute(statement.text)
        except Db2Failure as failure:
            if statement.rule is None or failure.dropped or failure.sqlstate.startswith(_AWAY):
                connection.rollback()
                raise
            refused.append((statement.rule, str(failure)))
        done(number, len(statements))
    connection.commit()
    return refused


def uninstall(connection: Connection) -> bool:
    """Take schema TUNE out with all that is in it; False where it was not there."""
    if installed_version(connection) is None:
        return False
    try:
        connection.execute(f"SET CURRENT LOCK TIMEOUT {LOCK_TIMEOUT_S}")
        for statement in uninstall_statements():
            connection.execute(statement.text)
    except Db2Failure:
        connection.rollback()
        raise
    connection.commit()
    return True


def _count(connection: Connection, sql: str) -> int:
    return int(next(iter(connection.rows(sql)))[0])


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
