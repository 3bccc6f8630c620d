"""SQL inside of SQL PL: static statements, queries into variables and cursors, and dynamic SQL with PREPARE and EXECUTE."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.standin.api import Outcome, Parameter
from tests.standin.errors import Db2Error
from tests.standin.pl import tree
from tests.standin.pl.assignment import NOT_FOUND, opened_query, row_into, store_row
from tests.standin.pl.calls import allocate, associate, call, give_back, output_variable, receive
from tests.standin.pl.scope import Activation, Block, Prepared
from tests.standin.types import SqlType

_TEXT = SqlType("CLOB", 2 * 1024**2)


def _prepared(run: Activation, expression: str, block: Block) -> Prepared:
    text = run.executor.evaluate(expression, block, _TEXT)
    if text is None or not text.strip():
        raise Db2Error(-198, "42617")
    return Prepared(text, run.executor.describe(text, None))


def prepare(run: Activation, node: tree.Prepare, block: Block) -> Outcome:
    run.prepared.pop(node.name, None)
    run.prepared[node.name] = _prepared(run, node.expression, block)
    return Outcome()


def _inputs(run: Activation, parameters: Sequence[Parameter], using: tuple[str, ...], block: Block) -> list[Any]:
    if len(parameters) != len(using):
        raise Db2Error(-313, "07004")
    return [
        None if parameter.mode == "OUT" else run.executor.evaluate(expression, block, parameter.column.type)
        for parameter, expression in zip(parameters, using, strict=True)
    ]


def open_prepared(run: Activation, cursor: tree.CursorDeclaration, using: tuple[str, ...], block: Block) -> Outcome:
    prepared = run.prepared.get(cursor.statement or "")
    if prepared is None:
        raise Db2Error(-514, "26501", cursor.name)
    statement = prepared.statement
    if statement.kind != "query":
        raise Db2Error(-517, "07005", cursor.name)
    return statement.execute(_inputs(run, statement.parameters, using, block))


def _arguments(statement_parameters: Sequence[Parameter], node: tree.Execute) -> tuple[str, ...]:
    """The expressions of a CALL's markers: INTO has the variables of those that give values, or USING has all."""
    if not node.targets:
        return node.using
    using, into = iter(node.using), iter(node.targets)
    return tuple(
        next(using, "") if parameter.mode == "IN" else str(next(into, "")) for parameter in statement_parameters
    )


def execute(run: Activation, node: tree.Execute, block: Block) -> Outcome:
    prepared = run.prepared.get(node.name)
    if prepared is None or (prepared.statement.kind == "query" and not node.targets):
        raise Db2Error(-518, "07003")
    statement = prepared.statement
    if statement.kind == "query":
        outcome = statement.execute(_inputs(run, statement.parameters, node.using, block))
        return row_into(run.executor, opened_query(outcome), node.targets, block)
    arguments = _arguments(statement.parameters, node)
    values = _inputs(run, statement.parameters, arguments, block)
    outputs = [at for at, parameter in enumerate(statement.parameters) if parameter.mode != "IN"]
    variables = [output_variable(arguments[at], statement.parameters[at], node.name, at) for at in outputs]
    outcome = statement.execute(values)
    for at, variable in zip(outputs, variables, strict=True):
        give_back(run, block, variable, statement.parameters[at], (outcome.parameters or [])[at])
    return _done(run, prepared, outcome)


def _done(run: Activation, prepared: Prepared, outcome: Outcome) -> Outcome:
    run.executed(prepared.text)
    return receive(run, outcome, None)


def execute_immediate(run: Activation, node: tree.ExecuteImmediate, block: Block) -> Outcome:
    prepared = _prepared(run, node.expression, block)
    if prepared.statement.kind == "query":
        raise Db2Error(-84, "42612")
    if prepared.statement.parameters:
        raise Db2Error(-313, "07004")
    return _done(run, prepared, prepared.statement.execute())


def execute_sql(run: Activation, node: tree.Sql, block: Block) -> Outcome:
    outcome = run.executor.execute(node.text, block)
    run.executed(node.text)
    return outcome


def select_into(run: Activation, node: tree.SelectInto, block: Block) -> Outcome:
    return row_into(run.executor, opened_query(run.executor.execute(node.query, block)), node.targets, block)


def open_cursor(run: Activation, node: tree.Open, block: Block) -> Outcome:
    cursor = block.cursor(node.cursor)
    if cursor.result is not None:
        raise Db2Error(-502, "24502", node.cursor)
    if cursor.declaration.query is not None:
        outcome = run.executor.execute(cursor.declaration.query, block)
    else:
        outcome = open_prepared(run, cursor.declaration, node.using, block)
    run.opened(cursor, opened_query(outcome))
    return Outcome()


def fetch(run: Activation, node: tree.Fetch, block: Block) -> Outcome:
    result = block.cursor(node.cursor).open_result()
    rows = result.fetch(1)
    if not rows:
        return NOT_FOUND
    store_row(run.executor, block, node.targets, result.columns, rows[0])
    return Outcome(rowcount=1)


def close_cursor(_: Activation, node: tree.Close, block: Block) -> Outcome:
    cursor = block.cursor(node.cursor)
    cursor.open_result()
    cursor.close()
    return Outcome()


EMBEDDED: Mapping[type[tree.Statement], Callable[[Activation, Any, Block], Outcome]] = {
    tree.Sql: execute_sql,
    tree.SelectInto: select_into,
    tree.Open: open_cursor,
    tree.Fetch: fetch,
    tree.Close: close_cursor,
    tree.Prepare: prepare,
    tree.Execute: execute,
    tree.ExecuteImmediate: execute_immediate,
    tree.Call: call,
    tree.Associate: associate,
    tree.Allocate: allocate,
}
