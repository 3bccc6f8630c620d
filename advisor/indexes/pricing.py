"""Modelled costs as time: the saving per statement, and the cost of maintaining an index.

The model only divides the time that was measured. What it cannot explain stays: locks, log, network and compilation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf

from advisor.indexes.catalog import Table
from advisor.indexes.costs import DEFAULT_SYSTEM, RANDOM, ROW, Cost, System
from advisor.indexes.paths import Path
from advisor.indexes.shapes import Candidate

DISAGREEMENT = 10.0  # own: modelled and measured rows differ by this factor: another plan, or old statistics
ROW_MS = 0.005  # own: most CPU time to process a row or an index entry in memory
REQUEST_MS = 0.05  # own: most CPU time to find and fix a page in the buffer pool
FOUND = 1.5  # own: rows read per row used of a statement that finds its rows
ENTRIES = 10  # own: index entries compared to find one row
REST = 0.10  # own: share of a statement's time that stays if only its total is known
KEY_MS = 0.01  # own: CPU time to insert or delete a key, with its log record
SPLIT_PAGES = 3.0  # pages written by a split: the full page, the new one and their parent
FULL = 0.5  # own: a split leaves half of a page for new keys


class Confidence(StrEnum):
    """How reliable an estimate is. High needs Db2's own EXPLAIN, so that the model does not return it."""

    LOW = "low"
    MEDIUM = "medium"


@dataclass(frozen=True)
class Measured:
    """The averages of one execution. ``read_ms`` includes prefetch waits; ``rows_used`` are returned or changed rows."""

    elapsed_ms: float
    cpu_ms: float | None = None
    read_ms: float | None = None
    sort_ms: float | None = None
    rows_read: float | None = None
    rows_used: float | None = None


@dataclass(frozen=True)
class Left:
    """The share of a statement's time that is left, and the reasons for low confidence.

    ``reads`` is the share of its time that fewer reads save; the rest of the saving is CPU time.
    """

    share: float
    confidence: Confidence
    reasons: tuple[str, ...] = ()
    reads: float = 0.0


@dataclass(frozen=True)
class Writes:
    """Rows of a table that were inserted, deleted and updated, and updated rows per column if known."""

    inserted: float = 0.0
    deleted: float = 0.0
    updated: float = 0.0
    by_column: Mapping[str, float] = field(default_factory=dict)


def price(before: Cost, after: Cost, measured: Measured, execution_ms: float = 0.0, is_slower: bool = False) -> Left:
    """Return the share of a statement's measured time that is left with other indexes.

    Read, CPU and sort time shrink as the modelled pages, rows and sorts do. CPU time covers at least the rows that the
    statement returns or changes, and ``execution_ms``. What its rows and pages cannot take stays. A statement that reads
    the rows that it uses, hardly from disk, saves only sorts. With ``is_slower``, more than the measured time may be left.
    """
    most = inf if is_slower else 1.0
    reasons = []
    elapsed = measured.elapsed_ms
    if elapsed <= 0:
        return Left(1.0, Confidence.LOW, ("No time was measured.",))
    scale = 1.0
    if measured.rows_read is not None and before.rows + before.entries > 0:
        modelled = max(1.0, before.rows)
        actual = max(1.0, measured.rows_read)
        if max(modelled / actual, actual / modelled) > DISAGREEMENT:
            reasons.append(
                f"The model expects {modelled:,.0f} rows read per execution, Db2 measured {actual:,.0f}: "
                "old statistics, or another plan."
            )
            scale = max(1.0, modelled / actual)
    read, processing, sorting = _parts(before, measured)
    rows = max(before.rows / scale, measured.rows_read or 0.0) + (before.covered + before.entries) / scale
    bound = ROW_MS * rows + REQUEST_MS * before.visits / scale
    processing = min(bound, max(0.0, processing - execution_ms))
    if not is_slower and _finds_rows(before, measured):
        read = processing = 0.0
    if measured.cpu_ms is None or measured.read_ms is None:
        reasons.append("The time is not split into CPU and reads: what is unknown stays.")
    used = measured.rows_used or 0.0
    least = min(1.0, used / max(measured.rows_read, before.processing / scale)) if measured.rows_read else 0.0
    fewer_reads = read * (1 - min(most, scale * _ratio(after.reads, before.reads)))
    saved = fewer_reads + processing * (1 - min(most, max(least, scale * _ratio(after.processing, before.processing))))
    saved += sorting * (1 - min(most, scale * _ratio(after.sorting, before.sorting)))
    confidence = Confidence.LOW if reasons else Confidence.MEDIUM
    return Left(1 - saved / elapsed, confidence, tuple(reasons), fewer_reads / elapsed)


