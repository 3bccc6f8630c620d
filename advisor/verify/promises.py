"""Promises of index advice, statement by statement, and what became of each after the index was created."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Any, NamedTuple

from advisor.indexes.advice import Chosen, IndexAdvice
from advisor.judgement.periods import Period, hash_text

AS_PROMISED, PARTLY, NO_GAIN, SLOWER, NOT_RUN = "as promised", "partly", "no gain", "slower", "did not run"
KEPT_PART = 0.7  # own: of the promised saving; the low end of a promise with medium confidence
NOISE = 0.05  # own: share of a statement's time that differs by chance
TEXT_LENGTH = 200


@dataclass(frozen=True)
class Promise:
    """The promise of an index for a statement, in milliseconds per execution.

    ``target`` is the index as changes name it, ``statement`` the key of the text. ``after_ms`` is the time with all
    indexes of the advice, ``saved_ms`` the part of this index.
    """

    target: str
    statement: str
    text: str
    before_ms: float
    after_ms: float
    saved_ms: float
    rows_read: float | None


class Figures(NamedTuple):
    """The executions of a statement, with their milliseconds and rows read."""

    executions: float
    ms: float
    rows_read: float | None


@dataclass(frozen=True)
class Fulfilment:
    """The verdict on the promises for a statement; ``ms`` and rows are per execution, None if it did not run."""

    verdict: str
    statement: str
    text: str
    before_ms: float
    promised_ms: float
    ms: float | None
    rows_read_before: float | None
    rows_read: float | None
    executions: float


def list_promises(advice: IndexAdvice, chosen: Chosen, target: str) -> tuple[Promise, ...]:
    """Return the promises of a proposed index."""
    texts = {item.key: advice.texts[item.key] for item in chosen.helped}
    return tuple(
        Promise(
            target,
            hash_text(texts[item.key]),
            " ".join(texts[item.key].split())[:TEXT_LENGTH],
            item.before_ms,
            item.after_ms,
            item.saved_ms,
            item.rows_read,
        )
        for item in chosen.helped
    )


def sum_figures(periods: Iterable[Period], wanted: Collection[str]) -> dict[str, Figures]:
    """Return the figures of statements by key over all periods with statements, without executions if they did not run."""
    found: dict[str, list[Sequence[Any]]] = {}
    for period in periods:
        for key in wanted if period.has_texts else ():
            rows = ((row["EXECUTIONS"], row["ACT_MS"], row["ROWS_READ"]) for row in period.groups.get(key, ()))
            found.setdefault(key, []).extend(rows)
    return {key: sum_rows(rows) for key, rows in found.items()}


def sum_rows(rows: Iterable[Sequence[Any]]) -> Figures:
    """Return the sums of executions, milliseconds and rows read; rows are unknown if one of them is."""
    ran = [Figures(*row) for row in rows if row[0]]
    read = [row.rows_read for row in ran if row.rows_read is not None]
    executions, ms = sum(row.executions for row in ran), sum(row.ms for row in ran)
    return Figures(executions, ms, sum(read) if read and len(read) == len(ran) else None)


def judge_promises(promises: Iterable[Promise], figures: Mapping[str, Figures]) -> tuple[Fulfilment, ...]:
    """Return the verdict on each statement with figures, largest promise first."""
    by_statement: dict[str, list[Promise]] = {}
    for promise in promises:
        by_statement.setdefault(promise.statement, []).append(promise)
    found = [_judge_statement(of, figures[statement]) for statement, of in by_statement.items() if statement in figures]
    return tuple(sorted(found, key=lambda each: each.promised_ms - each.before_ms))


def _judge_statement(promises: Sequence[Promise], figures: Figures) -> Fulfilment:
    first, saved = promises[0], sum(each.saved_ms for each in promises)
    before, promised = first.before_ms, max(first.after_ms, first.before_ms - saved)
    about = first.statement, first.text, before, promised
    if not figures.executions:
        return Fulfilment(NOT_RUN, *about, None, first.rows_read, None, 0)
    ms = figures.ms / figures.executions
    rows = None if figures.rows_read is None else figures.rows_read / figures.executions
    if abs(ms - before) <= NOISE * before:
        verdict = NO_GAIN
    elif ms > before:
        verdict = SLOWER
    else:
        verdict = AS_PROMISED if before - ms >= KEPT_PART * (before - promised) else PARTLY
    return Fulfilment(verdict, *about, ms, first.rows_read, rows, figures.executions)


def find_ratios(fulfilled: Iterable[Fulfilment]) -> tuple[float, float, float] | None:
    """Return the measured fraction of the promised saving: lower quartile, median and upper quartile."""
    ratios = [
        (each.before_ms - each.ms) / (each.before_ms - each.promised_ms)
        for each in fulfilled
        if each.ms is not None and each.promised_ms < each.before_ms
    ]
    if not ratios:
        return None
    low, middle, high = quantiles(ratios, method="inclusive") if len(ratios) > 1 else ratios * 3
    return low, middle, high
