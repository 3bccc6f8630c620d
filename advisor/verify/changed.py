"""The settings that changed between two captures, each with the advice that it carries out and what takes it back."""

from dataclasses import dataclass
from pathlib import Path

from advisor.capture.hostfacts import Facts
from advisor.capture.site import Site
from advisor.judge import changes
from advisor.judge.changes import SettingChange
from advisor.judge.run import advise
from advisor.report.diff import change_text


@dataclass(frozen=True)
class Changed:
    """One change in words. ``rule`` is that of the advice it carries out, None where it carries out none.

    ``benefit`` is what that advice promised, in percent of database time, and ``undo`` what it said to take it back.
    """

    text: str
    target: str
    rule: str | None
    benefit: float | None = None
    undo: tuple[str, ...] = ()


def between(
    before: Path, after: Path, hostfacts: Facts | None = None, site: Site | None = None
) -> tuple[list[Changed], dict[str, str]]:
    """What changed between the ends of two captures, and what could not be compared, with the reason."""
    found, not_compared = changes.changes(before, after)
    if found:
        found = changes.matched(found, advise(before, hostfacts=hostfacts, site=site))
    return [_changed(change) for change in found], not_compared


def _changed(change: SettingChange) -> Changed:
    advised = change.advised if change.carries_out else None
    if advised is None:
        unasked = "" if change.advised else "; no advice asked for it"
        return Changed(f"{change_text(change)}{unasked}", change.target, None)
    promised = advised.benefit if advised.benefit_high else None
    return Changed(change_text(change), change.target, advised.rule.name, promised, tuple(advised.undo))
