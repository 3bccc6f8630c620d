"""One SELECT over the views of the rules, and the list of these views."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor import capture as captures
from advisor.capture.site import Site
from advisor.catalogue import embedded
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.views import descriptions, views_read_by
from advisor.errors import UserError
from advisor.judgement.failures import get_first_line
from advisor.judgement.run import prepare
from advisor.judgement.sql_faults import sql_fault

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables

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
    """Run one SELECT on a capture, which can only read the views. Raise UserError with the line of a fault."""
    import apsw

    with captures.open_capture(path) as capture, open_tables(boxed=True) as tables:
        _build(tables, capture, site or Site(), _WORD.findall(statement.upper()))
        with tables.box():
            try:
                if not tables.is_one_statement(statement):
                    raise UserError("expected one SELECT statement")
                return Table(tables.describe(statement), tables.fetch(statement))
            except apsw.AuthError:
                raise UserError("expected a SELECT of views; statements cannot change anything") from None
            except apsw.InterruptError:
                raise UserError(f"the statement ran longer than {embedded.STRANGER_S:g} s; select fewer rows") from None
            except apsw.Error as error:
                raise UserError(sql_fault(error, statement, tables)) from None


def list_views(path: Path) -> list[View]:
    """Return the views with their columns, which are the same for each capture."""
    with captures.open_capture(path) as capture, open_tables(boxed=True) as tables:
        _build(tables, capture, Site(), descriptions())
        return [
            View(name, text, tables.describe(f"SELECT * FROM TUNE.{name}")) for name, text in descriptions().items()
        ]


def _build(tables: "Tables", capture: captures.Capture, site: Site, names: Iterable[str]) -> None:
    """Load a capture and build the named views. Statements need not name schema TUNE.

    Raise UserError if values of the capture make one of them fail.
    """
    capture.adopt(site)
    views = views_read_by(f"TUNE.{name}" for name in names)
    for name, error in prepare(tables, capture, list(site.rules.values()), views).items():
        raise UserError(f"the capture contains invalid values: {name}: {get_first_line(error)}")
