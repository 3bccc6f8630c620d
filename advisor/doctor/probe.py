"""Queries of the doctor, each run once. Errors are kept as answers."""

import re
from functools import cached_property
from typing import Any

from advisor.catalogue.sqltext import statement_of
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.quoting import quoted

_ORDINARY = re.compile(r"[A-Z_][A-Z0-9_]*")

Fields = dict[str, Any]


class Probe:
    """The answers of one connection. Each query runs once."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._answers: dict[str, list[Fields] | Db2Failure] = {}

    def rows(self, question: str) -> list[Fields]:
        """Return the rows of a question in sql/doctor/queries.sql. Raise its Db2Failure each time if the query failed."""
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

    def setting(self, name: str) -> list[str]:
        """Return the distinct values of a database parameter on the members. It is empty if the level lacks it."""
        return sorted({row["VALUE"] or "" for row in self.rows("setting") if row["NAME"] == name})

    def is_automatic(self, name: str) -> bool:
        """Return whether Db2 sets a database parameter on every member."""
        flags = [row.get("VALUE_FLAGS") for row in self.rows("setting") if row["NAME"] == name]
        return bool(flags) and all(flag == "AUTOMATIC" for flag in flags)

    def _ask(self, question: str) -> list[Fields]:
        sql = statement_of("doctor/queries", question)
        names = [name for name, _ in self.connection.describe(sql)]
        return [dict(zip(names, row, strict=True)) for row in self.connection.rows(sql)]

    @cached_property
    def database(self) -> str:
        return str(self._session("DATABASE_NAME") or self.connection.address.label)

    @cached_property
    def user(self) -> str:
        """Return the authorization ID for GRANT."""
        return str(self._session("AUTHID") or (self.connection.address.user or "USER").upper())

    def _session(self, name: str) -> str | None:
        try:
            return str(self.rows("session")[0][name]).strip()
        except Db2Failure as failure:
            if failure.dropped:
                raise
            return None

    @cached_property
    def authorities(self) -> dict[str, str]:
        """Return the user's authorities, and the holder of each: the user, a group, a role or PUBLIC."""
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
        """Return the specific names per SYSPROC function. Several of them need GRANT ... ON SPECIFIC FUNCTION."""
        names: dict[str, list[str]] = {}
        for row in self.rows("function"):
            names.setdefault(row["ROUTINENAME"], []).append(row["SPECIFICNAME"])
        return names


def object_name(name: str) -> str:
    """Return the SQL name of an object, which may have a schema. Delimit parts that are not ordinary identifiers."""
    return ".".join(map(identifier, name.split(".", 1)))


def identifier(name: str) -> str:
    """Return a name, delimited if it is not an ordinary identifier."""
    return name if _ORDINARY.fullmatch(name) else quoted(name)
