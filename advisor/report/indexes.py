"""Indexes to create and to drop, in the order of the steps, with the effect on each statement."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from advisor.indexes.advice import Account, Changed, Chosen, Declined, Helped, IndexAdvice, Interval, Outcome
from advisor.indexes.building import Build
from advisor.indexes.ddl import create_statement, describe_index
from advisor.indexes.shapes import Candidate
from advisor.judgement.advice import Advice, Recommendation
from advisor.quoting import quoted
from advisor.report import text
from advisor.report.output import Paint, plain
from advisor.report.values import to_steps

if TYPE_CHECKING:
    from advisor.db2.explaining import Confirmed

MOST_STATEMENTS = 10  # shown per index and list
MOST_DECLINED = 10
MOST_FURTHER = 10
DROP_RULES = ("sql.unused-index", "sql.duplicate-index")
LEAST_PCT = 0.1  # of the time; statements with less are counted together
_INDENT = " " * 4
NO_INPUT = (
    "No index can be proposed: this input has no statement texts or no column statistics. --database and captures read"
    " them, unless option statement_text is OFF; the script needs db2tune capture --script --statement-text."
)
LEARNED = "Expected gains are {:.2f} times the model's: the measured effect of earlier indexes of this database."
IDLE = "the database was idle"  # how the reason of NO_LOAD begins
CONFIRMED = "Db2's own estimates (EXPLAIN)"
ESTIMATED = (
    "Gains are estimates from catalog statistics and measured times (docs/indexes.md). Create one index at a time."
)


def lines(
    advice: Advice, width: int, paint: Paint = plain, confirmed: "Sequence[Confirmed] | None" = None
) -> list[str]:
    """Return the report for a terminal."""
    given = advice.indexes
    intervals = list_intervals(given)
    found = [text.database(advice), _describe_intervals(intervals) or text.interval(advice.window), ""]
    found += [*text.wrap(_find_reason(advice) if given is None else describe_coverage(given), width), ""]
    for heading, items in _sections(given or IndexAdvice(0.0, 0.0), advice, width, paint):
        found += [paint(heading, bold=True), *items, ""] if items else []
    if confirmed:
        found += [paint(CONFIRMED, bold=True)]
        found += [line for item in confirmed for line in text.wrap(_confirm(item), width, _INDENT, _INDENT * 2)] + [""]
    if given and given.workload and given.workload.system.factor != 1:
        found += text.wrap(LEARNED.format(given.workload.system.factor), width)
    return [*found, *text.wrap(ESTIMATED, width)] if given else found[:-1]


def list_intervals(given: IndexAdvice | None) -> Sequence[Interval]:
    """Return the intervals, newest first."""
    return given.workload.intervals if given and given.workload else ()


def _describe_intervals(intervals: Sequence[Interval]) -> str | None:
    """Return the number of intervals and their span, or None if there is only one."""
    if len(intervals) < 2:
        return None
    return f"{len(intervals)} intervals, which ended {_end(intervals[-1])} to {_end(intervals[0])}"


def _describe_wanted(wanted: Sequence[Interval], intervals: Sequence[Interval]) -> list[str]:
    """Return the number of intervals in which an index saves enough, or the only one."""
    if len(intervals) < 2:
        return []
    if len(wanted) == 1:
        return [f"wanted only by the interval that ended {_end(wanted[0])}"]
    return [f"wanted by {len(wanted)} of {len(intervals)} intervals"]


def _end(interval: Interval) -> str:
    return interval.end.replace("T", " ")


def _find_reason(advice: Advice) -> str:
    """Return why no index can be proposed: an idle database, or missing input."""
    idle = next((reason for _, reason in advice.not_run if reason.startswith(IDLE)), None)
    return f"No index can be proposed: {idle}." if idle else NO_INPUT


def describe_coverage(given: IndexAdvice) -> str:
    """Return how many statements and how much of the time were analyzed, with the verdict if no index is proposed."""
    number = len(given.accounts)
    share = f"{percent_of(given.analyzed_ms, given)} of statement time"
    said = f"Analyzed {given.analyzed:,} of {text.count(number, 'statement')}, {share}."
    if given.unseen_ms > 0:
        said += f" Statements that were not collected took {percent_of(given.unseen_ms, given)}."
    if not given.chosen and given.analyzed:
        is_whole = given.analyzed == number and given.unseen_ms <= LEAST_PCT / 100 * given.before_ms
        said += " No index saves enough time." if is_whole else " No index saves enough time for the analyzed ones."
    return said


def _sections(given: IndexAdvice, advice: Advice, width: int, paint: Paint) -> Iterator[tuple[str, list[str]]]:
    first = [item for item in given.statistics if item.comes_first]
    yield (
        "Collect statistics first",
        [line for item in first for line in _statistics(item.command, item.reasons, width)],
    )
    saved = given.before_ms - given.after_ms
    size = _mb(sum(chosen.bytes for chosen in given.chosen))
    yield (
        f"Create {text.count(len(given.chosen), 'index')}: {percent_of(saved, given)} less statement time, {size}",
        [line for chosen in given.chosen for line in _chosen(chosen, given, width, paint)],
    )
    yield "Saving by number of indexes", list(_curve(given, width))
    yield "Drop", [line for item in list_drops(advice) for line in _drop(item, advice.indexes, width, paint)]
    on_curve = {point.index for point in given.curve}
    declined = [row for row in given.declined if row.index not in on_curve][:MOST_DECLINED]
    yield "Not proposed", [line for item in declined for line in _declined(item, given, width)]
    later = [item for item in given.statistics if not item.comes_first]
    yield "Better statistics", [line for item in later for line in _statistics(item.command, item.reasons, width)]
    served = [each for each in given.accounts if each.outcome is Outcome.SERVED and each.reason]
    yield "No index helps", list(_accounts(served, given, width))
    yield "Not analyzed", list(_accounts(given.left_out, given, width))


def list_drops(advice: Advice) -> list[Recommendation]:
    """Return the recommendations to drop an index."""
    return [item for item in advice.ranked if item.rule.name in DROP_RULES]


def _chosen(chosen: Chosen, given: IndexAdvice, width: int, paint: Paint) -> Iterator[str]:
    command = create_statement(chosen.index, chosen.name)
    yield from (paint(line, fg="cyan") for line in text.wrap(command, width))
    low, share, high = (percent_of(ms, given) for ms in (chosen.low_ms, chosen.saved_ms, chosen.high_ms))
    facts = [
        f"saves {share} of statement time ({low} to {high}), confidence {chosen.confidence}",
        f"maintenance {percent_of(chosen.write_ms, given) if given.writes_known else 'unknown'}",
        *_describe_wanted(chosen.intervals, list_intervals(given)),
    ]
    yield from text.wrap("; ".join(facts), width, _INDENT)
    yield from text.wrap(_describe_build(chosen.build, chosen.bytes), width, _INDENT)
    for reason in (*chosen.build.warnings, *chosen.reasons):
        yield from text.wrap(reason, width, _INDENT)
    yield from list_changes(chosen.helped, given, width)
    yield from text.wrap(f"undo: {_drop_statement(chosen)}", width, _INDENT)
    if chosen.index.widens:
        old = f"{quoted(chosen.index.widens.schema)}.{quoted(chosen.index.widens.name)}"
        yield from text.wrap(f"replaces {old}: then, if no statement uses that one, DROP INDEX {old}", width, _INDENT)


def list_changes(items: Sequence[Helped | Changed], given: IndexAdvice, width: int) -> Iterator[str]:
    """Yield the first statements with their times now and with the indexes, and the number of the others."""
    for item in items[:MOST_STATEMENTS]:
        gain = f"{item.key}: {_ms(item.before_ms)} -> {_ms(item.after_ms)} ms  {_begin(given, item.key)}"
        yield text.wrap(gain, width, _INDENT)[0]
    if len(items) > MOST_STATEMENTS:
        yield f"{_INDENT}and {len(items) - MOST_STATEMENTS} more"


def _describe_build(build: Build, size: int) -> str:
    room = f" ({_mb(build.room)} free)" if build.room is not None else ""
    place = f" in table space {build.space}{room}" if build.space else ""
    spills = f", sorts {_mb(build.sort_bytes)} in a temporary table space" if build.sort_bytes else ""
    return f"build: {_mb(size)}{place}, about {text.duration(max(1, build.seconds))}, {_mb(build.log_bytes)} of log{spills}"


def _curve(given: IndexAdvice, width: int) -> Iterator[str]:
    """Yield the saving of the first, the first two, ... indexes, and why the list ends."""
    number = len(given.chosen)
    shown = given.curve[: number + MOST_FURTHER]
    if len(shown) < 2:
        return
    for place, point in enumerate(shown, 1):
        mark = "next" if place > number else f"{place:4}"
        yield text.wrap(
            f"{mark}  {percent_of(point.saved_ms, given):>7}  {_mb(point.bytes):>9}  {describe_index(point.index)}",
            width,
            _INDENT,
        )[0]
    yield from text.wrap(explain_end(given), width, _INDENT)


def explain_end(given: IndexAdvice) -> str:
    """Return the reason for the end of the list."""
    number, last = len(given.chosen), given.curve[-1]
    if len(given.curve) == number:
        return "Each further index would save too little."
    saved, size = last.saved_ms, last.bytes
    if number:
        saved, size = saved - given.curve[number - 1].saved_ms, size - given.curve[number - 1].bytes
    more = len(given.curve) - number
    option = f"--count {len(given.curve)}" if number == given.most else f"--megabytes {math.ceil(last.bytes / 1e6)}"
    end = f"at {number} indexes" if number == given.most else f"at {_mb(given.budget)}"
    gain = f"{percent_of(saved, given)} less statement time, {_mb(size)}"
    return f"The list ends {end}: {option} adds {text.count(more, 'index')}, {gain}."


def _accounts(given: Sequence[Account], advice: IndexAdvice, width: int) -> Iterator[str]:
    large = [each for each in given if each.ms >= LEAST_PCT / 100 * advice.before_ms][:MOST_STATEMENTS]
    for each in large:
        said = f"{each.key}: {percent_of(each.ms, advice)}. {each.reason} {_begin(advice, each.key)}"
        yield from text.wrap(said, width, _INDENT, _INDENT * 2)[:3]
    if rest := given[len(large) :]:
        took = percent_of(sum(each.ms for each in rest), advice)
        yield f"{_INDENT}{'and ' if large else ''}{text.count(len(rest), 'more statement' if large else 'statement')}, {took}"


def _declined(item: Declined, given: IndexAdvice, width: int) -> list[str]:
    by = f": {describe_index(item.by)}" if item.by else ""
    beside, alone = percent_of(item.beside_ms, given), percent_of(item.alone_ms, given)
    said = f"saves {beside} next to the others, {alone} alone; {item.reason}{by}"
    return text.wrap(f"{describe_index(item.index)}: {said}", width, _INDENT, _INDENT * 2)


def _statistics(command: str, reasons: tuple[str, ...], width: int) -> list[str]:
    return [*text.wrap(command, width, _INDENT, _INDENT * 2), *text.wrap(" ".join(reasons), width, _INDENT * 2)]


def _drop(item: Recommendation, given: IndexAdvice | None, width: int, paint: Paint) -> Iterator[str]:
    for line in item.actions:
        yield from (paint(part, fg="cyan") for part in text.wrap(line, width, _INDENT, _INDENT * 2))
    yield from text.wrap(text.finding(item), width, _INDENT * 2)
    yield from text.wrap(describe_losers(item, given), width, _INDENT * 2)
    for line in item.undo:
        yield from text.wrap(f"undo: {line}", width, _INDENT * 2)


def describe_losers(item: Recommendation, given: IndexAdvice | None) -> str:
    """Return which analyzed statements get slower without an index, next to the proposed ones."""
    if given is None or given.workload is None:
        return ""
    losers = [each.key for each in given.workload.find_losers(item.object_name, [each.index for each in given.chosen])]
    if not losers:
        return "No analyzed statement gets slower without it."
    return f"Slower without it: {', '.join(losers[:3])}{' and others' if len(losers) > 3 else ''}. Keep it for now."


def _confirm(item: "Confirmed") -> str:
    if item.reason or item.before is None or item.after is None:
        return f"{item.key}: not explained: {item.reason}"
    uses = f"uses {', '.join(item.used)}" if item.used else "uses none of the proposed indexes"
    return f"{item.key}: {item.before:,.0f} -> {item.after:,.0f} timerons, {uses}"


def _drop_statement(chosen: Chosen) -> str:
    return f"DROP INDEX {quoted(chosen.index.schema)}.{quoted(chosen.name)}"


def _begin(given: IndexAdvice, key: str) -> str:
    return text.make_printable(" ".join(given.texts.get(key, "").split()))


def _mb(size: float) -> str:
    return f"{max(1, round(size / 1e6)):,} MB"


def percent_of(ms: float, given: IndexAdvice) -> str:
    """Return a time as a share of the time of all statements."""
    share = 100 * ms / given.before_ms if given.before_ms else 0.0
    return f"{share:.2f} %" if 0 < share < 0.1 else f"{share:.1f} %"


def _ms(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}" if value >= 0.01 else f"{value:.4f}"


def document(advice: Advice, confirmed: "Sequence[Confirmed] | None" = None) -> dict[str, Any] | None:
    """Return the indexes for programs; None without statement texts or column statistics."""
    given = advice.indexes
    if given is None:
        return None
    return {
        "intervals": [each.end for each in list_intervals(given) if each.end],
        "learned_factor": round(given.workload.system.factor if given.workload else 1.0, 3),
        "statement_ms": round(given.before_ms, 1),
        "statement_ms_after": round(given.after_ms, 1),
        "analyzed_ms": round(given.analyzed_ms, 1),
        "not_collected_ms": round(given.unseen_ms, 1),
        "create": [
            {
                "actions": to_steps([create_statement(chosen.index, chosen.name)]),
                "undo": to_steps([_drop_statement(chosen)]),
                **_describe_columns(chosen.index),
                "name": chosen.name,
                "saved_ms": round(chosen.saved_ms, 1),
                "saved_ms_low": round(chosen.low_ms, 1),
                "saved_ms_high": round(chosen.high_ms, 1),
                "maintenance_ms": round(chosen.write_ms, 1) if given.writes_known else None,
                "intervals": [each.end for each in chosen.intervals if each.end],
                "bytes": chosen.bytes,
                "confidence": str(chosen.confidence),
                "doubts": list(chosen.reasons),
                "build": _describe_building(chosen.build),
                "replaces": chosen.index.widens.name if chosen.index.widens else None,
                "statements": [
                    {"statement": item.key, "ms": round(item.before_ms, 4), "ms_after": round(item.after_ms, 4)}
                    for item in chosen.helped
                ],
            }
            for chosen in given.chosen
        ],
        "drop": [
            {"actions": to_steps(item.actions), "undo": to_steps(item.undo), "effect": describe_losers(item, given)}
            for item in list_drops(advice)
        ],
        "not_proposed": [
            {
                "index": describe_index(item.index),
                "saved_ms_alone": round(item.alone_ms, 1),
                "saved_ms_beside": round(item.beside_ms, 1),
                "reason": item.reason,
            }
            for item in given.declined
        ],
        "curve": [
            {
                "index": describe_index(point.index),
                **_describe_columns(point.index),
                "saved_ms": round(point.saved_ms, 1),
                "maintenance_ms": round(point.write_ms, 1),
                "bytes": point.bytes,
            }
            for point in given.curve
        ],
        "statistics": [
            {"actions": to_steps([item.command]), "first": item.comes_first, "reasons": list(item.reasons)}
            for item in given.statistics
        ],
        "confirmed": None if confirmed is None else [asdict(item) for item in confirmed],
        "statements": [
            {
                "statement": item.key,
                "ms": round(item.ms, 1),
                "outcome": str(item.outcome),
                "reason": item.reason or None,
            }
            for item in given.accounts
        ],
    }


def _describe_columns(index: Candidate) -> dict[str, Any]:
    return {
        "schema": index.schema,
        "table": index.table,
        "columns": [{"column": key.column, "descending": key.descending} for key in index.keys],
        "include": list(index.include),
        "unique": index.is_unique,
    }


def _describe_building(build: Build) -> dict[str, Any]:
    return {
        "seconds": round(build.seconds, 1),
        "log_bytes": build.log_bytes,
        "sort_bytes": build.sort_bytes,
        "tablespace": build.space,
        "free_bytes": build.room,
        "warnings": list(build.warnings),
    }
