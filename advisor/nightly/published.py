"""The folder of HTML pages that the nightly job updates: fleet, databases and rules; also metrics.prom.

Links are relative, so the folder works on a file share or any web server. An unchanged page is not rewritten. Pages of
removed databases and rules are deleted; files that db2tune did not write stay.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from stat import S_IMODE

from advisor import files
from advisor.fleet import page as fleet_page
from advisor.fleet.estate import UNREAD, Surveyed, estate
from advisor.nightly import history, history_page, metrics
from advisor.nightly.config import INDEX
from advisor.nightly.database import Outcome
from advisor.nightly.estate import survey_last_runs
from advisor.report import page as advice_page
from advisor.report.pages import FOOTER
from advisor.report.selection import select
from advisor.verify.nights import verify_changes

METRICS = "metrics.prom"
DATABASES, HISTORY, RULES = "databases", "history", "rules"
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")  # names that are valid file names


@dataclass(frozen=True)
class Pages:
    """The folder. A page's name is its path in the folder; ``readers`` is the folder's mode."""

    directory: Path
    readers: int

    @classmethod
    def create_in(cls, directory: Path) -> "Pages":
        """Create the folder for its owner only, unless it exists; copy its mode to the folders inside."""
        readers = S_IMODE(files.folder(directory).stat().st_mode) & 0o2755
        for name in (DATABASES, HISTORY, RULES):
            inside = files.folder(directory / name)
            if S_IMODE(inside.stat().st_mode) != readers:
                inside.chmod(readers)
        return cls(directory, readers)

    def write(self, name: str, text: str) -> None:
        """Write a file for the users that may read the folder, unless the file already has this text.

        Raise OSError or UserError, and then change nothing.
        """
        path = self.directory / name
        if not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != text:
            files.replace(path, text, files.PRIVATE | self.readers & 0o044)

    def has(self, name: str) -> bool:
        return (self.directory / name).is_file()

    def keep_only(self, folder: str, names: Iterable[str]) -> None:
        """Remove the folder's other pages."""
        wanted = {f"{name}.html" for name in names}
        for path in (self.directory / folder).glob("*.html"):
            if path.name not in wanted and FOOTER in path.read_text(encoding="utf-8", errors="replace"):
                path.unlink()


def publish(directory: Path, store: Path, names: Iterable[str], outcomes: Iterable[Outcome]) -> None:
    """Write the pages of the databases with these ``names``; ``outcomes`` are the results of this night.

    Raise OSError or UserError if the folder cannot be written.
    """
    pages, told = Pages.create_in(directory), {outcome.database: outcome for outcome in outcomes}
    wanted = list(names)
    with history.open_history(store) as kept:
        last = survey_last_runs(kept)
    for name in wanted:
        _write_database(pages, store, name, told.get(name), name in last)
    kept_last = ((name, *last.get(name, (None, None))) for name in wanted)
    known = [(_database(pages, name, of, told.get(name)), run) for name, of, run in kept_last]
    found = estate(one for one, _ in known)
    rules = dict(_rules(found.databases))
    for rule, text in rules.items():
        pages.write(f"{RULES}/{rule}.html", text)
    pages.write(INDEX, fleet_page.render(found, {rule: f"{RULES}/{rule}.html" for rule in rules}))
    pages.write(METRICS, metrics.render(known))
    pages.keep_only(RULES, rules)
    for folder in (DATABASES, HISTORY):
        pages.keep_only(folder, wanted)


def _write_database(pages: Pages, store: Path, name: str, outcome: Outcome | None, has_run: bool) -> None:
    """Write the pages of a database if this night has new results."""
    advice, past = f"{DATABASES}/{name}.html", f"{HISTORY}/{name}.html"
    fresh = outcome is not None and outcome.run is not None and outcome.fresh
    if has_run and (fresh or not pages.has(past)):
        with history.open_history(store) as kept:
            changes = verify_changes(kept.measurements, name)
            regressions = list(kept.measurements.load_regressions(name).values())
            text = history_page.render(kept.runs(name), changes, {name: regressions}, links=_links(name, DATABASES))
        pages.write(past, text)
    if outcome is not None and outcome.advice is not None:
        pages.write(advice, advice_page.render(select(outcome.advice), links=_links(name, HISTORY)))


def _links(name: str, other: str) -> Mapping[str, str]:
    """Return the links from a database's page to the fleet and to its other page."""
    said = {DATABASES: "Last advice", HISTORY: "History"}
    return {"All databases": f"../{INDEX}", said[other]: f"../{other}/{name}.html"}


def _database(pages: Pages, name: str, last: Surveyed | None, outcome: Outcome | None) -> Surveyed:
    error = outcome.error if outcome else None
    if last is None:
        return Surveyed(name, error=error or "no run yet")
    link = next((page for folder in (DATABASES, HISTORY) if pages.has(page := f"{folder}/{name}.html")), None)
    found = replace(last, link=link, lists=pages.has(f"{DATABASES}/{name}.html"))
    return replace(found, error=error, health=UNREAD, new=None) if error else found


def _rules(databases: Iterable[Surveyed]) -> Iterator[tuple[str, str]]:
    on: dict[str, list[Surveyed]] = {}
    for database in databases:
        for rule in dict.fromkeys(item.rule for item in database.found):
            on.setdefault(rule, []).append(database)
    for rule, found in on.items():
        if _FILE.fullmatch(rule):
            yield rule, fleet_page.render_rule(rule, found, links={"All databases": f"../{INDEX}"})
