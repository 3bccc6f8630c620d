"""One recommendation in full: everything that led to it, for the DBA who doubts."""

from collections.abc import Mapping, Sequence
from typing import Any

from tabulate import tabulate

from advisor.catalogue.lanes import lane_of
from advisor.catalogue.options import numbers_of
from advisor.catalogue.rules import Rule, all_rules
from advisor.errors import UserError
from advisor.judgement.advice import Advice, Recommendation
from advisor.report import evidence, lessons, summary, text
from advisor.report.blocks import commands
from advisor.report.catalogue import find_rule, list_confirming_queries
from advisor.report.confirm import queries
from advisor.report.jsonout import describe_run, entry, object_of
from advisor.report.output import Paint, plain
from advisor.report.selection import select
from advisor.report.values import head, to_number

LABEL = 12


def render(
    advice: Advice, wanted: str, width: int, paint: Paint = plain, rules: Mapping[str, Rule] | None = None
) -> str:
    """Explain the recommendation of a rank, or all those of one of the ``rules``, by default those of db2tune."""
    rules = rules or all_rules()
    items = _matching(advice, wanted, rules)
    lines = []
    for name, value in text.describe_advice(advice).items():
        lines += text.wrap(value, width, f"{name:<{LABEL}}")
    lacking = summary.missing(select(advice))
    lines += text.wrap(lacking or summary.ALL_RAN, width, f"{'Not checked' if lacking else 'Checked':<{LABEL}}")
    if not items:
        lines += ["", *text.wrap(_silence(advice, wanted), width)]
        lines += _table("Thresholds", _thresholds(rules[wanted], advice))
    for item in items:
        lines += ["", *_item(advice, item, width, paint)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def as_json(advice: Advice, wanted: str, rules: Mapping[str, Rule] | None = None) -> str:
    """Return the same explanation as JSON. ``silence`` is the reason if a rule found nothing."""
    rules = rules or all_rules()
    items = _matching(advice, wanted, rules)
    return text.json_text(
        {
            **head(),
            **describe_run(advice),
            "recommendations": [_explained(advice, item) for item in items],
            "silence": None if items else _silence(advice, wanted),
            "checked": [] if items else _describe_thresholds(rules[wanted], advice),
        }
    )


def _explained(advice: Advice, item: Recommendation) -> dict[str, Any]:
    rule = item.rule
    return {
        **entry(item),
        "claims": [{"bucket": claim.bucket, "pct": claim.pct, "of_pct": claim.of_pct} for claim in item.claims],
        "score": item.score,
        "meaning": text.EFFECT_MEANINGS[item.effect],
        "thresholds": _describe_thresholds(rule, advice),
        "confirm": queries(rule.query, advice.database, item),
        "why": rule.why,
        "not_if": rule.not_if,
        "note": rule.note,
        "displaced": [{"rule": other.rule.name, "object": object_of(other)} for other in list_displaced(advice, item)],
    }


def _describe_thresholds(rule: Rule, advice: Advice) -> list[dict[str, Any]]:
    return [
        {"name": name, "value": to_number(value), "origin": origin} for name, value, origin in _thresholds(rule, advice)
    ]


def _matching(advice: Advice, wanted: str, rules: Mapping[str, Rule]) -> list[Recommendation]:
    if not wanted.isdecimal():
        find_rule(wanted, rules)
        return [item for item in advice.recommendations if item.rule.name == wanted]
    found = [item for item in advice.recommendations if item.rank == int(wanted)]
    if not found:
        raise UserError(f"rank {wanted}: the list has {text.count(len(advice.ranked), 'recommendation')}")
    return found


def _silence(advice: Advice, rule: str) -> str:
    for name, reason in advice.not_run:
        if name == rule:
            return f"{rule} could not run: {reason}."
    return f"{rule} found nothing: it does not apply to this database, or its condition is not met."


def _item(advice: Advice, item: Recommendation, width: int, paint: Paint) -> list[str]:
    rule = item.rule
    rank = "not ranked" if item.rank is None else f"rank {item.rank}"
    lines = [paint(line, bold=True) for line in text.wrap(f"{rank}, {item.rule.name}: {text.title(item)}", width)]

    def say(label: str, value: str | None) -> None:
        if value:
            lines.extend(text.wrap(value, width, f"{label:<{LABEL}}"))

    say("Lane", _lane(item))
    say("Finding", text.finding(item))
    if item.claimed_pct:
        say("Claim", claim_text(item))
        say("Benefit", benefit_text(item))
        say("Throughput", _throughput(item))
        say("Score", _score(item))
    say("Confidence", f"{text.confidence(item.confidence)} ({item.confidence:.2g})")
    for n, said in enumerate(lessons.explain_lessons(item)):
        say("" if n else "Learned", said)
    say("Effect", text.EFFECT_MEANINGS[item.effect])
    say("Risk", text.describe_risk(item))
    say("Memory", text.memory(item.memory_delta_kb) if item.memory_delta_kb else "no change")
    say("Change", text.change(item))
    lines += _table("Evidence", evidence.pairs(item))
    lines += _table("Thresholds", _thresholds(item.rule, advice))
    lines += ["Commands", *commands("do", item.actions, width, paint), *commands("undo", item.undo, width, paint)]
    lines += list_confirming_queries(rule.query, paint, advice.database, item)
    say("Why", rule.why)
    say("Not if", rule.not_if)
    say("Note", rule.note)
    for source in item.rule.sources:
        say("Source", source)
    if item.object_type == "STATEMENT":
        say("Statement", f"The command query explains statement {text.make_printable(item.object_name)}.")
    say("Rule", text.description(item.rule))
    rank = "" if item.superseded_rank is None else f", rank {item.superseded_rank}"
    say("Gave way to", item.superseded_by and item.superseded_by + rank)
    say("Accepted", text.describe_acceptance(item))
    for other in list_displaced(advice, item):
        benefit = f", benefit {text.percent(other.benefit)}" if other.benefit else ""
        say("Suppressed", f"{other.rule.name}: {text.thing(other)}{benefit}")
    return lines


def _lane(item: Recommendation) -> str:
    lane = lane_of(item.lane)
    said = f": {text.severity(item)}" if lane.grouped else f", severity {text.severity(item)}"
    return lane.name.lower() + (said if lane.by_severity else "")


def claim_text(item: Recommendation) -> str:
    buckets = ", ".join(f"{claim.bucket} {claim.pct:.1f} of {claim.of_pct:.1f}" for claim in item.claims)
    return f"{text.percent(item.claimed_pct)} of database time: {buckets}"


def benefit_text(item: Recommendation) -> str:
    parts = " / ".join(
        f"{value / item.claimed_pct:.2f}" for value in (item.benefit_low, item.benefit, item.benefit_high)
    )
    after = "" if item.rank is None else f"; {text.percent(item.benefit_after)} after those above it"
    return (
        f"expected {text.percent(item.benefit)} of database time as the only change, {item.benefit_low:.1f} at least,"
        f" {item.benefit_high:.1f} at most (claim x {parts}){after}"
    )


def _throughput(item: Recommendation) -> str:
    share = item.benefit / 100
    if share >= 1:
        return "not limited by the rest: all of database time would go"
    return f"+{text.percent(100 * share / (1 - share))} for the same sessions, as g = B / (1 - B)"


def _score(item: Recommendation) -> str:
    """Return the score that the order of the list uses: by the benefit after those above it."""
    score = item.benefit_after * item.confidence * item.ease
    which = "benefit" if item.benefit_after == item.benefit else "benefit after those above"
    risk = "; sorted at 0.7 of it because of its risk" if item.rule.risk == "high" else ""
    return f"{score:.2f} = {which} {item.benefit_after:.2f} x confidence {item.confidence:.2g} x ease {item.ease:.2g}{risk}"


def _thresholds(rule: Rule, advice: Advice) -> list[list[str]]:
    """Return the numbers that the rule compared with, including the site's."""
    return [
        [option.shown, str(advice.options[option.rule][option.name]), "site"]
        if option.name in advice.options.get(option.rule, {})
        else [option.shown, text.number(option.number), text.origin(option.provenance)]
        for option in numbers_of(rule)
    ]


def _table(label: str, rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    table = tabulate(rows, tablefmt="plain", disable_numparse=True).splitlines()
    return [f"{label if n == 0 else '':<{LABEL}}{line}" for n, line in enumerate(table)]


def list_displaced(advice: Advice, item: Recommendation) -> list[Recommendation]:
    """Return the recommendations that this one displaced."""
    return [other for other in advice.recommendations if item.rank is not None and other.superseded_rank == item.rank]
