"""Host facts into schema TUNE of a database."""

from advisor.connection import Connection
from advisor.errors import UserError
from advisor.failures import Db2Failure
from advisor.hostfacts.rows import Facts, renamed
from advisor.sources import all_sources

_HOSTS = "SELECT DISTINCT X.HOST_NAME FROM ({}) AS X WITH UR"
_NOT_INSTALLED = ("SQL0440N", "SQL0204N")


def load(connection: Connection, facts: Facts) -> None:
    """Set every fact, all of them or none; the others that are there stay."""
    hosts = {str(row[0]) for row in connection.rows(_HOSTS.format(all_sources()["system"].statement()))}
    try:
        for key, value in renamed(facts, hosts).items():
            connection.call("TUNE.SET_HOSTFACTS", [*key, value])
    except Db2Failure as failure:
        connection.rollback()
        if failure.id in _NOT_INSTALLED:
            raise UserError(
                "TUNE.SET_HOSTFACTS is not installed here or not granted; db2tune install, or GRANT EXECUTE"
            ) from None
        raise
    connection.commit()
