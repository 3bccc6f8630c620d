"""Columns of every computed view, read from an empty database."""

from functools import cache

from advisor.catalogue.embedded import open_tables
from advisor.catalogue.options import option_views
from advisor.catalogue.rules import all_rules
from advisor.catalogue.views import model_views, rank_views


@cache
def view_columns() -> dict[str, list[str]]:
    """Return the column names of the views in sql/model/ and sql/rank/, in order."""
    views = model_views() | rank_views()
    with open_tables() as tables:
        tables.define(option_views(list(all_rules().values())))
        for name, select in views.items():
            tables.store(name, select)
        return {name: list(tables.describe(f"SELECT * FROM TUNE.{name}")) for name in views}
