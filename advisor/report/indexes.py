"""Indexes to create, indexes to drop, and statistics to collect first, with the effect on each statement."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from advisor.indexes.advice import Chosen, Declined, IndexAdvice
from advisor.indexes.ddl import create_statement, describe_index
from advisor.judgement.advice import Advice, Recommendation
from advisor.quoting import quoted
from advisor.report import text
from advisor.report.output import Paint, plain

if TYPE_CHECKING:
    from advisor.db2.explaining import Confirmed

MOST_STATEMENTS = 10  # shown per index
MOST_DECLINED = 10
DROP_RULES = ("sql.unused-index", "sql.duplicate-index")
_INDENT = " " * 4
NO_INPUT = (
    "No index can be proposed: this input has no statement texts or no column statistics. --database and captures read"
    " them, unless option statement_text is OFF; the script needs db2tune capture --script --statement-text."
)
CONFIRMED = "Db2's own estimates (EXPLAIN)"
NOTHING = "No index saves enough time for the collected statements."
ESTIMATED = (
    "Gains are estimates from catalog statistics and measured times (docs/indexes.md). Create one index at a time."
)


def lines(
    advice: Advice, width: int, paint: Paint = plain, confirmed: "Sequence[Confirmed] | None" = None
) -> list[str]:
    """Return the report for a terminal."""
    given = advice.indexes
    found = [text.database(advice), text.interval(advice.window), ""]
    if given is None:
        return [*found, *text.wrap(NO_INPUT, width)]
    for heading, items in _sections(given, advice, width, paint):
        found += [paint(heading, bold=True), *items, ""] if items else []
    if confirmed:
        found += [paint(CONFIRMED, bold=True)]
        found += [line for item in confirmed for line in text.wrap(_confirm(item), width, _INDENT, _INDENT * 2)] + [""]
    if not given.chosen:
        found += [*text.wrap(NOTHING, width), ""]
    return [*found, *text.wrap(ESTIMATED, width)]


def _sections(given: IndexAdvice, advice: Advice, width: int, paint: Paint) -> Iterator[tuple[str, list[str]]]:
    first = [item for item in given.statistics if item.comes_first]
    yield (
        "Collect statistics first",
        [line for item in first for line in _statistics(item.command, item.reasons, width)],
    )
    saved = 100 * (1 - given.after_ms / given.before_ms) if given.before_ms else 0.0
    size = _mb(sum(chosen.bytes for chosen in given.chosen))
    yield (
        f"Create {_count(len(given.chosen))}: {saved:.1f} % less statement time, {size}",
        [line for chosen in given.chosen for line in _chosen(chosen, given, width, paint)],
    )
    yield "Drop", [line for item in advice.ranked if item.rule.name in DROP_RULES for line in _drop(item, width, paint)]
    declined = given.declined[:MOST_DECLINED]
    yield "Not proposed", [line for item in declined for line in _declined(item, given, width)]
    later = [item for item in given.statistics if not item.comes_first]
    yield "Better statistics", [line for item in later for line in _statistics(item.command, item.reasons, width)]
    yield "Not analyzed", [line for item in given.unread for line in _unread(given, item.key, item.reason, width)]


def _chosen(chosen: Chosen, given: IndexAdvice, width: int, paint: Paint) -> Iterator[str]:
    command = create_statement(chosen.index, chosen.name)
    yield from (paint(line, fg="cyan") for line in text.wrap(command, width))
    low, share, high = (100 * ms / given.before_ms for ms in (chosen.low_ms, chosen.saved_ms, chosen.high_ms))
    facts = [
        f"saves {share:.1f} % of statement time ({low:.1f} to {high:.1f} %), confidence {chosen.confidence}",
        _mb(chosen.bytes),
        f"maintenance {100 * chosen.write_ms / given.before_ms:.2f} %",
    ]
    yield from text.wrap("; ".join(facts), width, _INDENT)
    if chosen.index.widens:
        old = chosen.index.widens
        yield from text.wrap(f"replaces {quoted(old.schema)}.{quoted(old.name)}", width, _INDENT)
    for reason in chosen.reasons:
        yield from text.wrap(reason, width, _INDENT)
    for item in chosen.helped[:MOST_STATEMENTS]:
        gain = f"{item.key}: {_ms(item.before_ms)} -> {_ms(item.after_ms)} ms  {_begin(given, item.key)}"
        yield text.wrap(gain, width, _INDENT)[0]
    if len(chosen.helped) > MOST_STATEMENTS:
        yield f"{_INDENT}and {len(chosen.helped) - MOST_STATEMENTS} more"
    yield from text.wrap(f"undo: {_drop_statement(chosen)}", width, _INDENT)


def _declined(item: Declined, given: IndexAdvice, width: int) -> list[str]:
    alone = 100 * item.alone_ms / given.before_ms if given.before_ms else 0.0
    by = f": {describe_index(item.by)}" if item.by else ""
    return text.wrap(
        f"{describe_index(item.index)}: alone it saves {alone:.1f} %; {item.reason}{by}", width, _INDENT, _INDENT * 2
    )


def _statistics(command: str, reasons: tuple[str, ...], width: int) -> list[str]:
    return [*text.wrap(command, width, _INDENT, _INDENT * 2), *text.wrap(" ".join(reasons), width, _INDENT * 2)]


def _drop(item: Recommendation, width: int, paint: Paint) -> Iterator[str]:
    for line in item.actions:
        yield from (paint(part, fg="cyan") for part in text.wrap(line, width, _INDENT, _INDENT * 2))
    yield from text.wrap(text.finding(item), width, _INDENT * 2)
    for line in item.undo:
        yield from text.wrap(f"undo: {line}", width, _INDENT * 2)


def _unread(given: IndexAdvice, key: str, reason: str, width: int) -> list[str]:
    return text.wrap(f"{key}: {reason} {_begin(given, key)}", width, _INDENT)


def _confirm(item: "Confirmed") -> str:
    if item.before is None or item.after is None:
        return f"{item.key}: not explained: {item.reason}"
    uses = f"uses {', '.join(item.used)}" if item.used else "uses none of the proposed indexes"
    return f"{item.key}: {item.before:,.0f} -> {item.after:,.0f} timerons, {uses}"


def _drop_statement(chosen: Chosen) -> str:
    return f"DROP INDEX {quoted(chosen.index.schema)}.{quoted(chosen.name)}"


def _begin(given: IndexAdvice, key: str) -> str:
    return text.make_printable(" ".join(given.texts.get(key, "").split()))


def _count(indexes: int) -> str:
    return "1 index" if indexes == 1 else f"{indexes} indexes"


def _mb(size: int) -> str:
    return f"{max(1, round(size / 1e6)):,} MB"


def _ms(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def document(advice: Advice, confirmed: "Sequence[Confirmed] | None" = None) -> dict[str, Any] | None:
    """Return the indexes for programs; None without statement texts or column statistics."""
    given = advice.indexes
    if given is None:
        return None
    return {
        "statement_ms": round(given.before_ms, 1),
        "statement_ms_after": round(given.after_ms, 1),
        "create": [
            {
                "command": create_statement(chosen.index, chosen.name),
                "undo": _drop_statement(chosen),
                "saved_ms": round(chosen.saved_ms, 1),
                "saved_ms_low": round(chosen.low_ms, 1),
                "saved_ms_high": round(chosen.high_ms, 1),
                "maintenance_ms": round(chosen.write_ms, 1),
                "bytes": chosen.bytes,
                "confidence": str(chosen.confidence),
                "doubts": list(chosen.reasons),
                "replaces": chosen.index.widens.name if chosen.index.widens else None,
                "statements": [
                    {"statement": item.key, "ms": round(item.before_ms, 4), "ms_after": round(item.after_ms, 4)}
                    for item in chosen.helped
                ],
            }
            for chosen in given.chosen
        ],
        "drop": [item.actions for item in advice.ranked if item.rule.name in DROP_RULES],
        "not_proposed": [
            {"index": describe_index(item.index), "saved_ms_alone": round(item.alone_ms, 1), "reason": item.reason}
            for item in given.declined
        ],
        "statistics": [
            {"command": item.command, "first": item.comes_first, "reasons": list(item.reasons)}
            for item in given.statistics
        ],
        "confirmed": None if confirmed is None else [asdict(item) for item in confirmed],
        "not_analyzed": [{"statement": item.key, "reason": item.reason} for item in given.unread],
    }
