"""Parameter markers of a CALL, SET or compound statement: they become variables named "?1", "?2" and so on."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from itertools import count
from typing import Any, NamedTuple

from tests.standin.api import Executor, Parameter
from tests.standin.pl import tree
from tests.standin.pl.assignment import type_of
from tests.standin.pl.calls import position_of, variable_name
from tests.standin.pl.parser import parse_statement
from tests.standin.pl.scope import Block
from tests.standin.types import Column, SqlType

_TEXT_OR_MARKER = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|\?""", re.DOTALL)
_UNTYPED = SqlType("VARCHAR", 32672)
_INFERRED: tuple[tuple[type, Callable[[Any], SqlType]], ...] = (  # types of values that nothing else gives a type
    (bool, lambda _: SqlType("BOOLEAN")),
    (int, lambda _: SqlType("BIGINT")),
    (float, lambda _: SqlType("DOUBLE")),
    (Decimal, lambda value: SqlType("DECIMAL", 31, max(0, -value.as_tuple().exponent))),
    (bytes, lambda value: SqlType("VARCHAR", max(1, len(value)), bit_data=True)),
    (datetime, lambda _: SqlType("TIMESTAMP", 6)),
    (date, lambda _: SqlType("DATE")),
    (time, lambda _: SqlType("TIME")),
)


class Named(NamedTuple):
    """A text whose markers have got names, and how many there were."""

    text: str
    markers: int


def _name(number: int) -> str:
    return f"?{number}"


def name_markers(text: str) -> Named:
    numbers = count(1)

    def named(match: re.Match[str]) -> str:
        return f'"{_name(next(numbers))}"' if match[0] == "?" else match[0]

    return Named(_TEXT_OR_MARKER.sub(named, text), next(numbers) - 1)


def _of_call(statement: tree.Call, executor: Executor) -> Iterator[tuple[str, Parameter]]:
    if not statement.arguments:
        return
    procedure = executor.procedure(*statement.procedure, len(statement.arguments))
    for at, argument in enumerate(statement.arguments):
        variable = variable_name(argument.expression or "")
        if variable is not None:
            yield variable.name, procedure.parameters[position_of(procedure, argument, at)]


def _of_set(statement: tree.Set, executor: Executor) -> Iterator[tuple[str, Parameter]]:
    for assignment in statement.assignments:
        for target, expression in zip(assignment.targets, assignment.expressions, strict=False):
            variable = variable_name(expression)
            if variable is not None and variable.name.startswith("?"):
                yield variable.name, Parameter(Column(target.name, type_of(executor, Block(), target)))


def _described(statement: tree.Statement, executor: Executor) -> dict[str, Parameter]:
    if isinstance(statement, tree.Call):
        return dict(_of_call(statement, executor))
    if isinstance(statement, tree.Set):
        return dict(_of_set(statement, executor))
    return {}


def marker_parameters(text: str, executor: Executor) -> tuple[Parameter, ...]:
    """Describe the markers for a client: markers of a CALL or SET have the type of their targets, others are text."""
    named = name_markers(text)
    described = _described(parse_statement(named.text), executor)
    names = [_name(number) for number in range(1, named.markers + 1)]
    return tuple(described.get(name, Parameter(Column(name, _UNTYPED))) for name in names)


def marker_block(statement: tree.Statement, executor: Executor, values: Sequence[Any]) -> Block:
    """The markers as variables that hold the values given for them."""
    block = Block()
    described = _described(statement, executor) if values else {}
    for number, value in enumerate(values, 1):
        name = _name(number)
        sql_type = described[name].column.type if name in described else _inferred(value)
        block.declare(Column(name, sql_type), value)
    return block


def _inferred(value: Any) -> SqlType:
    for kind, sql_type in _INFERRED:
        if isinstance(value, kind):
            return sql_type(value)
    return SqlType("VARCHAR", max(1, len(str(value or "").encode())))
