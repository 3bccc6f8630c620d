"""Looks at the SQL inside of a routine when it is created, as Db2 does: undefined tables, columns and variables.

Queries and data changes are prepared with the variables that are visible where they stand. DDL, and statements
on declared temporary tables, are left for the run. An expression is prepared inside of a query.
"""

from typing import TYPE_CHECKING, Any

from tests.standin.api import Executor
from tests.standin.errors import Db2Error
from tests.standin.pl import tree
from tests.standin.pl.assignment import type_of
from tests.standin.pl.calls import output_variable, position_of
from tests.standin.pl.scope import Block
from tests.standin.types import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_CHECKED = {"SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE", "MERGE"}
_NO_EXPRESSION = {"NULL", "DEFAULT"}
_DECLARED_SCHEMA = "SESSION."  # tables that DECLARE GLOBAL TEMPORARY TABLE makes later


class _Static:
    def __init__(self, executor: Executor, routine: tree.Name) -> None:
        self.executor = executor
        self.routine = routine
        self.checks: Mapping[type[tree.Statement], Callable[[Any, Block], None]] = {
            tree.Compound: self.compound,
            tree.Sql: self.plain,
            tree.SelectInto: self.select_into,
            tree.Set: self.set,
            tree.If: self.branches,
            tree.Case: self.branches,
            tree.Loop: self.loop,
            tree.While: self.loop,
            tree.Repeat: self.loop,
            tree.For: self.for_loop,
            tree.Return: lambda node, block: self.expression(node.expression, block),
            tree.Signal: lambda node, block: self.expression(node.message, block),
            tree.Resignal: lambda node, block: self.expression(node.message, block),
            tree.GetDiagnostics: lambda node, block: self.targets([name for name, _ in node.items], block),
            tree.Fetch: lambda node, block: self.targets(node.targets, block),
            tree.Prepare: lambda node, block: self.expression(node.expression, block),
            tree.ExecuteImmediate: lambda node, block: self.expression(node.expression, block),
            tree.Call: self.call,
        }

    def statement(self, node: tree.Statement, block: Block) -> None:
        check = self.checks.get(type(node))
        if check is not None:
            check(node, block)

    def body(self, body: tree.Body, block: Block) -> None:
        for node in body:
            self.statement(node, block)

    def sql(self, text: str, block: Block) -> tuple[Column, ...]:
        """The columns that a statement gives; none for what cannot be looked at before the run."""
        if text.split(None, 1)[0].upper() not in _CHECKED:
            return ()
        try:
            return self.executor.describe(text, block).columns
        except Db2Error as error:
            if error.code == -204 and error.tokens and error.tokens[0].startswith(_DECLARED_SCHEMA):
                return ()
            raise

    def plain(self, node: tree.Sql, block: Block) -> None:
        self.sql(node.text, block)

    def expression(self, text: str | None, block: Block) -> None:
        if text is not None and text.upper() not in _NO_EXPRESSION:
            self.condition(f"({text}) IS NULL", block)

    def condition(self, text: str, block: Block) -> None:
        self.sql(f"SELECT 1 FROM SYSIBM.SYSDUMMY1 WHERE {text}", block)

    def targets(self, targets: "tuple[tree.Name, ...] | list[tree.Name]", block: Block) -> None:
        for target in targets:
            type_of(self.executor, block, target)

    def select_into(self, node: tree.SelectInto, block: Block) -> None:
        self.targets(node.targets, block)
        if len(self.sql(node.query, block)) not in {0, len(node.targets)}:
            raise Db2Error(-117, "42802")

    def set(self, node: tree.Set, block: Block) -> None:
        for assignment in node.assignments:
            if tree.sets_register(assignment) and block.cell(*assignment.targets[0]) is None:
                continue
            self.targets(assignment.targets, block)
            for expression in assignment.expressions:
                self.expression(expression, block)
            if assignment.query is not None:
                self.sql(assignment.query, block)

    def branches(self, node: tree.If | tree.Case, block: Block) -> None:
        subject = node.subject if isinstance(node, tree.Case) else None
        for condition, body in node.branches:
            self.condition(f"({condition})" if subject is None else f"({subject}) = ({condition})", block)
            self.body(body, block)
        self.body(node.otherwise or (), block)

    def loop(self, node: tree.Loop, block: Block) -> None:
        if isinstance(node, tree.While):
            self.condition(f"({node.condition})", block)
        self.body(node.body, block)
        if isinstance(node, tree.Repeat):
            self.condition(f"({node.until})", block)

    def for_loop(self, node: tree.For, outer: Block) -> None:
        block = Block(parent=outer, qualifier=node.name)
        for column in self.sql(node.cursor.query or "", outer):
            block.declare(column)
        self.body(node.body, block)

    def compound(self, node: tree.Compound, outer: Block) -> None:
        block = Block(parent=outer, qualifier=node.label)
        for declaration in node.declarations:
            if isinstance(declaration, tree.Variables):
                self.expression(declaration.default, block)
                for name in declaration.names:
                    block.declare(Column(name, declaration.type))
        for cursor in node.cursors:
            self.sql(cursor.query or "SET", block)
        for handler in node.handlers:
            self.statement(handler.statement, block)
        self.body(node.body, block)

    def call(self, node: tree.Call, block: Block) -> None:
        if node.procedure.name == self.routine.name:  # recursion: the procedure is not there yet
            return
        procedure = self.executor.procedure(*node.procedure, len(node.arguments))
        for at, argument in enumerate(node.arguments):
            position = position_of(procedure, argument, at)
            parameter = procedure.parameters[position]
            if parameter.mode == "IN":
                self.expression(argument.expression, block)
            else:
                name = output_variable(argument.expression, parameter, procedure.name, position)
                self.targets([name], block)


def check_static(definition: tree.ProcedureDefinition | tree.FunctionDefinition, executor: Executor) -> None:
    """Raise what Db2 finds at CREATE: -204, -206, -440, -117 and the like."""
    block = Block(qualifier=definition.name.name)
    for item in definition.parameters:
        block.declare(Column(item.name, item.type))
    _Static(executor, definition.name).statement(definition.body, block)
