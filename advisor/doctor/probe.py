"""Asking a server questions for the doctor: each one once, and no answer is an answer too."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from advisor.catalogue.sqltext import without_comments
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.quoting import quoted
from advisor.resources import SQL

_ORDINARY = re.compile(r"[A-Z_][A-Z0-9_]*")

Fields = dict[str, Any]


class State(Enum):
    """How a check came out; a note is a fact that needs no judgement."""

    OK = "ok"
    MISSING = "missing"
    UNKNOWN = "unknown"
    NOTE = "note"


@dataclass(frozen=True)
class Check:
    """One line: what was looked at, what was found, and the commands that would mend it."""

    area: str
    what: str
    state: State
    found: str
    commands: tuple[str, ...] = ()


class Examination:
    """The answers of one connection; each question is asked once."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._answers: dict[str, list[Fields] | Db2Failure] = {}

    def rows(self, question: str) -> list[Fields]:
        """The rows of sql/doctor/<question>.sql; raises Db2Failure, each time, where it cannot be answered."""
        if question not in self._answers:
            try:
                self._answers[question] = self._ask(question)
            except Db2Failure as failure:
                if failure.dropped:
                    raise
                self._answers[question] = failure
        answer = self._answers[question]
        if isinstance(answer, Db2Failure):
            raise answer
        return answer

    def _ask(self, question: str) -> list[Fields]:
        sql = without_comments((SQL / "doctor" / f"{question}.sql").read_text(encoding="utf-8"))
        names = [name for name, _ in self.connection.describe(sql)]
        return [dict(zip(names, row, strict=True)) for row in self.connection.rows(sql)]

    @cached_property
    def database(self) -> str:
        return str(self._session("DATABASE_NAME") or self.connection.target.label)

    @cached_property
    def user(self) -> str:
        """The authorization ID, which GRANT names."""
        return str(self._session("AUTHID") or (self.connection.target.user or "USER").upper())

    def _session(self, name: str) -> str | None:
        try:
            return str(self.rows("session")[0][name]).strip()
        except Db2Failure as failure:
            if failure.dropped:
                raise
            return None

    @cached_property
    def authorities(self) -> dict[str, str]:
        """Authorities that the user holds, with how: by itself, a group, a role or PUBLIC."""
        ways = {
            "D_USER": "the user",
            "ROLE_USER": "a role",
            "D_PUBLIC": "PUBLIC",
            "ROLE_PUBLIC": "PUBLIC",
            "D_GROUP": "a group",
            "ROLE_GROUP": "a group",
        }
        held = {}
        for row in self.rows("authority"):
            by = next((way for column, way in ways.items() if row[column] == "Y"), None)
            if by:
                held[row["AUTHORITY"]] = by
        return held

    @cached_property
    def specific_names(self) -> dict[str, list[str]]:
        """The specific names of each function of SYSPROC; a name with several needs GRANT ... ON SPECIFIC FUNCTION."""
        names: dict[str, list[str]] = {}
        for row in self.rows("function"):
            names.setdefault(row["ROUTINENAME"], []).append(row["SPECIFICNAME"])
        return names


def answered(area: str, what: str, ask: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """The checks; or, where Db2 does not answer, one that says why."""
    try:
        yield from list(ask())
    except Db2Failure as failure:
        if failure.dropped:
            raise
        yield Check(area, what, State.UNKNOWN, failure.reason)


def object_name(name: str) -> str:
    """A name as SQL writes it: parts that are not ordinary identifiers are delimited."""
    return ".".join(part if _ORDINARY.fullmatch(part) else quoted(part) for part in name.split(".", 1))
