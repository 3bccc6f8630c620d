"""The product's own SQL through the compiler of the stand-in: the same rows as on the embedded engine."""

from collections import Counter
from typing import Any

import duckdb
import pytest

from advisor import capture as captures
from advisor.capture.rows import run_rows
from advisor.catalogue.embedded import connect
from advisor.catalogue.options import option_rows, option_views
from advisor.catalogue.rows import rule_rows
from advisor.catalogue.rules import all_rules
from advisor.catalogue.sources import read_sources
from advisor.catalogue.tables import FINDING_COLUMNS
from advisor.catalogue.views import advice_views, candidate_views, model_views, next_choice, rank_views
from advisor.install.columns import view_columns
from advisor.judgement import run as engine
from advisor.judgement import steps
from tests.standin.sql import compile_statement, compile_view, duck_type, octets
from tests.support.paths import CAPTURES, kinds
from tests.support.run_tables import Catalog, Monitored, quoted

pytestmark = pytest.mark.full


class Product:
    """The pipeline of advisor.judgement.run, every statement of it compiled."""

    def __init__(self, capture: captures.Capture) -> None:
        self.rules = list(all_rules().values())
        self.catalog = Catalog()
        self.connection = connect()
        self.connection.execute(octets.macro(False))
        capture.load(self.connection)
        for table, row in (
            *run_rows(capture),
            *rule_rows(self.rules),
            *option_rows(self.rules, capture.options),
        ):
            self.connection.execute(f"INSERT INTO TUNE.{table} VALUES ({', '.join('?' * len(row))})", list(row))
        for name, select in option_views(self.rules):
            self._keep(name, select, [])
        for name, select in model_views().items():
            self._keep(f"TUNE.{name}", select, view_columns()[name])
        self._findings()
        for name, select in candidate_views().items():
            self._keep(f"TUNE.{name}", select, view_columns()[name])
        while steps.count_written(self._run(f"INSERT INTO TUNE.CHOSEN {next_choice()}")):
            pass
        for name, select in advice_views().items():
            self._keep(f"TUNE.{name}", select, view_columns()[name])

    def _keep(self, name: str, select: str, given: list[str]) -> None:
        compiled = compile_view(select, self.catalog, given)
        kind = "VIEW" if name.startswith(("TUNE.D_", "TUNE.L_")) else "TABLE"
        names = ", ".join(quoted(column.name) for column in compiled.columns)
        types = [str(column[1]) for column in self.connection.execute(compiled.text).description]
        assert types == [duck_type(column.type) for column in compiled.columns], name
        self.connection.execute(f"CREATE {kind} {quoted(name)} ({names}) AS {compiled.text}")
        self.catalog.columns[name] = compiled.columns

    def _findings(self) -> None:
        self._run(f"INSERT INTO TUNE.NOT_RUN {steps.COULD_NOT_RUN}")
        closed = {rule for (rule,) in self.connection.execute("SELECT RULE FROM TUNE.GATE").fetchall()}
        for rule in self.rules:
            names = ", ".join(FINDING_COLUMNS)
            compile_view(rule.statement, self.catalog, FINDING_COLUMNS)
            text = f"INSERT INTO TUNE.FINDING (RULE, {names}) SELECT '{rule.name}', X.* FROM ({rule.statement}\n) AS X"
            self._run(text, explained=rule.name in closed)

    def _run(self, sql: str, explained: bool = False) -> duckdb.DuckDBPyConnection:
        text = compile_statement(sql, self.catalog, None).text
        return self.connection.execute(f"EXPLAIN {text}" if explained else text)

    def rows(self, name: str) -> Counter[tuple[Any, ...]]:
        return rows_of(self.connection, name)


def rows_of(connection: duckdb.DuckDBPyConnection, name: str) -> Counter[tuple[Any, ...]]:
    rows = connection.execute(f"SELECT * FROM {quoted(name)}").fetchall()
    return Counter(tuple(rounded(value) for value in row) for row in rows)


def rounded(value: Any) -> Any:
    """Floats to nine digits."""
    return float(f"{value:.9g}") if isinstance(value, float) else value


@pytest.mark.parametrize("fixture", kinds())
def test_the_product_computes_what_the_engine_computes(fixture: str) -> None:
    with captures.open_capture(CAPTURES / fixture) as capture:
        product = Product(capture)
        connection = connect()
        engine.prepare(connection, capture, product.rules, model_views())
        tables = engine.OneState(connection)
        steps.run_rules(tables, product.rules)
        steps.rank(tables)
        names = ["FINDING", "NOT_RUN", *model_views(), *rank_views()]
        different = [name for name in names if product.rows(f"TUNE.{name}") != rows_of(connection, f"TUNE.{name}")]
        product.connection.close()
        connection.close()
    assert different == []


@pytest.mark.parametrize("name", sorted(read_sources()))
def test_a_source_fits_its_snapshot_table(name: str) -> None:
    source = read_sources()[name]
    columns = [column.name for column in source.columns]
    assert [column.name for column in compile_statement(source.statement(), Monitored(), None).columns] == columns
    insert = f"INSERT INTO {source.table} ({', '.join(columns)}) {source.statement()}"
    assert compile_statement(insert, Monitored(), None).kind == "insert"
