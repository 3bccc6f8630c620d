"""CALL from SQL PL: arguments, values that come back, and result sets of the procedure that was called."""

import itertools
import re
from dataclasses import replace
from typing import Any

from tests.standin.api import DEFAULT_ARGUMENT, Outcome, Parameter, Procedure
from tests.standin.errors import Db2Error
from tests.standin.pl import tree
from tests.standin.pl.assignment import convert, store, type_of
from tests.standin.pl.scope import Activation, Block, Cursor

_IDENTIFIER = r'(?:[^\W\d][\w$#@]*|"(?:[^"]|"")+")'
_VARIABLE = re.compile(rf"\s*(?:({_IDENTIFIER})\s*\.\s*)?({_IDENTIFIER})\s*")


def _folded(identifier: str) -> str:
    return identifier[1:-1].replace('""', '"') if identifier.startswith('"') else identifier.upper()


def variable_name(expression: str) -> tree.Name | None:
    """The variable that an expression consists of, if it does."""
    match = _VARIABLE.fullmatch(expression)
    if match is None:
        return None
    qualifier, name = match.groups()
    return tree.Name(_folded(qualifier) if qualifier else None, _folded(name))


def output_variable(expression: str | None, parameter: Parameter, routine: str, position: int) -> tree.Name:
    """The variable that takes the value of an OUT or INOUT parameter: -469 for anything else."""
    name = variable_name(expression) if expression is not None else None
    if name is None:
        raise Db2Error(-469, "42886", parameter.mode, routine, routine, str(position + 1), parameter.column.name)
    return name


def give_back(run: Activation, block: Block, variable: tree.Name, parameter: Parameter, value: Any) -> None:
    target = type_of(run.executor, block, variable)
    store(run.executor, block, variable, convert(run.executor, value, parameter.column.type, target))


def receive(run: Activation, outcome: Outcome, procedure: tree.Name | None) -> Outcome:
    """Keep the result sets of a CALL for ASSOCIATE LOCATORS; those of an earlier CALL of the procedure are gone."""
    key = procedure.name if procedure is not None else ""
    for result in run.received.pop(key, []):
        result.close()
    if not outcome.result_sets:
        return outcome
    run.received[key] = outcome.result_sets
    if outcome.code:
        return outcome
    return replace(outcome, code=466, state="0100C", tokens=(key, str(len(outcome.result_sets))))


def position_of(procedure: Procedure, argument: tree.Argument, at: int) -> int:
    """Return the position of an argument's parameter; raise -440 if no parameter has that name."""
    if argument.name is None:
        return at
    for position, parameter in enumerate(procedure.parameters):
        if parameter.column.name == argument.name:
            return position
    raise Db2Error(-440, "42884", procedure.name, "PROCEDURE")


def call(run: Activation, node: tree.Call, block: Block) -> Outcome:
    procedure = run.executor.procedure(*node.procedure, len(node.arguments))
    values: list[Any] = []
    variables: dict[int, tree.Name] = {}
    for at, argument in enumerate(node.arguments):
        position = position_of(procedure, argument, at)
        parameter = procedure.parameters[position]
        if parameter.mode != "IN":
            variable = output_variable(argument.expression, parameter, procedure.name, position)
            type_of(run.executor, block, variable)  # there is such a variable
            variables[position] = variable
        values.append(_value(run, argument, parameter, block))
    run.return_status = 0
    outcome = run.executor.call(*node.procedure, values, [argument.name for argument in node.arguments])
    for position, variable in variables.items():
        give_back(run, block, variable, procedure.parameters[position], (outcome.parameters or [])[position])
    return receive(run, outcome, node.procedure)


def _value(run: Activation, argument: tree.Argument, parameter: Parameter, block: Block) -> Any:
    if parameter.mode == "OUT":
        return None
    if argument.expression is None:
        return DEFAULT_ARGUMENT
    return run.executor.evaluate(argument.expression, block, parameter.column.type)


def associate(run: Activation, node: tree.Associate, block: Block) -> Outcome:
    results = run.received.pop(node.procedure.name, None)
    if not results:
        raise Db2Error(-482, "51030", str(node.procedure))
    for locator, result in itertools.zip_longest(node.locators[: len(results)], results):
        if locator is not None:
            run.locators[locator.name] = result
        else:
            result.close()
    if len(results) > len(node.locators):
        return Outcome(code=494, state="01614", tokens=(str(len(results)),))
    return Outcome()


def allocate(run: Activation, node: tree.Allocate, block: Block) -> Outcome:
    result = run.locators.pop(node.locator, None)
    if result is None:
        raise Db2Error(-423, "0F001", node.locator)
    cursor = Cursor(tree.CursorDeclaration(node.cursor))
    block.cursors[node.cursor] = cursor
    run.opened(cursor, result)
    return Outcome()
