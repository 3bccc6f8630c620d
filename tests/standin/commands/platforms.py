"""Managed platforms: which commands they accept, and what these do to a state.

Each platform accepts its own commands, and SQL that any user may run; it refuses everything else. A command of a
platform has the effect of the equivalent host command.
"""

import json
import re
import shlex
from typing import Generic

import yaml

from tests.standin.commands.interpreter import Interpreter
from tests.standin.commands.storage import State

SQL_OF_USERS = re.compile(
    r"(CREATE (UNIQUE )?INDEX|DROP INDEX|ALTER TABLE|RUNSTATS|REORG|CALL SYSPROC\.|UPDATE SYSSTAT|REBIND|GRANT|SET INTEGRITY) ?"
)
SQL_OF_OWNERS = re.compile(r"(CREATE|ALTER|DROP) (BUFFERPOOL|TABLESPACE|LARGE TABLESPACE|SYSTEM TEMPORARY TABLESPACE) ")
_CALL = re.compile(r"CALL RDSADMIN\.(\w+)\((.*)\)$")
_ARGUMENT = re.compile(r"'((?:[^']|'')*)'|(NULL)|(-?\d+)|(\?)")
# what Db2 on IBM Cloud and the operator never let anyone change
_NEVER = re.compile(r"INSTANCE_MEMORY$|DB2_OVERRIDE_")
_LOG = re.compile(r"(LOG(PRIMARY|FILSIZ|SECOND|BUFSZ|ARCH\w+)|(NEW|MIRROR|OVERFLOW)LOGPATH|INSTANCE_MEMORY)$")


class RefusedError(Exception):
    """A platform does not accept a command."""


class Platform:
    """A managed platform (rds, saas or db2u) with one database: the host commands to which its own commands correspond."""

    def __init__(self, runs_on: str, database: str) -> None:
        self.runs_on = runs_on
        self.database = database
        self.kept: dict[str, str] = {}  # the host command of each setting that the platform received, by its name

    def meaning(self, line: str) -> list[str]:
        """Return the host commands of a line. Raise RefusedError for a command that the platform does not have."""
        return {"rds": self._rds, "saas": self._saas, "db2u": self._db2u}[self.runs_on](line)

    def _rds(self, line: str) -> list[str]:
        if line.startswith("aws rds "):
            return _parameter_group(line)
        found = _CALL.match(line)
        if found is None:
            raise RefusedError(line)
        given = [_argument(*each) for each in _ARGUMENT.findall(found[2])]
        database = str(given[0])
        if found[1] == "UPDATE_DB_PARAM":
            _, name, value, *restart = given
            if (name in ("LOGPRIMARY", "LOGFILSIZ")) != (restart == ["YES"]):
                raise RefusedError(f"{line}: only LOGPRIMARY and LOGFILSIZ need a restart")
            return [f"UPDATE DB CFG FOR {database} USING {name} {value}"]
        if found[1] == "ALTER_BUFFERPOOL":
            _, name, pages, immediate, automatic = given
            way = {"Y": "IMMEDIATE", "N": "DEFERRED"}[str(immediate)]
            grows = {"Y": " AUTOMATIC", "N": ""}[str(automatic)]
            return [f"ALTER BUFFERPOOL {_quoted(name)} {way} SIZE {int(str(pages))}{grows}"]
        if found[1] == "ALTER_TABLESPACE":
            _, name, pool, *others = [*given, *[None] * (12 - len(given))]
            if any(each is not None for each in others[:-1]):
                raise RefusedError(f"{line}: an option that excludes the others")
            changes = [
                f"BUFFERPOOL {_quoted(pool)}" if pool else "",
                f"PREFETCHSIZE {others[-1]}" if others[-1] else "",
            ]
            return [f"ALTER TABLESPACE {_quoted(name)} {' '.join(filter(None, changes))}"]
        raise RefusedError(line)

    def _saas(self, line: str) -> list[str]:
        path, _, body = line.partition(" {")
        if path != "POST /manage/deployments/custom_setting":
            raise RefusedError(line)
        given = json.loads("{" + body)
        if set(given) != {"registry", "db", "dbm"}:
            raise RefusedError(line)
        return self._set(given["db"], given["dbm"], given["registry"])

    def _db2u(self, line: str) -> list[str]:
        if SQL_OF_OWNERS.match(line):
            return [line]
        if not line.startswith("spec: "):
            raise RefusedError(line)
        environment = yaml.safe_load(line)["spec"]["environment"]
        instance = environment.get("instance", {})
        database = next(iter(environment.get("databases", ())), {"name": None, "dbConfig": {}})
        return self._set(database["dbConfig"], instance.get("dbmConfig", {}), instance.get("registry", {}))

    def _set(self, database: dict[str, str], instance: dict[str, str], registry: dict[str, str]) -> list[str]:
        for name in (*database, *instance, *registry):
            if (self.runs_on == "saas" and _LOG.match(name)) or _NEVER.match(name):
                raise RefusedError(f"{name}: cannot be changed")
        told = {key: f"UPDATE DB CFG FOR {self.database} USING {key} {value}" for key, value in database.items()}
        told |= {key: f"UPDATE DBM CFG USING {key} {value}" for key, value in instance.items()}
        told |= {key: f"db2set {key}={value}" for key, value in registry.items()}
        self.kept |= told
        return list(told.values())


class ManagedHands(Generic[State]):
    """Carries out commands on a platform."""

    def __init__(self, runs_on: str, state: State) -> None:
        self.platform = Platform(runs_on, state.database["name"])
        self.inner = Interpreter(state)
        self.host: str | None = None

    @property
    def state(self) -> State:
        return self.inner.state

    def carry_out(self, line: str) -> None:
        """Carry out one line of an action. Raise RefusedError for a command that the platform does not have."""
        own = line.startswith("-- ") or SQL_OF_USERS.match(line)
        for command in [line] if own else self.platform.meaning(line):
            self.inner.carry_out(command)

    def reconcile(self) -> None:
        """Let the operator write again what its resource contains, as it does from time to time."""
        for command in self.platform.kept.values():
            self.inner.carry_out(command)


def host_commands(line: str, database: str) -> list[str] | None:
    """Return the host commands of a platform's command; None for any other line."""
    starts = {"CALL RDSADMIN.": "rds", "aws rds ": "rds", "POST /manage/": "saas", "spec: ": "db2u"}
    runs_on = next((value for start, value in starts.items() if line.startswith(start)), None)
    return None if runs_on is None else Platform(runs_on, database).meaning(line)


def _argument(text: str, null: str, number: str, _: str) -> str | int | None:
    if null:
        return None
    return int(number) if number else text.replace("''", "'")


def _quoted(name: object) -> str:
    return '"' + str(name).replace('"', '""') + '"'


def _parameter_group(line: str) -> list[str]:
    """Return the meaning of a change of a parameter group: a shell command with a JSON argument."""
    words = shlex.split(line)
    verb, group, parameters = words[2], words[4], json.loads(words[6])
    if words[3:6:2] != ["--db-parameter-group-name", "--parameters"] or group != "$DB_PARAMETER_GROUP":
        raise RefusedError(line)
    found = []
    for one in parameters:
        if one["ApplyMethod"] != "pending-reboot":
            raise RefusedError(line)
        name = one["ParameterName"].upper()
        value = one.get("ParameterValue", "")
        if (verb == "reset-db-parameter-group") != ("ParameterValue" not in one):
            raise RefusedError(line)
        registry = name.startswith("DB2")
        found.append(f"db2set {name}={value}" if registry else f"UPDATE DBM CFG USING {name} {value}")
    return found
