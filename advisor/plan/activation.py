"""Commands that activate a change: the restart, which a script leaves to the person who runs it."""

import re

from advisor.judgement.advice import BY_HAND, Advice
from advisor.plan.steps import Step
from advisor.resources import data_file

# Names that a command accepts unquoted; Db2 allows no other name for a database (c0006993).
_ALIAS = re.compile(r"[A-Za-z@#$][A-Za-z0-9@#$_]*", re.ASCII)


def activation(step: Step, advice: Advice) -> tuple[str, ...]:
    """Return the lines after the step's commands or undo commands, in the form of ``Recommendation.actions``.

    Return nothing if the step needs no restart, or if its own lines restart already.
    """
    rows = [row for row in data_file("plan", "activation") if row["EFFECT"] == step.effect]
    there = [row for row in rows if row["RUNS_ON"] == advice.database.get("runs_on")]
    rows = there or [row for row in rows if not row["RUNS_ON"]]
    said = "\n".join(line for item in step.items for line in item.actions)
    if any(row["LINE"].split(" ")[0] in said for row in rows if not row["LINE"].startswith(BY_HAND)):
        return ()
    return tuple(_line(row["LINE"], advice.database["name"]) for row in rows if row["HADR"] in {"", advice.hadr_role})


def _line(line: str, database: str) -> str:
    if "{" not in line:
        return line
    if _ALIAS.fullmatch(database):
        return line.format(DATABASE=database)
    return f"{BY_HAND}{line.format(DATABASE='for the database; its name is not valid in a command')}"
