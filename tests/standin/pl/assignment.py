"""Assignment of values to variables, local and global, by Db2's rules."""

from typing import Any

from tests.standin.api import Executor, Outcome, ResultSet
from tests.standin.errors import Db2Error
from tests.standin.pl import tree
from tests.standin.pl.scope import Block
from tests.standin.types import Column, SqlType

NOT_FOUND = Outcome(code=100, state="02000")
_ORDER = {"SMALLINT": 1, "INTEGER": 2, "BIGINT": 3}


def _fits(value: Any, source: SqlType, target: SqlType) -> bool:
    """Whether a value of one type is one of the other as it is, so that nothing is left to convert or check."""
    if source.is_integer and target.is_integer:
        return _ORDER[source.name] <= _ORDER[target.name]
    if target.name in {"VARCHAR", "CLOB"} and source.is_text and target.is_text:
        return len(value.encode()) <= target.length
    return source == target


def convert(executor: Executor, value: Any, source: SqlType, target: SqlType) -> Any:
    """A value of one type, assigned to another: raises -433, -408, -413 and so on."""
    if value is None or _fits(value, source, target):
        return value
    holder = Block()
    holder.declare(Column("VALUE", source), value)
    return executor.evaluate("VALUE", holder, target)


def type_of(executor: Executor, block: Block, target: tree.Name) -> SqlType:
    """The type of a variable: a local one first, then a global one; -206 if there is neither."""
    column = block.declared(*target)
    if column is not None:
        return column.type
    variable = executor.variable(*target)
    if variable is None:
        raise Db2Error(-206, "42703", str(target))
    return variable[0].type


def store(executor: Executor, block: Block, target: tree.Name, value: Any) -> None:
    """Put a value of the variable's own type into it."""
    cell = block.cell(*target)
    if cell is not None and cell.constant:
        raise Db2Error(-20547, "428I3", str(target))
    if cell is not None:
        cell.value = value
    elif not executor.set_variable(*target, value):
        raise Db2Error(-206, "42703", str(target))


def store_row(
    executor: Executor, block: Block, targets: tuple[tree.Name, ...], columns: tuple[Column, ...], row: tuple[Any, ...]
) -> None:
    """A row into as many variables: all values are converted before the first is assigned."""
    if len(targets) != len(columns):
        raise Db2Error(-117, "42802")
    values = [
        convert(executor, value, column.type, type_of(executor, block, target))
        for target, column, value in zip(targets, columns, row, strict=True)
    ]
    for target, value in zip(targets, values, strict=True):
        store(executor, block, target, value)


def only_row(result: ResultSet) -> tuple[Any, ...] | None:
    """The row of a query that may give no more than one; the cursor is closed."""
    try:
        rows = result.fetch(1)
        if rows and result.fetch(1):
            raise Db2Error(-811, "21000")
    finally:
        result.close()
    return rows[0] if rows else None


def opened_query(outcome: Outcome) -> ResultSet:
    if outcome.result is None:
        raise Db2Error(-517, "07005", "")
    return outcome.result


def row_into(executor: Executor, result: ResultSet, targets: tuple[tree.Name, ...], block: Block) -> Outcome:
    """SELECT INTO: variables stay as they are when there is no row."""
    columns = result.columns
    row = only_row(result)
    if row is None:
        return NOT_FOUND
    store_row(executor, block, targets, columns, row)
    return Outcome(rowcount=1)
