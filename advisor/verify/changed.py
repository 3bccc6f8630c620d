"""Settings that changed between two captures, each with the advice that it carries out and its undo commands."""

from dataclasses import dataclass
from pathlib import Path

from advisor.capture.hostfacts import Facts
from advisor.capture.site import Site
from advisor.judgement import changes
from advisor.judgement.changes import SettingChange
from advisor.judgement.lessons import own_benefit
from advisor.judgement.run import advise
from advisor.report.diff import change_text


@dataclass(frozen=True)
class Change:
    """One change: a sentence, and the setting with its values.

    ``rule`` is the rule of the advice that it carries out, or None. ``benefit`` is the benefit that the advice promised,
    in percent of database time, and ``undo`` its undo commands. ``own_benefit`` is the rule's own estimate, without
    lessons from other changes.
    """

    text: str
    target: str
    rule: str | None
    benefit: float | None = None
    undo: tuple[str, ...] = ()
    old: str | None = None
    new: str | None = None
    object_type: str | None = None
    object_name: str | None = None
    benefit_low: float | None = None
    benefit_high: float | None = None
    own_benefit: float | None = None


def find_changes(
    before: Path, after: Path, hostfacts: Facts | None = None, site: Site | None = None
) -> tuple[list[Change], dict[str, str]]:
    """Return the changes between the ends of two captures, and the sources that were not compared, with the reason."""
    found, not_compared = changes.changes(before, after)
    if found:
        found = changes.match_recommendations(found, advise(before, hostfacts=hostfacts, site=site))
    return [_make_changed(change) for change in found], not_compared


def _make_changed(change: SettingChange) -> Change:
    advised = change.advised if change.carries_out else None
    if advised is None:
        unasked = "" if change.advised else "; no advice asked for it"
        return Change(f"{change_text(change)}{unasked}", change.target, None, old=change.old, new=change.new)
    promises = bool(advised.benefit_high)
    low, own, high = own_benefit(advised)
    return Change(
        change_text(change),
        change.target,
        advised.rule.name,
        advised.benefit if promises else None,
        tuple(advised.undo),
        change.old,
        change.new,
        advised.object_type,
        advised.object_name,
        low if promises else None,
        high if promises else None,
        own if promises else None,
    )
