"""The scripts for managed platforms: for RDSADMIN, the AWS command line, a REST API and a custom resource.

sql/plan/recipients.csv says by the START of a command who gets it (USER) and how the name of the file ends (ENDING).
sql/plan/platforms/ contains the beginning of each shell script.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from advisor.catalogue.commands import recipient
from advisor.quoting import alias, literal, shell
from advisor.resources import SQL, data_file

TASK = re.compile(r"CALL RDSADMIN\.(\w+)\(")
_HERE = "END_OF_STATEMENT"
HOW_TO_RUN = {
    "rdsadmin": "Run it on a client that has both databases in its directory: sh {name} <master user>",
    "aws": "Run it with: DB_PARAMETER_GROUP=<group> sh {name}. Then: aws rds reboot-db-instance",
    "service": "Run it with: sh {name}. The service carries the change out later: see its list of settings (tuneable_param).",
    "cluster": "Merge it into the Db2uInstance (kubectl edit); databases is a list, so a merge patch would replace it."
    " Wait until the config map is in the pod, then run there: su -lc '/db2u/scripts/apply-db2cfg-settings.sh --setting"
    " all' <instance owner>. Repeat that until GET DB CFG or db2set shows the values. A value that only the command line"
    " processor sets comes back after the operator's next turn.",
}


def ask_recipients(lines: Iterable[str], column: str) -> list[str]:
    """Return a column of the recipients of these lines, each text once."""
    return list(dict.fromkeys(row[column] for row in map(recipient, lines) if row))


def user_of(name: str) -> str | None:
    """Return the recipient of a file; None for a file for Db2 or a host."""
    return next((row["USER"] for row in data_file("plan", "recipients") if name.endswith(row["ENDING"])), None)


def body(user: str, lines: list[str], database: str, before: list[str], after: list[str]) -> Iterator[str]:
    """Yield the lines of a script after its head.

    ``lines`` are commands, and comments that begin with #. ``before`` and ``after`` are checks in SQL (check_in_shell).
    """
    if user == "cluster":
        yield from (line for line in lines if line.startswith("#"))
        yield resource(line for line in lines if not line.startswith("#")).rstrip("\n")
        return
    yield (SQL / "plan" / "platforms" / f"{user}.sh").read_text(encoding="utf-8")
    if user != "rdsadmin":
        yield from (_command(user, line) for line in lines)
        return
    yield f"database={shell(alias(database))}"
    yield f"in_literal={shell(literal(database)[1:-1])}"
    yield from _checked(before)
    yield 'run "CONNECT TO RDSADMIN USER $user"'
    yield from (_command(user, line) for line in lines)
    yield from _checked(after)
    yield "run TERMINATE"


def resource(lines: Iterable[str]) -> str:
    """Return the fragments of a custom resource as one, in YAML."""
    merged: dict[str, Any] = {}
    for line in lines:
        _merge(merged, yaml.safe_load(line))
    return yaml.safe_dump(merged, sort_keys=False, default_flow_style=False)


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict):
            _merge(into.setdefault(key, {}), value)
        elif isinstance(value, list):  # databases, by name
            for each in value:
                known = into.setdefault(key, [])
                same = next((one for one in known if one["name"] == each["name"]), None)
                if same is None:
                    known.append(each)
                else:
                    _merge(same, each)
        else:
            into[key] = value


def _command(user: str, line: str) -> str:
    if line.startswith("#") or user == "aws":
        return line
    if user == "service":
        return f"post {shell(line[line.index(' {') + 1 :])}"
    found = TASK.match(line)
    return f"call {found[1] if found else 'TASK'} {shell(line)}"


def check_in_shell(statement: str, end: str) -> str:
    """Return a check as input of the command line processor; ``end`` is a character that is not in it."""
    return f"run +p -std{end} <<'{_HERE}'\n{statement}\n{end}\n{_HERE}"


def _checked(asked: list[str]) -> Iterator[str]:
    """Yield checks on a connection to the database."""
    if asked:
        yield 'run "CONNECT TO $database USER $user"'
        yield from asked
