"""One SELECT over the views of the rules, and the list of these views."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor import capture as captures
from advisor.capture.site import Site
from advisor.catalogue.embedded import connect
from advisor.catalogue.views import descriptions, views_read_by
from advisor.errors import UserError
from advisor.judgement.failures import get_first_line
from advisor.judgement.run import prepare
from advisor.judgement.sql_faults import sql_fault

if TYPE_CHECKING:
    import duckdb

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Table:
    """The columns and rows of an answer."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


@dataclass(frozen=True)
class View:
    """A view of schema TUNE that rules read, with its description and its columns."""

    name: str
    description: str
    columns: tuple[str, ...]


def query(path: Path, statement: str, site: Site | None = None) -> Table:
    """Run one SELECT on a capture, without access to files. Raise UserError with the line of a fault."""
    import duckdb

    with captures.open_capture(path) as capture, connect() as connection:
        _check_statement(connection, statement)
        _build(connection, capture, site or Site(), _WORD.findall(statement.upper()))
        try:
            found = connection.execute(statement)
            return Table(_columns(found), found.fetchall())
        except duckdb.Error as error:
            raise UserError(sql_fault(error)) from None


def list_views(path: Path) -> list[View]:
    """Return the views with their columns, which are the same for each capture."""
    with captures.open_capture(path) as capture, connect() as connection:
        _build(connection, capture, Site(), descriptions())
        return [
            View(name, text, _columns(connection.execute(f"SELECT * FROM {name} LIMIT 0")))
            for name, text in descriptions().items()
        ]


def _build(
    connection: "duckdb.DuckDBPyConnection", capture: captures.Capture, site: Site, names: Iterable[str]
) -> None:
    """Load a capture and build the named views. Statements then need not name schema TUNE.

    Raise UserError if values of the capture make one of them fail.
    """
    connection.execute("SET schema = 'TUNE'")
    capture.adopt(site)
    views = views_read_by(f"TUNE.{name}" for name in names)
    for name, error in prepare(connection, capture, list(site.rules.values()), views).items():
        raise UserError(f"the capture contains invalid values: {name}: {get_first_line(error)}")


def _check_statement(connection: "duckdb.DuckDBPyConnection", statement: str) -> None:
    import duckdb

    try:
        kinds = [str(each.type).rpartition(".")[2] for each in connection.extract_statements(statement)]
    except duckdb.Error as error:
        raise UserError(sql_fault(error)) from None
    if len(kinds) != 1:
        raise UserError(f"expected one SELECT statement, got {len(kinds)} statements")
    if kinds != ["SELECT"]:
        raise UserError(f"expected a SELECT statement, got {kinds[0]}; statements cannot change anything")


def _columns(found: "duckdb.DuckDBPyConnection") -> tuple[str, ...]:
    return tuple(column[0] for column in found.description)
