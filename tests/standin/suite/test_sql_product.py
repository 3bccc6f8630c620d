"""The product's own SQL through the compiler of the stand-in.

What it writes into tables, also into those of sorts and groupings, fits a page of 8 KB: else SQL1585N.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from advisor.catalogue.sources import read_sources
from advisor.install.statements import install_statements
from tests.standin.api import Compiled, Temporary
from tests.standin.backend import OWNER, PASSWORD, Backend
from tests.standin.objects.definitions import ROW_LIMIT, Table, row_width
from tests.standin.sql import compile_statement, kept
from tests.support.paths import CAPTURES
from tests.support.run_tables import Monitored

pytestmark = pytest.mark.full

MOST = ROW_LIMIT[8]  # docs/in-the-database.md promises that such pages are enough
ROWS_ONLY = ("COMMENT", "DELETE", "INSERT", "MERGE")  # statements that do not create or sort anything


class Sorted(NamedTuple):
    """A row that a statement has sorted, grouped or kept."""

    statement: str
    row: Temporary

    @property
    def width(self) -> int:
        return row_width((*self.row.columns, *self.row.keys))

    def __str__(self) -> str:
        query = f", {self.row.query}" if self.row.query else ""
        return f"{self.statement}{query}: {self.row.clause} of {self.width} bytes"


class Installed(NamedTuple):
    backend: Backend
    sorted: list[Sorted]


@pytest.fixture(scope="module")
def installed() -> Iterator[Installed]:
    """All objects of schema TUNE without their rows, and what was sorted in each view, cursor and statement of them."""
    backend = Backend.of(CAPTURES / "x445-8way")
    session = backend.connect(backend.database.name, OWNER, PASSWORD)
    assert session is not None
    found: list[Sorted] = []
    compiling = kept.compiled

    with pytest.MonkeyPatch.context() as patch:
        for statement in install_statements():
            if statement.text.startswith(ROWS_ONLY) or "70082" in statement.text:  # which misses these rows
                continue
            name = statement.text.split("\n")[0].partition(" (")[0].partition(" AS")[0]

            def noting(*given: Any, name: str = name) -> Compiled:
                compiled = compiling(*given)
                found.extend(Sorted(name, row) for row in compiled.temporaries)
                return compiled

            patch.setattr(kept, "compiled", noting)
            session.prepare(statement.text).execute()
    yield Installed(backend, found)
    session.close()


def test_what_is_sorted_or_grouped_fits_a_page(installed: Installed) -> None:
    found = set(installed.sorted)
    assert {"OVER", "GROUP BY", "DISTINCT", "ORDER BY", "read twice"} <= {one.row.clause for one in found}
    assert sorted(str(one) for one in found if one.width > MOST) == []


def test_what_a_snapshot_sorts_fits_a_page() -> None:
    found = [
        Sorted(name, row)
        for name, source in read_sources().items()
        for row in compile_statement(source.statement(), Monitored(), None).temporaries
    ]
    assert "statement" in {one.statement for one in found}
    assert [str(one) for one in found if one.width > MOST] == []


def test_the_rows_of_tables_fit_a_page(installed: Installed) -> None:
    objects = installed.backend.database.registry.objects.values()
    tables = {
        item.name: row_width(item.columns) for item in objects if isinstance(item, Table) and item.schema == "TUNE"
    }
    assert {"M_FINDING", "M_COMMAND", "M_ADVICE", "S_STATEMENT"} <= tables.keys()
    assert {name: width for name, width in tables.items() if width > MOST} == {}


pytestmark = pytest.mark.full


@pytest.mark.parametrize("name", sorted(read_sources()))
def test_a_source_fits_its_snapshot_table(name: str) -> None:
    source = read_sources()[name]
    columns = [column.name for column in source.columns]
    assert [column.name for column in compile_statement(source.statement(), Monitored(), None).columns] == columns
    insert = f"INSERT INTO {source.table} ({', '.join(columns)}) {source.statement()}"
    assert compile_statement(insert, Monitored(), None).kind == "insert"
