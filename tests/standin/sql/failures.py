"""Translation of DuckDB's errors into Db2's codes."""

import re

from tests.standin.errors import Db2Error

OWN = re.compile(r"SQL(\d+)N\|(\w{5})\|(.*)", re.DOTALL)
"""An error that translated text raises itself: code, state, tokens."""

NUMBER_TYPES = {"INT16": "SMALLINT", "INT32": "INTEGER", "INT64": "BIGINT", "FLOAT": "REAL", "BOOL": "BOOLEAN"}

RULES: tuple[tuple[str, int, str, tuple[str, ...]], ...] = (
    (r"More than one row returned by a subquery", -811, "21000", ()),
    (r"Division by zero", -801, "22012", ()),
    (r"Duplicate key .* violates (?:primary key|unique) constraint", -803, "23505", ("1", "{table}")),
    (r"NOT NULL constraint failed: (?P<column>\S+)", -407, "23502", ("{column}",)),
    (r"CHECK constraint failed on table (?P<table>\S+)", -545, "23513", ("{table}",)),
    (r"Violates foreign key constraint because key .* does not exist", -530, "23503", ("{table}",)),
    (r"Violates foreign key constraint because key .* is still referenced", -532, "23504", ("{table}",)),
    (r"MERGE .*more than one", -788, "21506", ("{table}",)),
    (r"Could not convert string .* to (?P<type>\w+)", -420, "22018", ("{type}",)),
    (r"(?:invalid|Invalid).*(?:date|time|timestamp)|field format", -180, "22007", ()),
    (r"(?:date|time|timestamp) field value out of range", -181, "22007", ()),
    (r"Could not parse string", -180, "22007", ()),
    (r"(?:Date|date|Timestamp|timestamp).*(?:overflow|out of range)", -183, "22008", ()),
    (r"out of range for the destination type|Could not cast value", -413, "22003", ()),
    (r"Overflow|out of range|Out of Range|cannot take", -802, "22003", ()),
    (r"INTERRUPT", -952, "57014", ()),
    (r"out of memory|Out of Memory", -954, "57011", ()),
)
"""Messages by pattern, the first that fits; a token may name a group of it, or the changed table."""


def failure(error: Exception, table: str = "") -> Db2Error:
    """Db2's error for one of DuckDB's; ``table`` is the table that the statement changes."""
    message = str(error)
    own = OWN.search(message)
    if own:
        token = own[3].partition("\n\nLINE 1:")[0]
        return Db2Error(-int(own[1]), own[2], *(token.split("\xff") if token else ()))
    for pattern, code, state, tokens in RULES:
        match = re.search(pattern, message)
        if match:
            known = {"table": table} | match.groupdict()
            return Db2Error(code, state, *(_named(token.format(**known)) for token in tokens))
    return Db2Error(-901, "58004", message.splitlines()[0])


def _named(token: str) -> str:
    return NUMBER_TYPES.get(token, token)
