"""A file for db2advis, the Design Advisor of Db2: the top statements with how often they run."""

import re
from collections.abc import Iterator

from advisor.catalogue.sqltext import code
from advisor.judgement.statements import Statement, Statements
from advisor.quoting import holds_control, shell
from advisor.report.text import make_printable

_WORDS = ("SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE", "MERGE")  # how it must begin
_OPENS = re.compile(r"""['"]|/\*""")  # a literal, a name, a comment
_LAYOUT = str.maketrans("\t\r\n", "   ")


def render(given: Statements, database: str) -> str:
    """Return the text of the file. A comment gives the reason for each statement that is left out."""
    lines = [
        f"-- The top statements of {make_printable(database)} for the Design Advisor: db2advis -d {shell(database)} -i FILE -t 5",
        "-- Names without a schema are those of the user; -q SCHEMA names another one.",
    ]
    for item in given.top:
        lines += ["", *_statement(item)]
    return "\n".join(lines) + "\n"


def _statement(item: Statement) -> Iterator[str]:
    if why := _explain_omission(item):
        yield f"-- Statement {make_printable(item.name)} is left out: {why}."
        if item.executable_id:
            function = f"MON_GET_PKG_CACHE_STMT(NULL, x'{item.executable_id}', NULL, {item.member})"
            yield f"-- SELECT STMT_TEXT FROM TABLE({function}) AS T"
        return
    yield f"--#SET FREQUENCY {max(item.executions, 1)}"
    yield f"{(item.text or '').strip()};"


def _explain_omission(item: Statement) -> str | None:
    """Return why db2advis cannot read a statement, or None if it can."""
    if item.text is None:
        return "its text was not collected"
    if item.text_state == "cut":
        return "its text is cut off"
    if not item.text.lstrip("( \t\r\n").upper().startswith(_WORDS):
        return "it is neither a query nor a change of rows"
    return _explain_unsafe(item.text)


def _explain_unsafe(text: str) -> str | None:
    """Return why a text could reach into the statement after it, or steer a terminal; None if it cannot."""
    if ";" in text:
        return "a semicolon in its text would end it"
    if "--" in text:
        return "a comment in its text would hide its end"
    if _OPENS.search(code(text).replace("''", " ")):
        return "a quote or a comment in its text has no end"
    return "its text holds control characters" if holds_control(text.translate(_LAYOUT)) else None
