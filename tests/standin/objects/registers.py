"""Special registers: their types, what they begin as, and the DuckDB expressions of them and of other values.

A session keeps them as variables of its DuckDB connection, so that views can read them.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from tests.standin.errors import Db2Error
from tests.standin.types import Column, SqlType, duckdb_type

FORMATS: tuple[tuple[type, Callable[[Any], str]], ...] = (  # the first that fits
    (type(None), lambda _: "NULL"),
    (bool, str),
    (int, str),
    (Decimal, str),
    (float, lambda value: f"CAST('{value!r}' AS DOUBLE)"),
    (bytes, lambda value: f"UNHEX('{value.hex()}')"),
    (datetime, lambda value: f"TIMESTAMP '{value.isoformat(' ')}'"),
    (date, lambda value: f"DATE '{value.isoformat()}'"),
    (time, lambda value: f"TIME '{value.isoformat()}'"),
    (object, lambda value: "'" + str(value).replace("'", "''") + "'"),
)


def literal(value: Any) -> str:
    """DuckDB text of a value."""
    return next(text(value) for kind, text in FORMATS if isinstance(value, kind))


NAME = SqlType("VARCHAR", 128)
TIMESTAMP = "CURRENT TIMESTAMP"
SCHEMA = "CURRENT SCHEMA"
PATH = "CURRENT PATH"
USER = "USER"
SYSTEM_PATH = ("SYSIBM", "SYSFUN", "SYSPROC", "SYSIBMADM")

TYPES: dict[str, SqlType] = {
    TIMESTAMP: SqlType("TIMESTAMP", 6),
    "CURRENT DATE": SqlType("DATE"),
    "CURRENT TIME": SqlType("TIME"),
    "CURRENT TIMEZONE": SqlType("DECIMAL", 6, 0),
    USER: NAME,
    "CURRENT USER": NAME,
    "SESSION_USER": NAME,
    "SYSTEM_USER": NAME,
    "CURRENT SERVER": SqlType("VARCHAR", 18),
    SCHEMA: NAME,
    PATH: SqlType("VARCHAR", 2048),
    "CURRENT MEMBER": SqlType("INTEGER"),
    "CURRENT LOCK TIMEOUT": SqlType("INTEGER"),
    "CURRENT ISOLATION": SqlType("CHAR", 2),
    "CURRENT DEGREE": SqlType("CHAR", 5),
    "CURRENT QUERY OPTIMIZATION": SqlType("INTEGER"),
    "CURRENT CLIENT_APPLNAME": SqlType("VARCHAR", 255),
    "CURRENT CLIENT_USERID": SqlType("VARCHAR", 255),
    "CURRENT CLIENT_WRKSTNNAME": SqlType("VARCHAR", 255),
    "CURRENT CLIENT_ACCTNG": SqlType("VARCHAR", 255),
    "CURRENT LOCALE LC_TIME": SqlType("VARCHAR", 128),
    "CURRENT EXPLAIN MODE": SqlType("VARCHAR", 254),
}
SYNONYMS = {
    "CURRENT SQLID": SCHEMA,
    "CURRENT NODE": "CURRENT MEMBER",
    "CURRENT DBPARTITIONNUM": "CURRENT MEMBER",
    "CURRENT FUNCTION PATH": PATH,
    "SESSION USER": "SESSION_USER",
    "SYSTEM USER": "SYSTEM_USER",
    "CLIENT APPLNAME": "CURRENT CLIENT_APPLNAME",
    "CLIENT USERID": "CURRENT CLIENT_USERID",
    "CLIENT WRKSTNNAME": "CURRENT CLIENT_WRKSTNNAME",
    "CLIENT ACCTNG": "CURRENT CLIENT_ACCTNG",
}
FROM_THE_CLOCK = {"CURRENT DATE", "CURRENT TIME"}
READ_ONLY = {TIMESTAMP, USER, "CURRENT USER", "SYSTEM_USER", "CURRENT SERVER", "CURRENT MEMBER", "CURRENT TIMEZONE"}
ISOLATIONS = {"UR", "CS", "RR", "RS", "RESET"}
IGNORED = re.compile(
    r"\s*(REFRESH|OPTIMIZATION|MDC|TEMPORAL|SQL_CCFLAGS|DECFLOAT|FEDERATED|IMPLICIT|MAINTAINED)\b", re.I
)

_WORD = re.compile(r"\w+")
_BARE = re.compile(r'[^\W\d][\w@#$]*|"(?:[^"]|"")+"')
_NAMED = {SCHEMA, "CURRENT LOCALE LC_TIME"}  # take an identifier, too


def register(name: str) -> tuple[Column, str] | None:
    """Return a register's column and the DuckDB text that reads it, or None if no register has this name."""
    known = canonical(name)
    if known is None:
        return None
    kind = TYPES[known]
    variable = TIMESTAMP if known in FROM_THE_CLOCK else known
    text = f"CAST(getvariable({literal(variable)}) AS {duckdb_type(TYPES[variable])})"
    if known in FROM_THE_CLOCK:
        text = f"CAST({text} AS {duckdb_type(kind)})"
    return Column(known, kind, nullable=known == "CURRENT ISOLATION"), text


