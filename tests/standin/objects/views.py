"""Views: from their text to their columns and the DuckDB view."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.standin.objects.definitions import Name, View, quoted
from tests.standin.objects.registry import RELATION
from tests.standin.sql import compile_view

if TYPE_CHECKING:
    from tests.standin.objects.database import Database
    from tests.standin.objects.define import Definer
    from tests.standin.objects.names import Resolver


def define(view: View, names: "Resolver") -> View:
    """The view as its text now gives it: its columns, what it reads and its query for DuckDB."""
    compiled = compile_view(view.query, names, view.listed)
    parts = {"columns": compiled.columns, "uses": compiled.uses, "duckdb": compiled.text, "some": compiled.some}
    return replace(view, **parts, valid=True, fresh=True)


def show(run: "Definer", view: View, is_there: bool) -> None:
    """Show a view, or hide it unless ``is_there``; call this before the registry records its own change."""
    name = Name(view.schema, view.name)
    drop = f"DROP VIEW IF EXISTS {quoted(*name)}"
    unmade, connection = run.database.unmade, run.storage.connection
    if is_there:
        unmade.add(name)
    else:
        unmade.discard(name)
        connection.execute(drop)

    def undo() -> None:
        unmade.discard(name)
        connection.execute(drop)
        run.registry.spoil(view.schema, view.name)

    run.work.record(undo)


def make(database: "Database", names: Iterable[Name]) -> None:
    """Make those DuckDB views among these that are not made yet, each after those that it reads.

    A view is made where another view that is read first reads it: DuckDB takes longer for it than for anything else of an
    installation, and takes it only when all that it reads is there.
    """
    for name in names:
        if name in database.unmade:
            view = database.registry.find(RELATION, name)
            assert isinstance(view, View)
            make(database, (Name(use.schema, use.name) for use in view.uses))
            listed = ", ".join(quoted(column.name) for column in view.columns)
            database.connection.execute(f"CREATE OR REPLACE VIEW {quoted(*name)} ({listed}) AS {view.duckdb}")
            database.unmade.discard(name)
