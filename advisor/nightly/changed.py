"""The settings that changed since the run before as the ledger of TUNE has them, and whose advice they carry out."""

from collections.abc import Iterable
from dataclasses import replace

from advisor.db2.connection import Connection
from advisor.judge.changes import SettingChange
from advisor.nightly.runs import Line
from advisor.report.diff import change_text
from advisor.verify.changed import Changed

# What the run of this session entered.
LEDGER = (
    "SELECT SCOPE, MEMBER, NAME, OLD_VALUE, NEW_VALUE, CARRIES_OUT FROM TUNE.CHANGE_LEDGER"
    " WHERE SNAP_ID = (SELECT END_ID FROM TUNE.RUN_SNAPSHOT) ORDER BY SCOPE, NAME, MEMBER"
)


def in_ledger(connection: Connection) -> list[Changed]:
    """What the run that schema TUNE has just made entered into its ledger."""
    return [_entered(SettingChange(*values), rule) for *values, rule in connection.rows(LEDGER)]


def promised(changed: Iterable[Changed], before: Iterable[Line]) -> list[Changed]:
    """The changes with the object and the promise of the line of an earlier run that each carries out."""
    lines = [line for line in before if line.rank is not None]
    return [_promised(change, [line for line in lines if line.rule == change.rule]) for change in changed]


def _promised(change: Changed, of_rule: list[Line]) -> Changed:
    found = of_rule if len(of_rule) == 1 else [line for line in of_rule if carried_out(line, [change])]
    if len(found) != 1:
        return change
    (line,) = found
    benefit = line.benefit or None
    return replace(
        change, object_type=line.object_type, object_name=line.object_name, benefit=benefit, own_benefit=benefit
    )


def carried_out(line: Line, changed: Iterable[Changed]) -> bool:
    """Whether one of the changes does what the recommendation proposed."""
    return any(
        change.rule == line.rule
        and line.target is not None
        and (line.target == change.target or line.target.startswith(f"{change.target}:"))
        for change in changed
    )


def _entered(change: SettingChange, rule: str | None) -> Changed:
    text = change_text(change)
    said = f"{text}; carries out {rule}" if rule else text
    return Changed(said, change.target, rule, old=change.old, new=change.new)
