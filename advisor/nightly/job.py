"""The nightly job: the run of every database, then the pages and notifications."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from advisor.errors import EXIT_FOUND, EXIT_NO_CONNECTION, UserError, reason
from advisor.files import create_private_files, folder, temporary
from advisor.nightly import database, history, notify, published
from advisor.nightly.clock import Clock
from advisor.nightly.config import Config, Database
from advisor.nightly.database import Outcome
from advisor.patience import raise_woken
from advisor.progress import track
from advisor.report import pictures


@dataclass(frozen=True)
class Night:
    """The result of the job; ``failed`` are the pages and notifications that failed, each with its reason."""

    started_at: datetime
    outcomes: list[Outcome]
    found: bool
    failed: list[str]

    @property
    def exit_status(self) -> int:
        if self.failed or any(outcome.error for outcome in self.outcomes):
            return EXIT_NO_CONNECTION
        return EXIT_FOUND if self.found else 0


def run(config: Config, only: str | None = None, again: bool = False, clock: Clock | None = None) -> Night:
    """Run the databases, ``parallel`` of them at a time, and notify.

    Run each database once per night unless ``again`` is set, and notify once per run.
    """
    clock = clock or Clock()
    chosen = _choose_databases(config, only)
    folder(config.store)
    with history.open_history(config.store, copy=True):  # a damaged store fails here, once for all databases
        pass
    started = clock.now()
    also = pictures.statements() if config.pages else None
    night = partial(database.run, store=config.store, clock=clock, again=again, also=also)
    with create_private_files():
        outcomes = _run_parallel(config.parallel, night, chosen)
    found = any(
        outcome.run.reaches_threshold(each.fail_on)
        for outcome, each in zip(outcomes, chosen, strict=True)
        if outcome.run
    )
    failed = [*_publish(config, outcomes), *_notify(config, started, outcomes)]
    return Night(started, outcomes, found, failed)


def survey(config: Config, clock: Clock | None = None) -> list[Outcome]:
    """Read and judge each database as in a night, but store and send nothing."""
    with temporary() as store:
        night = partial(database.run, store=store, clock=clock or Clock())
        return _run_parallel(config.parallel, night, config.databases)


def _choose_databases(config: Config, only: str | None) -> list[Database]:
    chosen = [each for each in config.databases if only in (None, each.name)]
    if not chosen:
        names = ", ".join(each.name for each in config.databases)
        raise UserError(f"--only {only}: no such database; choose from {names}")
    return chosen


def _run_parallel(parallel: int, night: Callable[[Database], Outcome], chosen: Sequence[Database]) -> list[Outcome]:
    if parallel == 1:
        return list(track("Databases", map(night, chosen), len(chosen)))
    with ThreadPoolExecutor(parallel) as pool:
        return list(track("Databases", pool.map(night, chosen), len(chosen)))


def _publish(config: Config, outcomes: list[Outcome]) -> list[str]:
    """Write the pages if the file configures them; return the failures, one line each."""
    if config.pages is None:
        return []
    try:
        published.publish(config.pages, config.store, [each.name for each in config.databases], outcomes)
    except Exception as error:
        raise_woken()
        return [f"pages: {reason(error)}"]
    return []


def _notify(config: Config, started: datetime, outcomes: list[Outcome]) -> list[str]:
    """Send new results through each channel; return the failures, one line each."""
    with history.open_history(config.store) as kept:
        runs = kept.load_last_numbers()
        what = {outcome.database: _notification_key(outcome, started, runs) for outcome in outcomes}
        due = [way for way in notify.ways(config) if not what.items() <= kept.load_notifications(way).items()]
    failed = []
    for way in due:
        if reason := notify.tell(config, way, started, outcomes):
            failed.append(reason)
            continue
        with history.open_history(config.store) as kept:
            kept.record_notifications(way, what)
    return failed


def _notification_key(outcome: Outcome, started: datetime, runs: dict[str, int]) -> str:
    """Return the key that identifies a notification: the run, or the error of a night."""
    if outcome.error:
        return f"{started:%Y-%m-%d}: {outcome.error}"
    return f"run {runs.get(outcome.database)}"
