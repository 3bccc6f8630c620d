"""Rows of a run's tables, made from a capture."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from advisor.capture.lessons import Lesson
from advisor.capture.manifest import Snapshot
from advisor.capture.site import Accepted
from advisor.catalogue.levels import level_number
from advisor.catalogue.options import Overrides
from advisor.catalogue.rows import Row

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables


class State(Protocol):
    """One database over one interval; ``load`` fills the tables of its sources.

    ``columns`` lists the collected columns per source; empty means that the source was not collected.
    """

    @property
    def snapshots(self) -> Sequence[Snapshot]: ...
    @property
    def database(self) -> dict[str, Any]: ...
    @property
    def columns(self) -> dict[str, list[str]]: ...
    @property
    def not_collected(self) -> dict[str, str]: ...
    @property
    def skipped(self) -> Mapping[str, str]: ...
    @property
    def options(self) -> Overrides: ...
    @property
    def accepted(self) -> tuple[Accepted, ...]: ...
    @property
    def lessons(self) -> tuple[Lesson, ...]: ...
    @property
    def imported_rows(self) -> Mapping[str, int]: ...
    @property
    def rows(self) -> int: ...
    def load(self, tables: "Tables") -> None: ...


def run_rows(capture: State) -> Iterator[tuple[str, Row]]:
    """Yield the rows that describe the run: its two snapshots, its database and its sources."""
    begin, end = capture.snapshots[0], capture.snapshots[-1]
    single = begin is end
    epochs = None if single else begin.epoch_s, end.epoch_s
    yield "RUN_SNAPSHOT", (None if single else begin.id, end.id, *epochs, end.taken_at.date().isoformat(), None)
    yield "CHANGE_SPAN", (None if single else begin.id, end.id)
    database = capture.database
    yield (
        "RUN_DATABASE",
        (
            database["name"],
            database["host"],
            database["instance"],
            None if database["level"] is None else level_number(database["level"]),
            database["platform"],
            database["topology"],
            database.get("runs_on"),
        ),
    )
    for name, present in capture.columns.items():
        for column in present:
            yield "SOURCE_COLUMN", (name, column)
        if not present:
            yield "NOT_COLLECTED", (name, capture.not_collected.get(name, "not in the capture"))


def acceptance_rows(capture: State) -> Iterator[tuple[str, Row]]:
    """Yield the accepted risks, as of the end of the interval."""
    at = capture.snapshots[-1].taken_at.replace(tzinfo=None).isoformat()
    for risk in capture.accepted:
        until = None if risk.until is None else risk.until.isoformat()
        yield "ACCEPTED", (risk.rule, risk.object, risk.reason, until, risk.by, at)
