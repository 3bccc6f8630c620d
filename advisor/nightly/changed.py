"""The settings that changed since the run before, each with the advice that it carries out."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from advisor.capture.hostfacts import Facts
from advisor.capture.site import Site
from advisor.db2.connection import Connection
from advisor.judge import changes
from advisor.judge.changes import SettingChange
from advisor.judge.run import advise
from advisor.nightly.runs import Line
from advisor.report.diff import change_text

# What the run of this session entered.
LEDGER = (
    "SELECT SCOPE, MEMBER, NAME, OLD_VALUE, NEW_VALUE, CARRIES_OUT FROM TUNE.CHANGE_LEDGER"
    " WHERE SNAP_ID = (SELECT END_ID FROM TUNE.RUN_SNAPSHOT) ORDER BY SCOPE, NAME, MEMBER"
)


@dataclass(frozen=True)
class Changed:
    """One change in words; ``rule`` is that of the advice it carries out, None where it carries out none."""

    text: str
    target: str
    rule: str | None


def between(before: Path, after: Path, hostfacts: Facts, site: Site) -> tuple[list[Changed], dict[str, str]]:
    """What changed between the ends of two captures, and what could not be compared, with the reason."""
    found, not_compared = changes.changes(before, after)
    if found:
        found = changes.matched(found, advise(before, hostfacts=hostfacts, site=site))
    return [_changed(change) for change in found], not_compared


def in_ledger(connection: Connection) -> list[Changed]:
    """What the run that schema TUNE has just made entered into its ledger."""
    return [_entered(SettingChange(*values), rule) for *values, rule in connection.rows(LEDGER)]


def carried_out(line: Line, changed: Iterable[Changed]) -> bool:
    """Whether one of the changes does what the recommendation proposed."""
    return any(
        change.rule == line.rule
        and line.target is not None
        and (line.target == change.target or line.target.startswith(f"{change.target}:"))
        for change in changed
    )


def _changed(change: SettingChange) -> Changed:
    rule = change.advised.rule.name if change.advised and change.carries_out else None
    return Changed(change_text(change), change.target, rule)


def _entered(change: SettingChange, rule: str | None) -> Changed:
    text = change_text(change)
    return Changed(f"{text}; carries out {rule}" if rule else text, change.target, rule)
