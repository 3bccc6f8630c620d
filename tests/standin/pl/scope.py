"""One run of a routine or compound statement: what it declares, block inside block, and the chain of its callers."""

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.standin.api import Executor, ResultSet, Statement
from tests.standin.errors import Db2Error
from tests.standin.pl import tree
from tests.standin.pl.check import ends_unit_of_work
from tests.standin.pl.conditions import SUCCESS, Condition, most_specific
from tests.standin.types import Column


@dataclass
class Cell:
    """A variable, parameter or field of a loop's row."""

    column: Column
    value: Any = None
    constant: bool = False


@dataclass
class Cursor:
    """A declared cursor; ``opened`` numbers openings, so that result sets are returned in that order."""

    declaration: tree.CursorDeclaration
    result: ResultSet | None = None
    opened: int = 0

    def close(self) -> None:
        if self.result is not None:
            self.result.close()
            self.result = None

    def open_result(self) -> ResultSet:
        if self.result is None:
            raise Db2Error(-501, "24501", self.declaration.name)
        return self.result


@dataclass(eq=False)
class Block:
    """One level of names: parameters, a compound statement, a loop's row, or a handler that runs.

    ``beyond`` is where the search for a handler goes on: usually the parent, but a handler that runs passes
    over the compound statement that declares it. ``handling`` is the condition that such a handler handles.
    """

    parent: "Block | None" = None
    qualifier: str | None = None
    cells: dict[str, Cell] = field(default_factory=dict)
    cursors: dict[str, Cursor] = field(default_factory=dict)
    conditions: dict[str, str] = field(default_factory=dict)
    handlers: tuple[tree.Handler, ...] = ()
    atomic: bool = False
    savepoint: Any = None
    handling: Condition | None = None
    beyond: "Block | None" = None

    def __post_init__(self) -> None:
        self.beyond = self.beyond or self.parent

    def declare(self, column: Column, value: Any = None, constant: bool = False) -> None:
        self.cells[column.name] = Cell(column, value, constant)

    def cell(self, qualifier: str | None, name: str) -> Cell | None:
        block: Block | None = self
        while block is not None:
            if qualifier in {None, block.qualifier} and name in block.cells:
                return block.cells[name]
            block = block.parent
        return None

    def declared(self, qualifier: str | None, name: str) -> Column | None:
        cell = self.cell(qualifier, name)
        return cell.column if cell is not None else None

    def value(self, qualifier: str | None, name: str) -> Any:
        cell = self.cell(qualifier, name)
        if cell is None:
            raise Db2Error(-206, "42703", str(tree.Name(qualifier, name)))
        return cell.value

    def cursor(self, name: str) -> Cursor:
        block: Block | None = self
        while block is not None:
            if name in block.cursors:
                return block.cursors[name]
            block = block.parent
        raise Db2Error(-504, "34000", name)

    def condition_names(self) -> Mapping[str, str]:
        outer = self.parent.condition_names() if self.parent is not None else {}
        return {**outer, **self.conditions}

    def handled_condition(self) -> Condition | None:
        """The condition that the innermost running handler handles."""
        block: Block | None = self
        while block is not None and block.handling is None:
            block = block.parent
        return block.handling if block is not None else None

    def handler_for(self, condition: Condition) -> "tuple[tree.Handler, Block] | None":
        """The handler that takes a condition, and the block that declares it.

        An exception that is not handled inside an ATOMIC compound statement ends that statement first: it is
        raised again from the statement as a whole, so the search stops there.
        """
        block: Block | None = self
        while block is not None:
            handler = most_specific(block.handlers, condition, block.condition_names())
            if handler is not None:
                return handler, block
            if block.atomic and condition.kind == "SQLEXCEPTION":
                return None
            block = block.beyond
        return None


DEEPEST = 64  # levels of calls that call
STATEMENT = "STATEMENT"  # kind of a single statement such as CALL: no level of its own
_openings = itertools.count(1)


