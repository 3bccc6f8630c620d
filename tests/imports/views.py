"""Rows of monitor views as printed, and as a state contains them."""

from advisor.catalogue.sources import all_sources
from tests.imports.printers.listing import HOLDS, shown
from tests.imports.reading import Reading
from tests.support.states import State


def own(result: Reading, source: str) -> list[dict[str, str]]:
    """Return the rows of a source from its views, in key order, one row per key."""
    views = {view.removeprefix("TABLE(").partition("(")[0].rpartition(".")[2] for view in shown(source)} | {"DBCFG"}
    numbers = {str(report.number) for report in result.reports if report.format.removeprefix("listing of ") in views}
    merged: dict[tuple[str, ...], dict[str, str]] = {}
    for row in result.rows.get(source, []):
        if row["REPORT"] in numbers:
            key = tuple(row.get(name, "0") for name in all_sources()[source].names("key"))
            merged.setdefault(key, {}).update(row)
    return [{name: row[name] for name in HOLDS[source] if name in row} for _, row in sorted(merged.items())]


def expected(state: State, source: str) -> list[dict[str, str]]:
    keys = all_sources()[source].names("key")
    held = sorted(state.sources.get(source, []), key=lambda row: tuple(str(row[name]) for name in keys))
    return [{name: str(row[name]) for name in HOLDS[source] if row.get(name) is not None} for row in held]
