"""Views: from their text to their columns and the DuckDB view."""

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.standin.objects.definitions import View, quoted
from tests.standin.sql import compile_view

if TYPE_CHECKING:
    from tests.standin.objects.define import Definer
    from tests.standin.objects.names import Resolver


def define(view: View, names: "Resolver") -> View:
    """The view as its text now gives it: its columns, what it reads and the DuckDB statement that creates it."""
    compiled = compile_view(view.query, names, view.listed)
    listed = ", ".join(quoted(column.name) for column in compiled.columns)
    name = quoted(view.schema, view.name)
    create = f"CREATE OR REPLACE VIEW {name} ({listed}) AS {compiled.text}"
    return replace(view, columns=compiled.columns, uses=compiled.uses, duckdb=create, valid=True, fresh=True)


def show(run: "Definer", view: View, is_there: bool) -> None:
    """Create or (not ``is_there``) drop the DuckDB view; recorded before the registry's own record.

    DuckDB takes a view only when all that it reads is there. While a unit of work is taken back that need not be so
    yet, so the view is made anew at its next use.
    """
    drop = f"DROP VIEW IF EXISTS {quoted(view.schema, view.name)}"
    run.storage.connection.execute(view.duckdb if is_there else drop)

    def undo() -> None:
        run.storage.connection.execute(drop)
        run.registry.spoil(view.schema, view.name)

    run.work.record(undo)
