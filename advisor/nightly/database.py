"""The run of one database: lock, two snapshots, advice, history, comparison and verdicts."""

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from advisor import files
from advisor.capture.hostfacts import Facts
from advisor.capture.lessons import DatabaseKey
from advisor.capture.manifest import SUFFIX
from advisor.capture.site import Site
from advisor.db2.connection import STATEMENT_TIMEOUT_S, Connection
from advisor.errors import UserError, reason
from advisor.hostfacts.files import read_facts
from advisor.judgement.advice import Advice
from advisor.judgement.lessons import attach_warnings
from advisor.judgement.weeks import read_periods
from advisor.nightly import history, reading
from advisor.nightly.changed import attach_promises
from advisor.nightly.clock import Clock
from advisor.nightly.config import Database
from advisor.nightly.history_show import list_lasting
from advisor.nightly.runs import Run, run_of
from advisor.patience import raise_woken
from advisor.site.files import site_of
from advisor.verify import changed
from advisor.verify.changed import Change
from advisor.verify.nights import Verified, settle, verify_changes
from advisor.verify.promises import sum_figures
from advisor.verify.reading import measure_captures
from advisor.verify.regressed import Regressed
from advisor.verify.statements import SlowerPlan, find_slower_plans
from advisor.verify.unexplained import find_regression

STAMP = "%Y-%m-%dT%H%M%S"
FAILING = "failing"  # a file with the first night that failed, until one succeeds
_STAMPED = re.compile(r"\d{1,4}-\d\d-\d\dT\d{6}")


@dataclass
class Outcome:
    """The result of one database: ``run`` and the previous run ``before``, or ``error`` in one line.

    ``judged`` is the last earlier run with a usable interval: advice and time are ``compared`` with it, if there is one.
    ``changes`` are the settings that changed since the previous run, or None if they are unknown. ``fresh`` is False if
    the run was made earlier in the same night. ``verdicts`` excludes verdicts that became final in earlier nights.
    ``regressed`` is a regression, and ``slower_plans`` are statements, that this run shows first. ``advice`` is the advice
    of this run, if it is fresh. ``since`` is the first night of earlier advice, by its key; ``failing_since`` is the first
    of the last nights that failed, if there are several.
    """

    database: str
    run: Run | None = None
    before: Run | None = None
    judged: Run | None = None
    error: str | None = None
    changes: list[Change] | None = None
    fresh: bool = True
    notes: list[str] = field(default_factory=list)
    verdicts: list[Verified] = field(default_factory=list)
    regressed: Regressed | None = None
    slower_plans: list[SlowerPlan] = field(default_factory=list)
    advice: Advice | None = None
    since: dict[tuple[str, str, str], date] = field(default_factory=dict)
    failing_since: date | None = None

    @property
    def compared(self) -> Run | None:
        return self.judged or self.before


def run(
    database: Database, store: Path, clock: Clock, again: bool = False, also: Mapping[str, str] | None = None
) -> Outcome:
    """Run one database. An error becomes its outcome, so that the other databases still run.

    ``also`` are additional queries for the charts of its page.
    """
    outcome = Outcome(database.name)
    try:
        with _lock_database(store / database.name, clock):
            _run(outcome, database, store, clock, again, also or {})
        (store / database.name / FAILING).unlink(missing_ok=True)
    except Exception as error:
        if not isinstance(error, UserError | OSError):
            raise_woken()
        outcome.error = reason(error)
        with suppress(OSError, UserError, ValueError):
            outcome.failing_since = _note_failure(store / database.name / FAILING, clock.now().date())
    return outcome


def _note_failure(file: Path, night: date) -> date | None:
    """Return the first of the nights that failed, or None and store it if that is this one."""
    if not file.exists():
        files.replace(file, night.isoformat(), files.PRIVATE)
    first = date.fromisoformat(file.read_text(encoding="utf-8"))
    return first if first < night else None


def _run(  # noqa: PLR0913, PLR0917 -- the parts of a night
    outcome: Outcome, database: Database, store: Path, clock: Clock, again: bool, also: Mapping[str, str]
) -> None:
    started = clock.now()
    folder = store / database.name
    with history.open_history(store) as kept:
        earlier, lessons = kept.runs(database.name), kept.lessons.load()
    facts, site = read_facts(database.hostfacts), replace(site_of(database.options), lessons=lessons)
    if earlier and earlier[-1].started_at > started:
        outcome.notes.append(
            f"this machine's clock went back: the last run started {_format_time(earlier[-1].started_at)}"
        )
    if earlier and earlier[-1].started_at.date() == started.date() and not again:
        _note_changes(outcome, earlier)
        _compare_settings(outcome, folder, facts, site)
        return
    if database.in_database:
        reader: reading.Reader = reading.InDatabase(folder, outcome.notes.append, also)
    else:
        target = folder / f"{started.strftime(STAMP)}{SUFFIX}"
        reader = reading.ByCapture(folder, target, facts, site, also)
    deadline = time.monotonic() + database.timeout_s
    # a procedure of schema TUNE reads every source in one statement
    longest_s = database.timeout_s if database.in_database else STATEMENT_TIMEOUT_S

    def connect() -> Connection:
        secret = database.password.find(database.address)
        connection = reading.Bounded(database.address, secret, statement_timeout_s=longest_s)
        connection.deadline = deadline
        return connection

    judged = reading.read(reader, connect, database.interval_s, clock.wait, outcome.notes.append)
    capture = judged.capture.name if judged.capture else None
    advice = attach_warnings(judged.advice, lessons) if database.in_database else judged.advice
    outcome.run = run_of(database.name, started, advice, judged.metrics, capture)
    outcome.changes, outcome.advice = judged.changes, advice
    with history.open_history(store) as kept:
        number = kept.add(outcome.run)
    reader.forget()
    compare_with(outcome, earlier)
    if database.in_database and outcome.changes and outcome.before:
        outcome.changes = attach_promises(outcome.changes, outcome.before.lines)
    _compare_settings(outcome, folder, facts, site)
    _verify(outcome, number, judged, folder, store, site)
    _prune(outcome, database, store, connect)


