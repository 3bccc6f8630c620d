"""The settings that changed since the run before as the ledger of TUNE has them, and whose advice they carry out."""

from collections.abc import Iterable

from advisor.db2.connection import Connection, Row
from advisor.judge.changes import SettingChange
from advisor.nightly.runs import Line
from advisor.report.diff import change_text
from advisor.verify.changed import Changed

# What the run of this session entered.
_SEEN = "FROM TUNE.CHANGE_LEDGER WHERE SNAP_ID = (SELECT END_ID FROM TUNE.RUN_SNAPSHOT)"
LEDGER = f"SELECT SCOPE, MEMBER, NAME, OLD_VALUE, NEW_VALUE, CARRIES_OUT, ADVISED_IN_RUN {_SEEN} ORDER BY SCOPE, NAME, MEMBER"
# The advice that these changes carry out: what it is about, what it promised, and what takes each of its steps back.
ADVISED = (
    "SELECT F.RUN_ID, F.RULE, F.TARGET, A.BENEFIT, C.STEP, C.UNDO_TEXT FROM TUNE.M_FINDING AS F"
    " INNER JOIN TUNE.M_ADVICE AS A ON F.RUN_ID = A.RUN_ID AND F.RULE = A.RULE"
    " AND F.OBJECT_TYPE = A.OBJECT_TYPE AND F.OBJECT_NAME = A.OBJECT_NAME"
    " LEFT JOIN TUNE.M_COMMAND AS C ON F.RUN_ID = C.RUN_ID AND F.RULE = C.RULE"
    " AND F.OBJECT_TYPE = C.OBJECT_TYPE AND F.OBJECT_NAME = C.OBJECT_NAME"
    f" WHERE A.POSITION IS NOT NULL AND F.RUN_ID IN (SELECT ADVISED_IN_RUN {_SEEN})"
    " ORDER BY C.STEP DESC, C.UNDO_TEXT"
)


def in_ledger(connection: Connection) -> list[Changed]:
    """What the run that schema TUNE has just made entered into its ledger, with what takes it back."""
    entries = [(SettingChange(*values), rule, run) for *values, rule, run in connection.rows(LEDGER)]
    advised = list(connection.rows(ADVISED)) if any(run for _, _, run in entries) else []
    return [_entered(change, rule, [row for row in advised if row[:2] == (run, rule)]) for change, rule, run in entries]


def carried_out(line: Line, changed: Iterable[Changed]) -> bool:
    """Whether one of the changes does what the recommendation proposed."""
    return any(
        change.rule == line.rule
        and line.target is not None
        and (line.target == change.target or line.target.startswith(f"{change.target}:"))
        for change in changed
    )


def _entered(change: SettingChange, rule: str | None, advised: Iterable[Row]) -> Changed:
    """A change with the rows of its rule's advice, of which those of its own target count."""
    text = change_text(change)
    if rule is None:
        return Changed(text, change.target, None)
    own = [row for row in advised if row[2] and (row[2] == change.target or row[2].startswith(f"{change.target}:"))]
    promised = max((float(benefit) for _, _, _, benefit, _, _ in own if benefit), default=None)
    undo = dict.fromkeys(line for row in own if row[-1] for line in row[-1].splitlines())
    return Changed(f"{text}; carries out {rule}", change.target, rule, promised, tuple(undo))
