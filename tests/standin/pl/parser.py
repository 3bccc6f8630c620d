"""Parses routines, compound statements and single control statements of SQL PL."""

from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.exceptions import VisitError

from tests.standin import results
from tests.standin.errors import Db2Error
from tests.standin.pl import tree
from tests.standin.pl.build import Routines
from tests.standin.pl.check import check_function, check_procedure, check_statement

_GRAMMAR = Path(__file__).with_name("sqlpl.lark")
_BEFORE = 20  # characters of text before an error that its message shows


@cache
def _parser() -> Lark:
    return Lark(
        _GRAMMAR.read_text("utf-8"),
        parser="lalr",
        start=["routine", "block"],
        propagate_positions=True,
        maybe_placeholders=True,
    )


def _expected(error: UnexpectedInput) -> str:
    """One of the words or signs that would have been right, as an example."""
    names = sorted(getattr(error, "expected", None) or getattr(error, "allowed", None) or ())
    terminals = {terminal.name: terminal.pattern for terminal in _parser().terminals}
    words = [terminals[name].value for name in names if name in terminals and terminals[name].type == "str"]
    return words[0] if words else "<identifier>"


def _syntax_error(error: UnexpectedInput, text: str) -> Db2Error:
    at = error.pos_in_stream if error.pos_in_stream is not None else len(text)
    if isinstance(error, UnexpectedToken):
        found = "END-OF-STATEMENT" if error.token.type == "$END" else str(error.token)
        at = len(text.rstrip()) if error.token.type == "$END" else at
    else:
        found = text[at]
    if isinstance(error, UnexpectedCharacters) and found == "'":
        return Db2Error(-10, "42603", text[at : at + _BEFORE])
    return Db2Error(-104, "42601", found, text[:at].rstrip()[-_BEFORE:], _expected(error))


def _parse(text: str, start: str) -> Any:
    return results.result((text, start), lambda: _parse_anew(text, start))


def _parse_anew(text: str, start: str) -> Any:
    try:
        return Routines(text).transform(_parser().parse(text, start=start))
    except UnexpectedInput as error:
        raise _syntax_error(error, text) from None
    except VisitError as error:
        if isinstance(error.orig_exc, Db2Error):
            raise error.orig_exc from None
        raise


def _parse_routine(text: str, kind: type[Any], other: str) -> Any:
    definition = _parse(text, "routine")
    if not isinstance(definition, kind):
        raise Db2Error(-104, "42601", other, "CREATE", "PROCEDURE" if other == "FUNCTION" else "FUNCTION")
    return definition


def parse_procedure(text: str) -> tree.ProcedureDefinition:
    """CREATE PROCEDURE: raises -104 and the errors that Db2 finds without looking at other objects."""
    definition: tree.ProcedureDefinition = _parse_routine(text, tree.ProcedureDefinition, "FUNCTION")
    check_procedure(definition)
    return definition


def parse_function(text: str) -> tree.FunctionDefinition:
    """CREATE FUNCTION of a scalar function in SQL."""
    definition: tree.FunctionDefinition = _parse_routine(text, tree.FunctionDefinition, "PROCEDURE")
    check_function(definition)
    return definition


def parse_statement(text: str) -> tree.Statement:
    """A compound statement, or a single statement such as CALL, SET or SIGNAL."""
    statement: tree.Statement = _parse(text, "block")
    check_statement(statement)
    return statement