def _note_changes(outcome: Outcome, earlier: list[Run]) -> None:
    outcome.run = earlier[-1]
    outcome.fresh = False
    outcome.notes.append(f"this night's run started {_format_time(outcome.run.started_at)}; --now starts another one")
    compare_with(outcome, earlier[:-1])


def compare_with(outcome: Outcome, earlier: list[Run]) -> None:
    """Compare with the previous runs, unless the name now belongs to another database."""
    own = [each for each in earlier if outcome.run and each.identity == outcome.run.identity]
    outcome.since = {item.line.key: item.first_seen.date() for item in list_lasting(own)}
    if own[-1:] == earlier[-1:]:
        outcome.before = own[-1] if own else None
        outcome.judged = next((each for each in reversed(own) if each.discarded is None), None)
    else:
        outcome.notes.append(f"not compared: the previous run read another database, {earlier[-1].about}")


def _compare_settings(outcome: Outcome, folder: Path, facts: Facts, site: Site) -> None:
    """Compare the settings with the previous run's capture, if it still exists."""
    if outcome.before is None or outcome.before.capture is None or outcome.run is None or outcome.run.capture is None:
        return
    before = folder / outcome.before.capture
    if not before.is_file():
        outcome.notes.append(f"changed settings are unknown: {before.name} no longer exists")
        return
    try:
        outcome.changes, not_compared = changed.find_changes(before, folder / outcome.run.capture, facts, site)
    except UserError as error:
        outcome.notes.append(f"changed settings are unknown: {error}")
        return
    outcome.notes += [f"not compared: {source}, {reason}" for source, reason in not_compared.items()]


def _verify(  # noqa: PLR0913, PLR0917 -- the parts of a night
    outcome: Outcome, number: int, judged: reading.Judged, folder: Path, store: Path, site: Site
) -> None:
    """Store the measurements since the previous run, and judge the changes."""
    assert outcome.run is not None
    intervals = judged.measured
    if judged.capture:
        before = folder / outcome.before.capture if outcome.before and outcome.before.capture else None
        paths = [*([before] if before and before.is_file() else []), judged.capture]
        try:
            intervals = tuple(each for each in measure_captures(paths) if each.origins[-1] == str(judged.capture))
        except UserError as error:
            outcome.notes.append(f"changes cannot be verified: {error}")
    found = outcome.changes or [] if outcome.before else []
    with history.open_history(store) as kept:
        known = kept.measurements.load_changes(outcome.database).values()
    wanted = {promise.statement for of in (*known, found) for change in of for promise in change.promises}
    periods = read_periods([judged.capture], site, outcome.notes.append) if judged.capture and wanted else ()
    figures = sum_figures(periods, wanted)
    with history.open_history(store) as kept:
        kept.measurements.add(number, intervals, found, figures)
    with history.open_history(store) as kept:  # what was measured stays if its verdicts fail
        changes = verify_changes(kept.measurements, outcome.database)
        outcome.verdicts = [each for each in changes if each.verdict]
        settle(kept.measurements, outcome.verdicts, DatabaseKey(*outcome.run.identity))
        outcome.slower_plans = find_slower_plans(kept.measurements, outcome.database)
        outcome.regressed = find_regression(kept.measurements, outcome.database, changes, folder)
        if outcome.regressed:
            kept.measurements.add_regression(number, outcome.regressed)


def _prune(outcome: Outcome, database: Database, store: Path, connect: reading.Open) -> None:
    """Delete runs, captures and snapshots in schema TUNE that are older than the last ``keep_days`` nights."""
    with history.open_history(store) as kept:
        kept.prune(database.name, database.keep_days)
        wanted = {run.capture for run in kept.measurements.load_heads(database.name) if run.capture}
    for capture in (store / database.name).glob(f"*{SUFFIX}"):
        if capture.name not in wanted and _STAMPED.fullmatch(capture.stem):
            capture.unlink()
    if not database.in_database:
        return
    try:
        with connect() as connection:
            connection.call("TUNE.PURGE", [database.keep_days])
            connection.commit()
    except UserError as error:
        outcome.notes.append(f"TUNE.PURGE: {error}")


@contextmanager
def _lock_database(folder: Path, clock: Clock) -> Iterator[None]:
    """Lock this database. Raise UserError that names the process that holds the lock, and since when."""
    folder = files.folder(folder)
    with suppress(OSError):  # another user owns the folder
        folder.chmod(files.PRIVATE_FOLDER)
    holder = folder / "holder"
    try:
        with FileLock(folder / "lock", timeout=0):
            files.replace(holder, f"process {os.getpid()}, since {_format_time(clock.now())},", files.PRIVATE)
            try:
                yield
            finally:
                holder.unlink(missing_ok=True)
    except Timeout:
        who = holder.read_text(encoding="utf-8") if holder.is_file() else "another process"
        raise UserError(f"{who} is processing this database; skipped") from None


def _format_time(moment: datetime) -> str:
    return moment.isoformat(" ", "seconds")
