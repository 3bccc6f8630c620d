"""What differs between two captures: for a terminal, and as JSON. Changes of settings come first."""

from typing import Any

from advisor.catalogue.lanes import lane_of
from advisor.judgement.advice import Recommendation
from advisor.judgement.changes import Difference, SettingChange
from advisor.judgement.comparison import Pair
from advisor.report import text
from advisor.report.jsonout import object_of
from advisor.report.output import Paint, plain
from advisor.report.values import head, to_number

_SCOPES = {"DB": "database configuration", "DBM": "instance configuration", "REG": "registry variable"}
_KINDS = {"TABLESPACE": "table space", "BUFFERPOOL": "buffer pool"}


def render(found: Difference, width: int, paint: Paint = plain) -> str:
    """Return one part per kind of difference. Omit empty parts, except for the changes."""
    lines = text.wrap(text.database(found.after), width, f"{'Database':<10}")
    for label, advice in (("Before", found.before), ("After", found.after)):
        lines += text.wrap(text.interval(advice.window), width, f"{label:<10}")
    said = {
        "Changed settings": [change_text(change) for change in found.changes],
        "New advice": [format_item(item) for item in found.advice.new],
        "Gone": [f"{format_item(item)}; {explain_gone(item, found)}" for item in found.advice.gone],
        "Worsened": [_format_move(pair) for pair in found.advice.worsened],
        "Improved": [_format_move(pair) for pair in found.advice.improved],
        "Accepted": [
            f"{item.rule.name}, {text.thing(item)}: {text.describe_acceptance(item)}" for item in found.advice.accepted
        ],
        "Not compared": [f"{source}: {reason}" for source, reason in found.not_compared.items()],
    }
    for heading, entries in said.items():
        if entries:
            lines += ["", paint(f"{heading} ({len(entries)})", bold=True)]
            lines += [line for entry in entries for line in text.wrap(entry, width, "  - ")]
        elif heading == "Changed settings":
            lines += ["", "No setting changed."]
    if not (found.advice.new or found.advice.gone or found.advice.worsened or found.advice.improved):
        lines += ["", "The advice is the same."]
    return "\n".join(lines) + "\n"


def change_text(change: SettingChange) -> str:
    """Describe a change, with the advice that it carries out, or that asked for another value."""
    member = "" if change.member is None else f", member {change.member}"
    return f"{setting(change)}{member}: {values(change)}{mark(change)}"


def setting(change: SettingChange) -> str:
    """Return the setting or object that changed."""
    if change.scope in _SCOPES:
        return f"{_SCOPES[change.scope]} {change.name.upper()}"
    kind, _, name = change.name.partition(":")
    thing, _, attribute = name.rpartition(":")
    return f"{_KINDS[kind]} {name}" if _concerns_object(change) else f"{_KINDS[kind]} {thing}, {attribute}"


def _concerns_object(change: SettingChange) -> bool:
    """Return whether the object itself was added or removed."""
    return change.scope == "DDL" and None in (change.old, change.new)


def values(change: SettingChange) -> str:
    """Return the old and the new value."""
    if _concerns_object(change):
        return "created" if change.old is None else "dropped"
    return f"{change.old or 'unset'} -> {change.new or 'unset'}"


def mark(change: SettingChange) -> str:
    """Name the advice that the change carries out, or that asked for another value."""
    if change.advised is None:
        return ""
    name = f"{change.advised.rule.name} (rank {change.advised.rank})"
    return f"; carries out {name}" if change.carries_out else f"; {name} advised {change.advised.proposed}"


def explain_gone(item: Recommendation, found: Difference) -> str:
    """Explain why a recommendation is no longer in the list."""
    if any(change.carries_out and change.advised is item for change in found.changes):
        return "carried out"
    for now in found.after.recommendations:
        if now.key == item.key:
            return f"now left out: {text.explain_suppression(now)}"
    for rule, reason in found.after.not_run:
        if rule == item.rule.name:
            return f"its rule could not run: {reason}"
    return "not found any more"


def format_item(item: Recommendation) -> str:
    """Return a recommendation with its rank and benefit."""
    benefit = f", {text.percent(item.benefit)}" if lane_of(item.lane).by_benefit else ""
    accepted = f"; {text.describe_acceptance(item)}" if item.accepted else ""
    return f"#{item.rank} {text.title(item)} [{item.rule.name}]{benefit}{accepted}"


def _format_move(pair: Pair[Recommendation]) -> str:
    return f"{format_item(pair.after)}, was {text.percent(pair.before.benefit)}"


def as_json(found: Difference) -> str:
    return text.json_text(document(found))


def document(found: Difference) -> dict[str, Any]:
    advice = found.advice
    return {
        **head(),
        "database": found.after.database,
        "before": {"begin": found.before.window.begin, "end": found.before.window.end},
        "after": {"begin": found.after.window.begin, "end": found.after.window.end},
        "changes": [_change(change) for change in found.changes],
        "not_compared": [{"source": source, "reason": reason} for source, reason in found.not_compared.items()],
        "new": [_item(item) for item in advice.new],
        "gone": [_item(item) | {"why": explain_gone(item, found)} for item in advice.gone],
        "worsened": [_pair(pair) for pair in advice.worsened],
        "bettered": [_pair(pair) for pair in advice.improved],
        "accepted": [_item(item) for item in advice.accepted],
    }


def _change(change: SettingChange) -> dict[str, Any]:
    return {
        "scope": change.scope,
        "member": change.member,
        "name": change.name,
        "target": change.target,
        "old": to_number(change.old),
        "new": to_number(change.new),
        "advised_by": change.advised and change.advised.rule.name,
        "proposed": to_number(change.advised.proposed) if change.advised else None,
        "carries_out": change.carries_out,
    }


def _item(item: Recommendation) -> dict[str, Any]:
    return {
        "rank": item.rank,
        "rule": item.rule.name,
        "object": object_of(item),
        "benefit_pct": round(item.benefit, 4),
        "finding": item.finding,
        "accepted": text.describe_acceptance(item),
    }


def _pair(pair: Pair[Recommendation]) -> dict[str, Any]:
    return _item(pair.after) | {"benefit_before_pct": round(pair.before.benefit, 4)}
