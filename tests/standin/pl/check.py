"""What is wrong in a routine by itself: names that are not declared or not unique, labels, handlers.

A walk over the statements with the names that are visible to each; the first fault raises its Db2Error.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.standin.errors import Db2Error
from tests.standin.pl import tree


@dataclass(frozen=True)
class Visible:
    """The names that a statement may use. ``loops`` are the labels that ITERATE may name, all those of LEAVE."""

    context: str = ""
    labels: frozenset[str] = frozenset()
    loops: frozenset[str] = frozenset()
    cursors: frozenset[str] = frozenset()
    conditions: frozenset[str] = frozenset()
    locators: frozenset[str] = frozenset()
    atomic: bool = False


def _unique(names: Iterable[str], context: str) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise Db2Error(-590, "42734", name, context)


def _declared_names(declarations: tuple[tree.Declaration, ...], kinds: Any) -> list[str]:
    names: list[str] = []
    for declaration in declarations:
        if isinstance(declaration, kinds):
            names += (declaration.name,) if isinstance(declaration, tree.ConditionName) else declaration.names
    return names


def _return_codes(declarations: tuple[tree.Declaration, ...]) -> None:
    """SQLCODE and SQLSTATE can be declared only as what they are."""
    for declaration in declarations:
        if isinstance(declaration, tree.Variables):
            kinds = {"SQLCODE": "INTEGER", "SQLSTATE": "CHAR(5)"}
            for name in declaration.names:
                if name in kinds and str(declaration.type) != kinds[name]:
                    raise Db2Error(-785, "428D8")


def _end_label(label: str | None, end_label: str | None) -> None:
    if end_label is not None and end_label != label:
        raise Db2Error(-778, "428D5", end_label)


def _compound(node: tree.Compound, visible: Visible) -> None:
    _end_label(node.label, node.end_label)
    _return_codes(node.declarations)
    variables = _declared_names(node.declarations, tree.Variables | tree.Locators)
    conditions = _declared_names(node.declarations, tree.ConditionName)
    cursors = [cursor.name for cursor in node.cursors]
    for names in (variables, conditions, cursors):
        _unique(names, visible.context)
    inner = replace(
        visible,
        conditions=visible.conditions.union(conditions),
        locators=visible.locators.union(_declared_names(node.declarations, tree.Locators)),
        cursors=visible.cursors.union(cursors, _allocated(node.body)),
        atomic=visible.atomic or node.atomic,
    )
    handled = [one for handler in node.handlers for one in (*handler.states, *handler.names, *handler.general)]
    for one, count in Counter(handled).items():
        if count > 1:
            raise Db2Error(-782, "428D7", one)
    for handler in node.handlers:
        _handler(handler, node, inner)
    _body(node.body, inner)


def _allocated(body: tree.Body) -> set[str]:
    return {node.cursor for node in descendants(body) if isinstance(node, tree.Allocate)}


def _handler(handler: tree.Handler, block: tree.Compound, visible: Visible) -> None:
    if handler.action == "UNDO" and not block.atomic:
        raise Db2Error(-780, "428D6")
    if handler.general and (handler.states or handler.names):
        raise Db2Error(-104, "42601", (handler.states + handler.names)[0], handler.general[0], handler.action)
    for name in handler.names:
        _condition(name, visible)
    _statement(handler.statement, visible)


def _condition(name: str | None, visible: Visible) -> None:
    if name is not None and name not in visible.conditions:
        raise Db2Error(-781, "42737", name)


def _signalled(node: tree.Signal | tree.Resignal, visible: Visible) -> None:
    if node.signalled is not None:
        _condition(node.signalled.condition, visible)


def _loop(node: tree.Loop, visible: Visible) -> None:
    _end_label(node.label, node.end_label)
    labels = {node.label} if node.label is not None else set()
    inner = replace(visible, loops=visible.loops | labels)
    if isinstance(node, tree.For):
        inner = replace(inner, cursors=inner.cursors | {node.cursor.name})
    _body(node.body, inner)


def _leave(node: tree.Leave, visible: Visible) -> None:
    if node.target not in visible.labels:
        raise Db2Error(-779, "42736", node.target)


def _iterate(node: tree.Iterate, visible: Visible) -> None:
    if node.target not in visible.loops:
        raise Db2Error(-779, "42736", node.target)


def _cursor(node: tree.Open | tree.Fetch | tree.Close, visible: Visible) -> None:
    if node.cursor not in visible.cursors:
        raise Db2Error(-504, "34000", node.cursor)


def _locators(node: tree.Associate | tree.Allocate, visible: Visible) -> None:
    names = [node.locator] if isinstance(node, tree.Allocate) else [locator.name for locator in node.locators]
    for name in names:
        if name not in visible.locators:
            raise Db2Error(-206, "42703", name)


def _branches(node: tree.If | tree.Case, visible: Visible) -> None:
    for _, body in node.branches:
        _body(body, visible)
    _body(node.otherwise or (), visible)


def ends_unit_of_work(text: str) -> str | None:
    """COMMIT or ROLLBACK if the statement ends the unit of work."""
    words = text.upper().split()
    ends = words[0] in {"COMMIT", "ROLLBACK"} and "TO" not in words[1:3]
    return words[0] if ends else None


def _sql(node: tree.Sql, visible: Visible) -> None:
    if visible.atomic and ends_unit_of_work(node.text):
        raise Db2Error(-774, "2D522")


_CHECKS: dict[type[tree.Statement], Callable[[Any, Visible], None]] = {
    tree.Compound: _compound,
    tree.Loop: _loop,
    tree.While: _loop,
    tree.Repeat: _loop,
    tree.For: _loop,
    tree.If: _branches,
    tree.Case: _branches,
    tree.Leave: _leave,
    tree.Iterate: _iterate,
    tree.Signal: _signalled,
    tree.Resignal: _signalled,
    tree.Open: _cursor,
    tree.Fetch: _cursor,
    tree.Close: _cursor,
    tree.Associate: _locators,
    tree.Allocate: _locators,
    tree.Sql: _sql,
}


def _statement(node: tree.Statement, visible: Visible) -> None:
    if node.label is not None:
        if node.label in visible.labels:
            raise Db2Error(-590, "42734", node.label, visible.context)
        visible = replace(visible, labels=visible.labels | {node.label})
    check = _CHECKS.get(type(node))
    if check is not None:
        check(node, visible)


def _body(body: tree.Body, visible: Visible) -> None:
    for node in body:
        _statement(node, visible)


def _parts(node: tree.Statement) -> Iterator[tree.Body]:
    if isinstance(node, tree.Compound):
        yield tuple(handler.statement for handler in node.handlers)
    if isinstance(node, tree.Compound | tree.Loop):
        yield node.body
    if isinstance(node, tree.If | tree.Case):
        yield from (body for _, body in node.branches)
        yield node.otherwise or ()


def descendants(body: tree.Body) -> Iterator[tree.Statement]:
    """All statements of a body, those inside of others too."""
    for node in body:
        yield node
        for part in _parts(node):
            yield from descendants(part)


def check_procedure(definition: tree.ProcedureDefinition) -> None:
    _unique((parameter.name for parameter in definition.parameters), definition.name.name)
    _statement(definition.body, Visible(definition.name.name))


def check_function(definition: tree.FunctionDefinition) -> None:
    _unique((parameter.name for parameter in definition.parameters), definition.name.name)
    if any(parameter.mode != "IN" for parameter in definition.parameters):
        raise Db2Error(-104, "42601", "OUT", definition.name.name, "IN")
    _statement(definition.body, Visible(definition.name.name))


def check_statement(statement: tree.Statement) -> None:
    _statement(statement, Visible())
