"""The product's own SQL through the compiler of the stand-in."""

import pytest

from advisor.catalogue.sources import read_sources
from tests.standin.sql import compile_statement
from tests.support.run_tables import Monitored

pytestmark = pytest.mark.full


@pytest.mark.parametrize("name", sorted(read_sources()))
def test_a_source_fits_its_snapshot_table(name: str) -> None:
    source = read_sources()[name]
    columns = [column.name for column in source.columns]
    assert [column.name for column in compile_statement(source.statement(), Monitored(), None).columns] == columns
    insert = f"INSERT INTO {source.table} ({', '.join(columns)}) {source.statement()}"
    assert compile_statement(insert, Monitored(), None).kind == "insert"
