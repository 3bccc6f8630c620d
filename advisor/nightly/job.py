"""The nightly job: every database of the list, then one summary for all outlets."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from advisor.errors import EXIT_FOUND, EXIT_NO_CONNECTION, UserError
from advisor.nightly import database, history
from advisor.nightly import notify as outlets
from advisor.nightly.clock import Clock
from advisor.nightly.config import Config, Database
from advisor.nightly.database import Outcome


@dataclass(frozen=True)
class Night:
    """What the job did; ``unheard`` are the outlets that failed, each with its reason."""

    started_at: datetime
    outcomes: list[Outcome]
    found: bool
    unheard: list[str]

    @property
    def exit_status(self) -> int:
        if self.unheard or any(outcome.error for outcome in self.outcomes):
            return EXIT_NO_CONNECTION
        return EXIT_FOUND if self.found else 0


def run(config: Config, only: str | None = None, again: bool = False, clock: Clock | None = None) -> Night:
    """Run the databases, ``parallel`` of them at a time, and tell the outlets.

    A run of the same night is not made twice unless ``again``; the outlets are told once of each run.
    """
    clock = clock or Clock()
    chosen = _chosen(config, only)
    config.store.mkdir(mode=0o700, parents=True, exist_ok=True)
    with history.opened(config.store):  # what is wrong with it is wrong for every database
        pass
    started = clock.now()
    night = partial(database.run, store=config.store, clock=clock, again=again)
    outcomes = _at_a_time(config.parallel, night, chosen)
    found = any(
        outcome.run.reaches(each.fail_on) for outcome, each in zip(outcomes, chosen, strict=True) if outcome.run
    )
    unheard = _tell(config, started, outcomes)
    return Night(started, outcomes, found, unheard)


def _chosen(config: Config, only: str | None) -> list[Database]:
    chosen = [each for each in config.databases if only in (None, each.name)]
    if not chosen:
        names = ", ".join(each.name for each in config.databases)
        raise UserError(f"--only {only}: no such database; there are {names}")
    return chosen


def _at_a_time(parallel: int, night: "partial[Outcome]", chosen: Iterable[Database]) -> list[Outcome]:
    if parallel == 1:
        return [night(each) for each in chosen]
    with ThreadPoolExecutor(parallel) as pool:
        return list(pool.map(night, chosen))


def _tell(config: Config, started: datetime, outcomes: list[Outcome]) -> list[str]:
    with history.opened(config.store) as kept:
        untold = kept.untold()
    if not any(outcome.error or outcome.database in untold for outcome in outcomes):
        return []
    unheard = outlets.tell(config, started, outcomes)
    if not unheard:
        with history.opened(config.store) as kept:
            kept.mark_told(outcome.database for outcome in outcomes if outcome.run)
    return unheard
