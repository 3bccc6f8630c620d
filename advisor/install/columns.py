"""Columns of every computed view, read from an empty DuckDB database."""

from functools import cache

from advisor.catalogue.embedded import connect
from advisor.catalogue.options import option_views
from advisor.catalogue.rules import all_rules
from advisor.catalogue.tables import snapshot_columns
from advisor.catalogue.views import model_views, rank_views


@cache
def view_columns() -> dict[str, list[str]]:
    """Return the column names of the views in sql/model/ and sql/rank/, in order."""
    connection = connect()
    try:
        for table, columns in snapshot_columns().items():
            connection.execute(f"CREATE TABLE {table} ({columns})")
        for name, select in option_views(list(all_rules().values())):
            connection.execute(f"CREATE VIEW {name} AS {select}")
        found = {}
        for name, select in (model_views() | rank_views()).items():
            connection.execute(f"CREATE TABLE TUNE.{name} AS {select}")
            found[name] = [row[0] for row in connection.execute(f"DESCRIBE TUNE.{name}").fetchall()]
        return found
    finally:
        connection.close()
