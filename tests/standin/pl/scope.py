"""What is declared while SQL PL runs: variables, cursors, conditions and handlers, block inside block."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.standin.api import ResultSet
from tests.standin.errors import Db2Error
from tests.standin.pl import tree
from tests.standin.pl.conditions import Condition, most_specific
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