class Prepared(NamedTuple):
    text: str
    statement: Statement


@dataclass
class Activation:
    """What lives as long as the run: open cursors, prepared statements, and what the last statement did.

    ``received`` are result sets of procedures called from here, by the procedure's name, and ``locators`` those
    that a locator variable holds. ``for_client`` collects, in the outermost run, cursors WITH RETURN TO CLIENT
    of procedures that it called.
    """

    executor: Executor
    name: str
    kind: str
    caller: "Activation | None" = None
    cursors: list[Cursor] = field(default_factory=list)
    prepared: dict[str, Prepared] = field(default_factory=dict)
    received: dict[str, list[ResultSet]] = field(default_factory=dict)
    locators: dict[str, ResultSet] = field(default_factory=dict)
    for_client: list[Cursor] = field(default_factory=list)
    last: Condition = SUCCESS
    row_count: int = 0
    return_status: int = 0

    @property
    def depth(self) -> int:
        return (self.caller.depth if self.caller is not None else 0) + (self.kind != STATEMENT)

    @property
    def above(self) -> "Activation | None":
        """Return the caller if it belongs to the same session; another session has its own cursors and unit of work."""
        return self.caller if self.caller is not None and self.caller.executor is self.executor else None

    @property
    def outermost(self) -> "Activation":
        """The routine or compound statement that the client runs."""
        if self.above is None or (self.above.above is None and self.above.kind == STATEMENT):
            return self
        return self.above.outermost

    def opened(self, cursor: Cursor, result: ResultSet) -> None:
        """A cursor was opened: it is closed, or returned, when the routine ends."""
        result.name = cursor.declaration.name
        cursor.result = result
        cursor.opened = next(_openings)
        if cursor not in self.cursors:
            self.cursors.append(cursor)

    def executed(self, text: str) -> None:
        """A statement was executed: after COMMIT and ROLLBACK cursors are closed."""
        ended = ends_unit_of_work(text)
        if ended:
            self.end_unit_of_work(keep_held=ended == "COMMIT")

    def end_unit_of_work(self, keep_held: bool) -> None:
        """COMMIT closes cursors that are not WITH HOLD, ROLLBACK all of them, those of the callers too."""
        for cursor in self.cursors:
            if not (keep_held and cursor.declaration.hold):
                cursor.close()
        if self.above is not None:
            self.above.end_unit_of_work(keep_held)

    def results(self) -> list[ResultSet]:
        """Result sets for the caller, in the order of opening; those for the client are passed on or included."""
        cursors = [cursor for cursor in self.cursors if cursor.result is not None]
        returned = [cursor for cursor in cursors if cursor.declaration.returns == "CALLER"]
        self.outermost.for_client += [cursor for cursor in cursors if cursor.declaration.returns == "CLIENT"]
        if self.outermost is self:
            returned += self.for_client
        return [cursor.open_result() for cursor in sorted(returned, key=lambda cursor: cursor.opened)]

    def close(self, returned: list[ResultSet]) -> None:
        """Close the cursors and result sets that are not passed on."""
        passed_on = [] if self.outermost is self else self.outermost.for_client
        kept = [*returned, *(cursor.result for cursor in passed_on)]
        for cursor in self.cursors:
            if not any(cursor.result is result for result in kept):
                cursor.close()
        for result in itertools.chain(*self.received.values(), self.locators.values()):
            result.close()


_current: ContextVar[Activation | None] = ContextVar("_current", default=None)


@contextmanager
def activation(executor: Executor, name: str, kind: str) -> Iterator[Activation]:
    """A run inside of the current one, if there is one."""
    run = Activation(executor, name, kind, _current.get())
    if run.depth > DEEPEST:
        raise Db2Error(-724, "54038", name, kind)
    token = _current.set(run)
    try:
        yield run
    except BaseException:
        run.close([])
        raise
    finally:
        _current.reset(token)
