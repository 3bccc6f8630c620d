"""The views of sql/model/ and sql/rank/ in the order of their dependencies, and those of sql/run/."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from itertools import takewhile
from pathlib import Path

from advisor.catalogue.deltas import counter_check, delta_view, last_view
from advisor.catalogue.options import site_option_view
from advisor.catalogue.settings import setting_views
from advisor.catalogue.sources import all_sources
from advisor.catalogue.sqltext import references
from advisor.resources import SQL, query, sections

CHOICE = "NEXT_CHOICE"
COLUMN = re.compile(r"^(?P<names>[A-Z][A-Z0-9_, ]*): .*(?:\n .*)*", re.MULTILINE)  # that a comment defines


@cache
def model_files() -> dict[str, Path]:
    """Return the files of sql/model/ by the names of their views; the folder of a file is its group."""
    return {path.stem.upper(): path for path in sorted((SQL / "model").glob("*/*.sql"), key=lambda path: path.stem)}


@cache
def model_views() -> dict[str, str]:
    """Return the SELECT of every window view by its name, deltas included, each after those that it reads."""
    views = {name: path.read_text(encoding="utf-8") for name, path in model_files().items()}
    sources = list(all_sources().values())
    views |= {f"D_{source.name.upper()}": delta_view(source) for source in sources}
    views |= {f"L_{source.name.upper()}": last_view(source) for source in sources if source.names("counter")}
    views |= {"COUNTER_CHECK": counter_check(sources), "O_SITE": site_option_view()}
    return _sort_views(views)


@cache
def descriptions() -> dict[str, str]:
    """Return a description of every view that all rules can read, by name: the model, the site's options, the sources."""
    found = {name: describe(path) for name, path in model_files().items()}
    found["O_SITE"] = "The options of the site, one row."
    for source in all_sources().values():
        name, text = source.name.upper(), describe(SQL / "collect" / f"{source.name}.sql")
        found[f"D_{name}"] = f"S_{name} at the end of the interval; counters are differences over the interval."
        if source.names("counter"):
            found[f"L_{name}"] = f"S_{name} at the end of the interval, without counters."
        found[f"S_{name}"] = f"Per snapshot (SNAP_ID), from {source.db2_object}: {text}"
    return found


def describe(path: Path) -> str:
    """Return the comment at the top of a file: its first paragraph, and the columns that it defines."""
    lines = [line[3:] for line in takewhile(lambda line: line.startswith("--"), path.read_text("utf-8").splitlines())]
    first, _, rest = "\n".join(lines).partition("\n\n")
    columns = COLUMN.finditer(rest)
    return " ".join(" ".join(text.split()) for text in (first, *(f"{column[0]}." for column in columns)))


@cache
def rank_views() -> dict[str, str]:
    """Return the SELECT of every ranking view except the one that chooses, by name, each after those that it reads."""
    views = {path.stem.upper(): path.read_text(encoding="utf-8") for path in (SQL / "rank").glob("*.sql")}
    del views[CHOICE]
    return _sort_views(views | setting_views())


@cache
def next_choice() -> str:
    """Return the SELECT of the next row of CHOSEN, which is empty when all are chosen."""
    return (SQL / "rank" / f"{CHOICE.lower()}.sql").read_text(encoding="utf-8")


@cache
def quiet_interval() -> str:
    """Return the SELECT of the seconds of an interval with too little load; it has a row only then."""
    return query("run/scope", "quiet_interval")


@cache
def run_views() -> dict[str, str]:
    """Return the SELECT of every view about the runs of a database, by name."""
    files = sorted((SQL / "run").glob("*.sql"))
    return {name.upper(): text for path in files for name, text in sections(path).items()}


@cache
def candidate_views() -> dict[str, str]:
    """Return the ranking views that are computed before anything is chosen."""
    return {name: sql for name, sql in rank_views().items() if name not in advice_views()}


@cache
def advice_views() -> dict[str, str]:
    """Return the ranking views that read the choice, directly or through others."""
    found: dict[str, str] = {}
    for name, sql in rank_views().items():
        if references(sql) & {"CHOSEN", *found}:
            found[name] = sql
    return found


def views_read_by(statements: Iterable[str]) -> dict[str, str]:
    """Return the window views that statements read, directly or through others, each after those that it reads."""
    views = model_views()
    wanted, found = {name for sql in statements for name in references(sql)}, set[str]()
    while wanted := (wanted & views.keys()) - found:
        found |= wanted
        wanted = {name for view in wanted for name in references(views[view])}
    return {name: select for name, select in views.items() if name in found}


def batches(views: dict[str, str]) -> Iterator[dict[str, str]]:
    """Return the views in groups: each reads only those of earlier groups, so a group can be computed in parallel."""
    sorter = TopologicalSorter({name: sorted(references(sql) & views.keys()) for name, sql in sorted(views.items())})
    sorter.prepare()
    while names := sorter.get_ready():
        yield {name: views[name] for name in names}
        sorter.done(*names)


def _sort_views(views: dict[str, str]) -> dict[str, str]:
    return {name: sql for batch in batches(views) for name, sql in batch.items()}
