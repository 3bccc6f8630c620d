"""A typed engine, DuckDB, that reads each statement of the rules: SQLite forgives mistakes of type.

It only plans statements, on empty tables. tests/support/h2.py compares results.
"""

from functools import cache

import duckdb

from advisor.catalogue.options import option_views
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.tables import run_tables, snapshot_columns
from advisor.catalogue.views import model_views, rank_views


@cache
def typed_tables() -> duckdb.DuckDBPyConnection:
    """Return a database with the tables of a run and every view as an empty table. Raise duckdb.Error for a bad type."""
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA TUNE")
    tables = {f"TUNE.{name}": columns for name, columns in run_tables().items()} | snapshot_columns()
    for name, columns in tables.items():
        connection.execute(f"CREATE TABLE {name} ({columns})")
    views = dict(option_views(list(all_rules().values())))
    views |= {f"TUNE.{name}": select for name, select in (model_views() | rank_views()).items()}
    for name, select in views.items():
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM (\n{select}\n) AS X LIMIT 0")
    return connection


def column_types() -> dict[str, dict[str, str]]:
    """Return the types of all columns, by table."""
    query = "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'TUNE'"
    found: dict[str, dict[str, str]] = {}
    for table, column, kind in typed_tables().execute(query).fetchall():
        found.setdefault(table, {})[column] = "BIGINT" if kind == "HUGEINT" else kind  # sums as in Db2
    return found


def plan_rule(rule: Rule) -> None:
    """Plan the statements of a rule. Raise duckdb.Error for a comparison or a calculation of different types."""
    for sql in (rule.select, rule.statement):
        typed_tables().execute(f"EXPLAIN {sql}")
