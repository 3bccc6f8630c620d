"""Host facts into schema TUNE of a database."""

from advisor.connection import Connection
from advisor.failures import Db2Failure
from advisor.hostfacts.rows import Facts, renamed
from advisor.inside import installed
from advisor.sources import all_sources

_HOSTS = "SELECT DISTINCT X.HOST_NAME FROM ({}) AS X WITH UR"


def load(connection: Connection, facts: Facts) -> None:
    """Set every fact, all of them or none; the others that are there stay."""
    hosts = {str(row[0]) for row in connection.rows(_HOSTS.format(all_sources()["system"].statement()))}
    with installed("TUNE.SET_HOSTFACTS"):
        try:
            for key, value in renamed(facts, hosts).items():
                connection.call("TUNE.SET_HOSTFACTS", [*key, value])
        except Db2Failure:
            connection.rollback()
            raise
    connection.commit()
