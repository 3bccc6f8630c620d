"""Settings that changed since the previous run, from the ledger in schema TUNE, and the advice that they carry out."""

from collections.abc import Iterable
from dataclasses import replace

from advisor.db2.connection import Connection, Row
from advisor.judgement.changes import SettingChange
from advisor.nightly.runs import Line
from advisor.report.diff import change_text
from advisor.verify.changed import Change

# The entries of this session's run.
_SEEN = "FROM TUNE.CHANGE_LEDGER WHERE SNAP_ID = (SELECT END_ID FROM TUNE.RUN_SNAPSHOT)"
LEDGER = f"SELECT SCOPE, MEMBER, NAME, OLD_VALUE, NEW_VALUE, CARRIES_OUT, ADVISED_IN_RUN {_SEEN} ORDER BY SCOPE, NAME, MEMBER"
# The undo commands of the advice that these changes carry out.
UNDO = (
    "SELECT F.RUN_ID, F.RULE, F.TARGET, C.UNDO_TEXT FROM TUNE.M_FINDING AS F"
    " INNER JOIN TUNE.M_ADVICE AS A ON F.RUN_ID = A.RUN_ID AND F.RULE = A.RULE"
    " AND F.OBJECT_TYPE = A.OBJECT_TYPE AND F.OBJECT_NAME = A.OBJECT_NAME"
    " INNER JOIN TUNE.M_COMMAND AS C ON F.RUN_ID = C.RUN_ID AND F.RULE = C.RULE"
    " AND F.OBJECT_TYPE = C.OBJECT_TYPE AND F.OBJECT_NAME = C.OBJECT_NAME"
    f" WHERE A.POSITION IS NOT NULL AND F.RUN_ID IN (SELECT ADVISED_IN_RUN {_SEEN})"
    " ORDER BY C.STEP DESC, C.UNDO_TEXT"
)


def read_ledger(connection: Connection) -> list[Change]:
    """Return the ledger entries of the latest run in schema TUNE, with their undo commands."""
    entries = [(SettingChange(*values), rule, run) for *values, rule, run in connection.rows(LEDGER)]
    advised = list(connection.rows(UNDO)) if any(run for _, _, run in entries) else []
    return [
        _attach_undo(change, rule, [row for row in advised if row[:2] == (run, rule)]) for change, rule, run in entries
    ]


def attach_promises(changed: Iterable[Change], before: Iterable[Line]) -> list[Change]:
    """Add to each change the object and the promised benefit of the recommendation that it carries out."""
    lines = [line for line in before if line.rank is not None]
    return [_attach_promise(change, [line for line in lines if line.rule == change.rule]) for change in changed]


def _attach_promise(change: Change, of_rule: list[Line]) -> Change:
    found = of_rule if len(of_rule) == 1 else [line for line in of_rule if is_carried_out(line, [change])]
    if len(found) != 1:
        return change
    (line,) = found
    benefit = line.benefit or None
    return replace(
        change, object_type=line.object_type, object_name=line.object_name, benefit=benefit, own_benefit=benefit
    )


def is_carried_out(line: Line, changed: Iterable[Change]) -> bool:
    """Return whether one of the changes carries out the recommendation: its setting, or its index."""
    return any(
        change.rule == line.rule
        and (
            line.target == change.target
            or (line.target or "").startswith(f"{change.target}:")
            or bool(change.promises and change.object_name == line.object_name)
        )
        for change in changed
    )


def _attach_undo(change: SettingChange, rule: str | None, advised: Iterable[Row]) -> Change:
    """Return a change with the undo commands of its target."""
    text = change_text(change)
    said = f"{text}; carries out {rule}" if rule else text
    undo = [
        line
        for *_, target, commands in advised
        if commands and target and (target == change.target or target.startswith(f"{change.target}:"))
        for line in commands.splitlines()
    ]
    return Change(said, change.target, rule, undo=tuple(dict.fromkeys(undo)), old=change.old, new=change.new)
