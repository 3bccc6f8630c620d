"""Import of host facts into schema TUNE."""

from advisor.capture.hostfacts import Facts, rename_hosts
from advisor.catalogue.sources import all_sources
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.db2.in_database import require_procedure

_HOSTS = "SELECT DISTINCT X.HOST_NAME FROM ({}) AS X WITH UR"


def load(connection: Connection, facts: Facts) -> None:
    """Set all facts or, after an error, none. Keep other existing facts."""
    hosts = {str(row[0]) for row in connection.rows(_HOSTS.format(all_sources()["system"].reading("HOST_NAME")))}
    with require_procedure("TUNE.SET_HOSTFACTS"):
        try:
            for key, value in rename_hosts(facts, hosts).items():
                connection.call("TUNE.SET_HOSTFACTS", [*key, value])
        except Db2Failure:
            connection.rollback()
            raise
    connection.commit()
