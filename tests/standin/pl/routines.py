"""What the session runs: procedures, scalar functions, compound statements and single statements."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tests.standin.api import Executor, Outcome, Parameter, Procedure
from tests.standin.errors import Db2Error
from tests.standin.pl import tree
from tests.standin.pl.interpreter import Interpreter, Returned, Unhandled
from tests.standin.pl.markers import marker_block, name_markers
from tests.standin.pl.parser import parse_statement
from tests.standin.pl.scope import STATEMENT, Activation, Block, activation
from tests.standin.types import Column, SqlType

_STATUS = SqlType("INTEGER")
_FRAMES = 20_000  # of Python's stack: 64 levels of calls, each of some statements inside of others


def _run(run: Activation, body: tree.Statement, block: Block, returns: SqlType = _STATUS) -> tuple[Any, Outcome]:
    """Run a body: what RETURN gave, and how a single statement ended."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _FRAMES))
    try:
        outcome = Interpreter(run, returns).statement(body, block)
    except Returned as returned:
        return returned.value, Outcome()
    except Unhandled as unhandled:
        raise unhandled.condition.error from None
    return None, outcome or Outcome()


def make_procedure(definition: tree.ProcedureDefinition, schema: str, definer: str = "") -> Procedure:
    """The procedure that a definition gives in a schema (that of CREATE PROCEDURE without one)."""
    parameters = tuple(Parameter(Column(item.name, item.type), item.mode) for item in definition.parameters)
    return Procedure(
        schema=definition.name.qualifier or schema,
        name=definition.name.name,
        parameters=parameters,
        defaults=tuple(item.default for item in definition.parameters),
        run=partial(_call, definition),
        text=definition.text,
        definer=definer,
        access=definition.access,
        autonomous=definition.autonomous,
    )


def _arguments(parameters: Sequence[tree.ParameterDefinition], name: str, values: Sequence[Any]) -> Block:
    block = Block(qualifier=name)
    for item, value in zip(parameters, values, strict=True):
        block.declare(Column(item.name, item.type), None if item.mode == "OUT" else value)
    return block


def _call(definition: tree.ProcedureDefinition, executor: Executor, values: list[Any]) -> Outcome:
    name = definition.name.name
    block = _arguments(definition.parameters, name, values)
    with activation(executor, str(definition.name), "PROCEDURE") as run:
        status, _ = _run(run, definition.body, block)
        if run.caller is not None:
            run.caller.return_status = status or 0
        if definition.commit_on_return:
            executor.execute("COMMIT", None)
            run.executed("COMMIT")
        outcome = _returned(run, definition)
        outcome.parameters = [
            value if item.mode == "IN" else block.value(None, item.name)
            for item, value in zip(definition.parameters, values, strict=True)
        ]
    return outcome


def _returned(run: Activation, definition: tree.ProcedureDefinition) -> Outcome:
    """The result sets, as many as DYNAMIC RESULT SETS allows; more are a warning."""
    results = run.results()
    most = definition.result_sets
    run.close(results[:most])
    if len(results) <= most:
        return Outcome(result_sets=results)
    tokens = (definition.name.name, str(len(results)), str(most))
    return Outcome(result_sets=results[:most], code=464, state="0100E", tokens=tokens)


def call_function(definition: tree.FunctionDefinition, executor: Executor, values: Sequence[Any]) -> Any:
    """The value of a scalar function."""
    block = _arguments(definition.parameters, definition.name.name, values)
    with activation(executor, str(definition.name), "FUNCTION") as run:
        try:
            Interpreter(run, definition.returns).statement(definition.body, block)
        except Returned as returned:
            return returned.value
        except Unhandled as unhandled:
            raise unhandled.condition.error from None
        finally:
            run.close([])
    raise Db2Error(-578, "2F005", str(definition.name))


def run_compound(text: str, executor: Executor, values: Sequence[Any] = ()) -> Outcome:
    """Run a compound statement, or a single one such as CALL, SET and SIGNAL.

    ``values`` are those of the parameter markers; their values afterwards are the outcome's parameters.
    """
    named = name_markers(text)
    statement = parse_statement(named.text)
    if named.markers != len(values):
        raise Db2Error(-313, "07004")
    block = marker_block(statement, executor, values)
    kind = "COMPOUND" if isinstance(statement, tree.Compound) else STATEMENT
    with activation(executor, statement.label or "", kind) as run:
        _, outcome = _run(run, statement, block)
        if kind == STATEMENT:
            run.received.clear()  # they are the caller's
        run.close([])
    return replace(outcome, parameters=[cell.value for cell in block.cells.values()])
