"""Runs the statements of SQL PL: control flow, conditions and their handlers."""

import re
from typing import TYPE_CHECKING, Any

from tests.standin.api import Outcome
from tests.standin.errors import Db2Error
from tests.standin.pl import tree
from tests.standin.pl.assignment import convert, only_row, opened_query, store, type_of
from tests.standin.pl.conditions import Condition, valid_state
from tests.standin.pl.embedded import EMBEDDED
from tests.standin.pl.scope import Activation, Block, Cell, Cursor
from tests.standin.types import Column, SqlType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LONGEST_MESSAGE = 70  # bytes of SIGNAL's text that are kept
_MESSAGE = SqlType("VARCHAR", 32672)
_BIGINT = SqlType("BIGINT")
_CONSTANT = re.compile(r"'[\w.-]+'")


class Unhandled(Exception):  # noqa: N818 -- a way out of the statements, not an error of its own
    """An exception that no handler takes, on its way out of the routine or of an ATOMIC compound statement."""

    def __init__(self, condition: Condition) -> None:
        super().__init__(condition)
        self.condition = condition


class _Jump(Exception):  # noqa: N818
    """LEAVE and ITERATE."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


class _Leave(_Jump):
    pass


class _Iterate(_Jump):
    pass


class _Exit(Exception):  # noqa: N818
    """A handler for EXIT or UNDO has run: on to the end of the compound statement that declares it."""

    def __init__(self, block: Block) -> None:
        super().__init__(block)
        self.block = block


class Returned(Exception):  # noqa: N818
    """RETURN: on to the end of the routine."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class Interpreter:
    """Runs statements for one activation; ``returns`` is the type that RETURN gives."""

    def __init__(self, run: Activation, returns: SqlType) -> None:
        self.run = run
        self.executor = run.executor
        self.returns = returns
        self._control: Mapping[type[tree.Statement], Callable[[Any, Block], Outcome | None]] = {
            tree.Compound: self._compound,
            tree.Set: self._set,
            tree.If: self._if,
            tree.Case: self._case,
            tree.Loop: self._loop,
            tree.While: self._while,
            tree.Repeat: self._repeat,
            tree.For: self._for,
            tree.Leave: self._leave,
            tree.Iterate: self._iterate,
            tree.Return: self._return,
            tree.Signal: self._signal,
            tree.Resignal: self._resignal,
            tree.GetDiagnostics: self._get_diagnostics,
        }

    def statement(self, node: tree.Statement, block: Block) -> Outcome | None:
        """Run one statement, and the handler of the condition that it raises. None: a control statement."""
        try:
            control = self._control.get(type(node))
            outcome = control(node, block) if control else EMBEDDED[type(node)](self.run, node, block)
        except Db2Error as error:
            self._raised(Condition.of(error), block)
            return None
        except _Leave as jump:
            if node.label is None or jump.label != node.label:
                raise
            return None
        if outcome is not None:
            self._completed(node, outcome, block)
        return outcome

    # --- conditions ---

    def _completed(self, node: tree.Statement, outcome: Outcome, block: Block) -> None:
        """A statement that ended well, perhaps with a warning; assignments leave the diagnostics as they are."""
        condition = Condition.of(outcome)
        self._set_codes(condition, block)
        if isinstance(node, tree.Set | tree.GetDiagnostics):
            return
        self.run.last = condition
        self.run.row_count = outcome.rowcount
        if condition.kind:
            self._dispatch(condition, block)

    def _raised(self, condition: Condition, block: Block) -> None:
        self.run.last = condition
        self.run.row_count = 0
        self._set_codes(condition, block)
        if not self._dispatch(condition, block):
            raise Unhandled(condition)

    def _set_codes(self, condition: Condition, block: Block) -> None:
        for name, value in (("SQLCODE", condition.code), ("SQLSTATE", condition.state)):
            cell = block.cell(None, name)
            if cell is not None:
                cell.value = value

    def _dispatch(self, condition: Condition, block: Block) -> bool:
        """Run the handler of a condition, if there is one."""
        found = block.handler_for(condition)
        if found is None:
            return False
        handler, declarer = found
        if handler.action == "UNDO":
            self.executor.rollback_to(declarer.savepoint)
        inner = Block(parent=declarer, beyond=declarer.beyond, atomic=declarer.atomic, handling=condition)
        self.statement(handler.statement, inner)
        if handler.action != "CONTINUE":
            raise _Exit(declarer)
        return True

    # --- compound statements ---

    def _compound(self, node: tree.Compound, outer: Block) -> None:
        block = Block(parent=outer, qualifier=node.label, atomic=node.atomic)
        block.savepoint = self.executor.savepoint() if node.atomic else None
        try:
            self._declare(node, block)
            self._body(node.body, block)
        except _Exit as leave:
            if leave.block is not block:
                raise
        except Unhandled as unhandled:
            if not node.atomic:
                raise
            self.executor.rollback_to(block.savepoint)
            raise unhandled.condition.error from None
        finally:
            for cursor in block.cursors.values():
                if cursor.declaration.returns is None:
                    cursor.close()

    def _declare(self, node: tree.Compound, block: Block) -> None:
        for declaration in node.declarations:
            if isinstance(declaration, tree.Variables):
                self._declare_variables(declaration, block)
            elif isinstance(declaration, tree.ConditionName):
                block.conditions[declaration.name] = declaration.state
        block.cursors = {cursor.name: Cursor(cursor) for cursor in node.cursors}
        block.handlers = node.handlers

    def _declare_variables(self, declaration: tree.Variables, block: Block) -> None:
        value = None
        if declaration.default is not None:
            value = self.executor.evaluate(declaration.default, block, declaration.type)
        for name in declaration.names:
            block.declare(Column(name, declaration.type), value, declaration.constant)

    def _body(self, body: tree.Body, block: Block) -> None:
        for node in body:
            self.statement(node, block)

    # --- assignment ---

    def _set(self, node: tree.Set, block: Block) -> Outcome:
        if self._sets_register(node, block):
            return self.executor.execute(node.text, block)
        values = [(target, value) for part in node.assignments for target, value in self._values(part, block)]
        for target, value in values:
            store(self.executor, block, target, value)
        return Outcome()

    def _sets_register(self, node: tree.Set, block: Block) -> bool:
        first = node.assignments[0]
        return tree.sets_register(first) and block.cell(*first.targets[0]) is None

    def _values(self, assignment: tree.Assignment, block: Block) -> list[tuple[tree.Name, Any]]:
        """All values are known before the first variable changes."""
        types = [type_of(self.executor, block, target) for target in assignment.targets]
        if assignment.query is not None:
            return list(zip(assignment.targets, self._row(assignment.query, types, block), strict=True))
        return [
            (target, self.executor.evaluate(expression, block, wanted))
            for target, expression, wanted in zip(assignment.targets, assignment.expressions, types, strict=True)
        ]

    def _row(self, query: str, types: list[SqlType], block: Block) -> list[Any]:
        """The row of a fullselect, NULLs if it has none."""
        result = opened_query(self.executor.execute(query, block))
        columns = result.columns
        if len(columns) != len(types):
            result.close()
            raise Db2Error(-117, "42802")
        row = only_row(result) or (None,) * len(types)
        return [
            convert(self.executor, value, column.type, wanted)
            for value, column, wanted in zip(row, columns, types, strict=True)
        ]

    # --- branches and loops ---

    def _true(self, condition: str, block: Block) -> bool:
        return self.executor.evaluate(condition, block, None) is True

    def _if(self, node: tree.If, block: Block) -> None:
        for condition, body in node.branches:
            if self._true(condition, block):
                self._body(body, block)
                return
        self._body(node.otherwise or (), block)

    def _case(self, node: tree.Case, block: Block) -> None:
        known = self._value_compared_with_constants(node, block)
        branches = node.branches if known is None else [one for one in node.branches if one[0][1:-1] == known]
        for value, body in branches:
            condition = value if node.subject is None else f"({node.subject}) = ({value})"
            if self._true(condition, block):
                self._body(body, block)
                return
        if node.otherwise is None:
            raise Db2Error(-773, "20000")
        self._body(node.otherwise, block)

    def _value_compared_with_constants(self, node: tree.Case, block: Block) -> str | None:
        """Return the value of a variable if it is compared with plain words only: most need no evaluation then."""
        cell = block.cell(None, node.subject) if node.subject else None
        if cell is None or not isinstance(cell.value, str) or cell.value != cell.value.rstrip():
            return None
        return cell.value if all(_CONSTANT.fullmatch(value) for value, _ in node.branches) else None

    def _turn(self, node: tree.Loop, block: Block) -> None:
        """The body once; LEAVE goes up to the loop statement itself."""
        try:
            self._body(node.body, block)
        except _Iterate as jump:
            if jump.label != node.label:
                raise

    def _loop(self, node: tree.Loop, block: Block) -> None:
        while True:
            self._turn(node, block)

    def _while(self, node: tree.While, block: Block) -> None:
        while self._true(node.condition, block):
            self._turn(node, block)

    def _repeat(self, node: tree.Repeat, block: Block) -> None:
        self._turn(node, block)
        while not self._true(node.until, block):
            self._turn(node, block)

    def _for(self, node: tree.For, outer: Block) -> None:
        result = opened_query(self.executor.execute(node.cursor.query or "", outer))
        columns = result.columns
        cursor = Cursor(node.cursor)
        block = Block(parent=outer, qualifier=node.name, cursors={node.cursor.name: cursor})
        self.run.opened(cursor, result)
        try:
            while rows := cursor.open_result().fetch(1):
                block.cells = {column.name: Cell(column, value) for column, value in zip(columns, rows[0], strict=True)}
                self._turn(node, block)
        finally:
            cursor.close()

    def _leave(self, node: tree.Leave, _: Block) -> None:
        raise _Leave(node.target)

    def _iterate(self, node: tree.Iterate, _: Block) -> None:
        raise _Iterate(node.target)

    def _return(self, node: tree.Return, block: Block) -> None:
        value = None
        if node.expression is not None:
            value = self.executor.evaluate(node.expression, block, self.returns)
        raise Returned(value)

    # --- conditions of the user ---

    def _signal(self, node: tree.Signal, block: Block) -> Outcome:
        return self._raise(node.signalled, node.message, block)

    def _resignal(self, node: tree.Resignal, block: Block) -> Outcome:
        handled = block.handled_condition()
        if handled is None:
            raise Db2Error(-787, "0K000")
        if node.signalled is not None:
            return self._raise(node.signalled, node.message, block)
        return _as_outcome(handled)

    def _raise(self, signalled: tree.Signalled, message: str | None, block: Block) -> Outcome:
        state = signalled.state
        if signalled.condition is not None:
            state = block.condition_names()[signalled.condition]
        elif signalled.variable is not None:
            state = valid_state(str(block.value(*signalled.variable) or ""), -435, "428B3")
        text = signalled.condition or ""
        if message is not None:
            given = self.executor.evaluate(message, block, _MESSAGE) or ""
            text = given.encode()[:_LONGEST_MESSAGE].decode(errors="ignore")
        kind = Condition(state=state or "").kind
        return _as_outcome(Condition(-438 if kind == "SQLEXCEPTION" else 438, state or "", (text,)))

    def _get_diagnostics(self, node: tree.GetDiagnostics, block: Block) -> Outcome:
        values: Mapping[str, Any] = {
            "ROW_COUNT": self.run.row_count,
            "DB2_RETURN_STATUS": self.run.return_status,
            "DB2_SQL_NESTING_LEVEL": self.run.depth,
            "MESSAGE_TEXT": self.run.last.message,
            "DB2_TOKEN_STRING": self.run.last.token_string,
        }
        for target, item in node.items:
            cell = block.cell(*target)
            if cell is None:  # a global variable cannot be the target either
                raise Db2Error(-206, "42703", str(target))
            cell.value = self._retrieved(values[item], cell.column.type)
        return Outcome()

    def _retrieved(self, value: str | int, target: SqlType) -> Any:
        """Text is cut to the length of the variable that takes it."""
        if isinstance(value, int):
            return convert(self.executor, value, _BIGINT, target)
        text = value.encode()[: target.length].decode(errors="ignore") if target.is_text else value
        return convert(self.executor, text, SqlType("VARCHAR", max(1, len(text.encode()))), target)


def _as_outcome(condition: Condition) -> Outcome:
    """A warning is how a statement ends, an exception is raised."""
    if condition.kind == "SQLEXCEPTION":
        raise condition.error
    return Outcome(code=condition.code, state=condition.state, tokens=condition.tokens)
