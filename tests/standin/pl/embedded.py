"""Static SQL inside of SQL PL: statements, queries into variables, cursors."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.standin.api import Outcome
from tests.standin.errors import Db2Error
from tests.standin.pl import tree
from tests.standin.pl.activation import Activation
from tests.standin.pl.assignment import NOT_FOUND, opened_query, row_into, store_row
from tests.standin.pl.calls import allocate, associate, call
from tests.standin.pl.dynamic import execute, execute_immediate, open_prepared, prepare
from tests.standin.pl.scope import Block


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
