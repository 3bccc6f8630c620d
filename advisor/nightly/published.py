"""The folder of pages that the nightly job keeps: of the estate, of each database, of each rule; and metrics.prom.

Links are relative, so that it can lie on a file share or behind any web server. A page that would be the same is not
written, and pages of what is gone go, too; a file that is no page of this program stays.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from stat import S_IMODE

from advisor import files
from advisor.fleet import page as fleet_page
from advisor.fleet.estate import UNREAD, Surveyed, estate
from advisor.nightly import history, metrics
from advisor.nightly import page as history_page
from advisor.nightly.database import Outcome
from advisor.nightly.estate import of_run
from advisor.nightly.runs import Run
from advisor.nightly.verified import verified
from advisor.report import page as advice_page
from advisor.report.pages import FOOTER
from advisor.report.selection import select

INDEX, METRICS = "index.html", "metrics.prom"
DATABASES, HISTORY, RULES = "databases", "history", "rules"
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")  # of names that can be those of files as they are


@dataclass(frozen=True)
class Pages:
    """The folder; a page is named by its path in it. ``readers`` is the mode of the folder."""

    directory: Path
    readers: int

    @classmethod
    def in_folder(cls, directory: Path) -> "Pages":
        """Create the folder for its owner alone, unless the site has created it, and give those inside its mode."""
        readers = S_IMODE(files.folder(directory).stat().st_mode) & 0o2755
        for name in (DATABASES, HISTORY, RULES):
            inside = files.folder(directory / name)
            if S_IMODE(inside.stat().st_mode) != readers:
                inside.chmod(readers)
        return cls(directory, readers)

    def write(self, name: str, text: str) -> None:
        """Write a file for the users who may read the folder, unless it has this text already.

        Raises OSError or UserError, and then nothing has changed.
        """
        path = self.directory / name
        if not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != text:
            files.replace(path, text, files.PRIVATE | self.readers & 0o044)

    def has(self, name: str) -> bool:
        return (self.directory / name).is_file()

    def keep_only(self, folder: str, names: Iterable[str]) -> None:
        """Remove the pages of a folder that have other names."""
        wanted = {f"{name}.html" for name in names}
        for path in (self.directory / folder).glob("*.html"):
            if path.name not in wanted and FOOTER in path.read_text(encoding="utf-8", errors="replace"):
                path.unlink()


def publish(directory: Path, store: Path, names: Iterable[str], outcomes: Iterable[Outcome]) -> None:
    """Write the pages of the databases with these ``names``, of which the ``outcomes`` are those of this night.

    Raises OSError or UserError if the folder cannot be written.
    """
    pages, told = Pages.in_folder(directory), {outcome.database: outcome for outcome in outcomes}
    wanted = list(names)
    with history.opened(store) as kept:
        runs = {run.database: run for run in kept.runs(last=1) if run.database in wanted}
    for name in wanted:
        _of_database(pages, store, name, told.get(name), name in runs)
    known = [(_database(pages, name, runs.get(name), told.get(name)), runs.get(name)) for name in wanted]
    found = estate(one for one, _ in known)
    rules = dict(_rules(found.databases))
    for rule, text in rules.items():
        pages.write(f"{RULES}/{rule}.html", text)
    pages.write(INDEX, fleet_page.render(found, {rule: f"{RULES}/{rule}.html" for rule in rules}))
    pages.write(METRICS, metrics.render(known))
    pages.keep_only(RULES, rules)
    for folder in (DATABASES, HISTORY):
        pages.keep_only(folder, wanted)


def _of_database(pages: Pages, store: Path, name: str, outcome: Outcome | None, has_run: bool) -> None:
    """The pages of a database, where this night has something new of it."""
    advice, past = f"{DATABASES}/{name}.html", f"{HISTORY}/{name}.html"
    fresh = outcome is not None and outcome.run is not None and outcome.fresh
    if has_run and (fresh or not pages.has(past)):
        with history.opened(store) as kept:
            changes, regressions = verified(kept, name), list(kept.regressions(name).values())
            text = history_page.render(kept.runs(name), changes, {name: regressions}, links=_links(name, DATABASES))
        pages.write(past, text)
    if outcome is not None and outcome.advice is not None:
        pages.write(advice, advice_page.render(select(outcome.advice), links=_links(name, HISTORY)))


def _links(name: str, other: str) -> Mapping[str, str]:
    """From a page of a database to the estate and to its other page."""
    said = {DATABASES: "Last advice", HISTORY: "History"}
    return {"All databases": f"../{INDEX}", said[other]: f"../{other}/{name}.html"}


def _database(pages: Pages, name: str, run: Run | None, outcome: Outcome | None) -> Surveyed:
    error = outcome.error if outcome else None
    if run is None:
        return Surveyed(name, error=error or "there is no run of it yet")
    link = next((page for folder in (DATABASES, HISTORY) if pages.has(page := f"{folder}/{name}.html")), None)
    found = replace(of_run(run), link=link)
    return replace(found, error=error, health=UNREAD) if error else found


def _rules(databases: Iterable[Surveyed]) -> Iterator[tuple[str, str]]:
    on: dict[str, list[Surveyed]] = {}
    for database in databases:
        for rule in dict.fromkeys(item.rule for item in database.found):
            on.setdefault(rule, []).append(database)
    for rule, found in on.items():
        if _FILE.fullmatch(rule):
            yield rule, fleet_page.of_rule(rule, found, links={"All databases": f"../{INDEX}"})