def chill(left: Left, before: Cost, after: Cost, measured: Measured, page_ms: float) -> Left:
    """Return the share that is left if all pages are read from disk, with and without other indexes."""
    cold = [cost.reads * page_ms / RANDOM for cost in (before, after)]
    share = (left.share * measured.elapsed_ms + cold[1]) / max(1e-9, measured.elapsed_ms + cold[0])
    return replace(left, share=max(left.share, share))


def _finds_rows(before: Cost, measured: Measured) -> bool:
    """Return whether a statement reads hardly more rows and index entries than it uses, and not mostly from disk."""
    most = FOUND * max(1.0, measured.rows_used or 0.0)
    if measured.rows_read is None or measured.rows_read > most or (measured.read_ms or 0.0) > measured.elapsed_ms / 2:
        return False
    return before.entries + before.covered <= ENTRIES + 2 * most


def _ratio(after: float, before: float) -> float:
    return after / before if before > 0 else 1.0


def _parts(before: Cost, measured: Measured) -> tuple[float, float, float]:
    """Return the time of reads, CPU without sorts, and sorts; their sum is at most the measured time."""
    elapsed = measured.elapsed_ms
    if measured.cpu_ms is None:
        known = None if measured.read_ms is None else min(elapsed, max(0.0, measured.read_ms))
        read, cpu, sort = before.reads if known is None else 0.0, ROW * before.processing, ROW * before.sorting
        factor = (1 - REST) * (elapsed - (known or 0.0)) / max(read + cpu + sort, 1e-9)
        return factor * read if known is None else known, factor * cpu, factor * sort
    read, cpu = max(0.0, measured.read_ms or 0.0), max(0.0, measured.cpu_ms)
    sort = cpu * _ratio(before.sorting, before.sorting + before.processing) if before.sorting else 0.0
    sort = min(sort, measured.sort_ms) if measured.sort_ms is not None else sort
    factor = min(1.0, elapsed / max(read + cpu, 1e-9))  # parallel agents: more than the elapsed time
    return factor * read, factor * (cpu - sort), factor * sort


def write_ms(candidate: Candidate, path: Path, table: Table, writes: Writes, system: System = DEFAULT_SYSTEM) -> float:
    """Return the time to maintain an index in the interval.

    Each inserted or deleted row changes one key, each update of an index column two. A change reads ``levels`` pages,
    of which only the leaf is often missing in the buffer pool. Inserts split leaf pages.
    """
    keys = writes.inserted + writes.deleted + 2 * updated_rows(candidate.columns, table, writes)
    inserts = keys - writes.deleted
    splits = inserts / max(1.0, FULL * path.entries / max(1.0, path.leaf_pages))
    reads = keys * system.miss
    return keys * KEY_MS + (reads + splits * SPLIT_PAGES) * system.page_ms


def updated_rows(columns: Sequence[str], table: Table, writes: Writes) -> float:
    """Return how many updates change a column: those known by column, and a share of the others."""
    if not writes.updated or not table.columns:
        return 0.0
    known = max((writes.by_column.get(column, 0.0) for column in columns), default=0.0)
    others = max(0.0, writes.updated - max(writes.by_column.values(), default=0.0))
    return min(writes.updated, known + others * len(columns) / len(table.columns))
