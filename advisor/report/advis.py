"""A file for db2advis, the Design Advisor of Db2: the top statements with how often they run."""

from collections.abc import Iterator

from advisor.judge.statements import Statement, Statements
from advisor.report.text import safe

_WORDS = ("SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE", "MERGE")  # how it must begin


def render(given: Statements, database: str) -> str:
    """The text of the file; a comment says of each statement that is left out why."""
    lines = [
        f"-- The top statements of {safe(database)} for the Design Advisor: db2advis -d {safe(database)} -i FILE -t 5",
        "-- Names without a schema are those of the user; -q SCHEMA names another one.",
    ]
    for item in given.top:
        lines += ["", *_statement(item)]
    return "\n".join(lines) + "\n"


def _statement(item: Statement) -> Iterator[str]:
    if why := _left_out(item):
        yield f"-- Statement {safe(item.name)} is left out: {why}."
        if item.executable_id:
            function = f"MON_GET_PKG_CACHE_STMT(NULL, x'{item.executable_id}', NULL, {item.member})"
            yield f"-- SELECT STMT_TEXT FROM TABLE({function}) AS T"
        return
    yield f"--#SET FREQUENCY {max(item.executions, 1)}"
    yield f"{(item.text or '').strip()};"


def _left_out(item: Statement) -> str | None:
    """Why db2advis could not read it; None where it can."""
    if item.text is None:
        return "its text was not collected"
    if item.text_state == "cut":
        return "its text is longer than what is known of it"
    if not item.text.lstrip("( \t\r\n").upper().startswith(_WORDS):
        return "it is no query and no change of rows"
    if ";" in item.text:
        return "a semicolon in its text would end it"
    return None
