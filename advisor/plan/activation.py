"""What puts a change into force that waits for a stop: the commands that a script leaves to the one who runs it."""

import re

from advisor.judge.advice import BY_HAND, Advice
from advisor.plan.steps import Step
from advisor.resources import data_file

# Names that a command takes as they are; Db2 allows a database no other (c0006993).
_ALIAS = re.compile(r"[A-Za-z@#$][A-Za-z0-9@#$_]*", re.ASCII)


def activation(step: Step, advice: Advice) -> tuple[str, ...]:
    """The lines after those of the step, or after its way back, as in ``Recommendation.actions``.

    There are none where nothing stops, and where the step's own lines stop it already.
    """
    rows = [row for row in data_file("plan", "activation") if row["EFFECT"] == step.effect]
    said = "\n".join(line for item in step.items for line in item.actions)
    if any(row["LINE"].split(" ")[0] in said for row in rows if not row["LINE"].startswith(BY_HAND)):
        return ()
    return tuple(_line(row["LINE"], advice.database["name"]) for row in rows if row["HADR"] in {"", advice.hadr_role})


def _line(line: str, database: str) -> str:
    if "{" not in line:
        return line
    if _ALIAS.fullmatch(database):
        return line.format(DATABASE=database)
    return f"{BY_HAND}{line.format(DATABASE='for the database, whose name no command takes as it is')}"