def canonical(name: str) -> str | None:
    """The name that a register is kept by: CURRENT_DATE and CURRENT DATE are one."""
    plain = " ".join(name.upper().split())
    for spelling in (plain, plain.replace("CURRENT_", "CURRENT ", 1)):
        known = SYNONYMS.get(spelling, spelling)
        if known in TYPES:
            return known
    return None


def initial(user: str, database: str, member: int) -> dict[str, Any]:
    """What the registers of a new session hold; CURRENT TIMESTAMP is set with every statement."""
    return {
        USER: user,
        "CURRENT USER": user,
        "SESSION_USER": user,
        "SYSTEM_USER": user,
        "CURRENT SERVER": database,
        SCHEMA: user,
        PATH: path_text((*SYSTEM_PATH, user)),
        "CURRENT MEMBER": member,
        "CURRENT TIMEZONE": 0,
        "CURRENT LOCK TIMEOUT": -1,
        "CURRENT ISOLATION": "  ",
        "CURRENT DEGREE": "1    ",
        "CURRENT QUERY OPTIMIZATION": 5,
        "CURRENT CLIENT_APPLNAME": "",
        "CURRENT CLIENT_USERID": "",
        "CURRENT CLIENT_WRKSTNNAME": "",
        "CURRENT CLIENT_ACCTNG": "",
        "CURRENT LOCALE LC_TIME": "en_US",
        "CURRENT EXPLAIN MODE": "NO",
    }


def path_text(schemas: tuple[str, ...]) -> str:
    return ",".join('"' + schema + '"' for schema in schemas)


def split(text: str) -> tuple[str, str] | None:
    """The register that SET CURRENT ... names, and the text of its value; None for one that means nothing here."""
    if IGNORED.match(text):
        return None
    words = list(_WORD.finditer(text))
    for count in (3, 2, 1):
        name = canonical("CURRENT " + " ".join(word[0] for word in words[:count]))
        if name and name not in READ_ONLY and len(words) > count - 1:
            return name, text[words[count - 1].end() :].lstrip(" \t\r\n=")
    raise Db2Error(-104, "42601", text.split(maxsplit=1)[0], "SET CURRENT", "SCHEMA")


def value(name: str, text: str, evaluate: Callable[[str], Any]) -> Any:
    """The value that SET gives a register: an identifier, a list of schemas, a keyword or an expression."""
    if name == PATH:
        return path_text(tuple(schema for item in text.split(",") for schema in _schemas(item.strip(), evaluate)))
    if name == "CURRENT ISOLATION":
        return _isolation(text)
    if name == "CURRENT LOCK TIMEOUT":
        return _timeout(text, evaluate)
    if name == "CURRENT EXPLAIN MODE":
        return " ".join(text.upper().split())
    if _BARE.fullmatch(text.strip()) and name in _NAMED and canonical(text) is None:
        return _folded(text.strip())
    given = evaluate(text)
    return str(given).rstrip() if name == SCHEMA else given


def _folded(word: str) -> str:
    return word[1:-1].replace('""', '"') if word.startswith('"') else word.upper()


def _schemas(item: str, evaluate: Callable[[str], Any]) -> tuple[str, ...]:
    """Return the schemas of an item of SET PATH."""
    words = " ".join(item.upper().split())
    if words == "SYSTEM PATH":
        return SYSTEM_PATH
    if canonical(words) is not None:
        return tuple(part.strip('"') for part in str(evaluate(words)).split(","))
    return (item.strip("'") if item.startswith("'") else _folded(item),)


def _isolation(text: str) -> str:
    word = text.strip().strip("'").upper()
    if word not in ISOLATIONS:
        raise Db2Error(-104, "42601", word, "SET CURRENT ISOLATION", "CS")
    return "  " if word == "RESET" else word


def _timeout(text: str, evaluate: Callable[[str], Any]) -> int | None:
    """Seconds; WAIT is without end (-1), NOT WAIT 0, NULL as the database is configured."""
    words = text.upper().split()
    if words[:1] == ["NOT"]:
        return 0
    if words == ["WAIT"]:
        return -1
    if words == ["NULL"]:
        return None
    return int(evaluate(" ".join(words[1:] if words[0] == "WAIT" else words)))
