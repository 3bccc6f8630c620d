"""What a capture says of a run, as rows of the run's tables."""

from collections.abc import Iterator

from advisor.capture import Capture
from advisor.catalogue.levels import level_number
from advisor.catalogue.rows import Row


def run_rows(capture: Capture) -> Iterator[tuple[str, Row]]:
    """Rows that describe the run: its two snapshots, the database, what was collected of it."""
    begin, end = capture.snapshots[0], capture.snapshots[-1]
    single = begin is end
    epochs = None if single else begin.epoch_s, end.epoch_s
    yield "RUN_SNAPSHOT", (None if single else begin.id, end.id, *epochs, end.taken_at.date().isoformat())
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
            int(database.get("managed", False)),
        ),
    )
    for name, present in capture.columns.items():
        for column in present:
            yield "SOURCE_COLUMN", (name, column)
        if not present:
            yield "NOT_COLLECTED", (name, capture.not_collected.get(name, "not in the capture"))


def acceptance_rows(capture: Capture) -> Iterator[tuple[str, Row]]:
    """The risks that the site accepted, as of the end of the interval."""
    at = capture.snapshots[-1].taken_at.replace(tzinfo=None).isoformat()
    for risk in capture.accepted:
        until = None if risk.until is None else risk.until.isoformat()
        yield "ACCEPTED", (risk.rule, risk.object, risk.reason, until, risk.by, at)
