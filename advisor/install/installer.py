"""Installation and removal of schema TUNE."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from advisor import __version__
from advisor.catalogue.rules import Rule
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.errors import UserError
from advisor.install.refusals import Refusal, Refusals
from advisor.install.statement import run_statement
from advisor.install.statements import GRANTED_AGAIN, install_statements, uninstall_statements

_OBJECTS = "SELECT COUNT(*) FROM SYSCAT.TABLES AS T WHERE T.TABSCHEMA = 'TUNE'"
_VERSION_TABLE = _OBJECTS + " AND T.TABNAME = 'VERSION'"
LOCK_TIMEOUT_S = 10  # maximum wait for a catalog lock while holding others
_VERSION = "SELECT V.VERSION FROM TUNE.VERSION AS V ORDER BY V.INSTALLED_AT DESC FETCH FIRST 1 ROW ONLY"


class Installed(NamedTuple):
    """What Db2 refused, which TUNE.MISSING has, too, and the grants that an upgrade lost and repeated."""

    refused: list[Refusal]
    granted: list[str]


def read_installed_version(connection: Connection) -> str | None:
    """Return the installed version, or None. Raise UserError if schema TUNE contains other tables."""
    if _count(connection, _VERSION_TABLE):
        return next((str(row[0]) for row in connection.rows(_VERSION)), None)
    if _count(connection, _OBJECTS + " AND T.OWNER = SESSION_USER"):  # sql/install/schema.sql names any other owner
        raise UserError("schema TUNE contains tables that db2tune did not create; db2tune needs this schema for itself")
    return None


def require_installable(connection: Connection) -> None:
    """Raise UserError if schema TUNE contains other tables or a newer version."""
    before = read_installed_version(connection)
    if before is not None and _order(before) > _order(__version__):
        raise UserError(
            f"db2tune {before} is installed, which is newer than this version ({__version__}); use the newer one"
        )


def install(
    connection: Connection,
    tablespace: str | None = None,
    done: Callable[[int, int], None] = lambda *_: None,
    own: Sequence[Rule] = (),
    creates: bool = False,
) -> Installed:
    """Install or upgrade, with the site's ``own`` rules.

    ``done`` receives the number of completed statements and their total. Raise UserError, or Db2Failure if the core is
    refused. The units of work before the failed one stay: TUNE.ADVISE refuses to run until another installation has
    completed them.
    """
    require_installable(connection)
    refusals, granted = Refusals(), list[str]()
    connection.execute(f"SET CURRENT LOCK TIMEOUT {LOCK_TIMEOUT_S}")
    statements = install_statements(tablespace, own, creates)
    for number, statement in enumerate(statements, 1):
        try:
            if statement.section == "complete":
                refusals.write(connection)
            refusals.run(connection, statement)
            if statement.section == "granted":
                granted = [str(grant).strip() for (grant,) in connection.rows(GRANTED_AGAIN)]
        except Db2Failure:
            connection.rollback()
            raise
        done(number, len(statements))
    return Installed(refusals.found, granted)


def uninstall(connection: Connection) -> bool:
    """Remove schema TUNE with its content, also after an interrupted installation. Return False if it does not exist."""
    if read_installed_version(connection) is None and not _count(connection, _VERSION_TABLE):
        return False
    try:
        connection.execute(f"SET CURRENT LOCK TIMEOUT {LOCK_TIMEOUT_S}")
        for statement in uninstall_statements():
            run_statement(connection, statement)
    except Db2Failure:
        connection.rollback()
        raise
    return True


def _count(connection: Connection, sql: str) -> int:
    return int(next(iter(connection.rows(sql)))[0])


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
