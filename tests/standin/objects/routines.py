"""Routines: CREATE PROCEDURE, and which procedure a CALL means with which arguments."""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tests.standin.api import DEFAULT_ARGUMENT, Procedure
from tests.standin.errors import Db2Error
from tests.standin.objects.database import Database
from tests.standin.objects.define import Definer
from tests.standin.objects.definitions import Key, Name, Routine
from tests.standin.objects.dispatch import leading_words
from tests.standin.objects.registers import SYSTEM_PATH
from tests.standin.objects.registry import FUNCTION, PROCEDURE
from tests.standin.objects.tables import new_name
from tests.standin.pl import ProcedureDefinition, make_procedure, parse_function, parse_procedure
from tests.standin.types import SqlType

Evaluate = Callable[[str, SqlType], Any]
Check = Callable[[ProcedureDefinition], None]  # of the static SQL in a body


def create_routine(run: Definer, text: str, dynamic_rules: str, options: str, check: Check) -> None:
    """CREATE [OR REPLACE] PROCEDURE or FUNCTION."""
    if FUNCTION in leading_words(text):
        _create_function(run, text)
        return
    definition = with_types(parse_procedure(text), run.names.written)
    if definition.autonomous and definition.result_sets:  # the manual does not describe the closing of its cursors
        raise Db2Error(-270, "42997", "AUTONOMOUS")
    arity = len(definition.parameters)
    key = run.new(PROCEDURE, Name(*definition.name), "PROCEDURE", definition.replace, arity)
    check(definition)
    made = make_procedure(definition, key.schema, run.user)
    specific = definition.specific.name if definition.specific else new_name(run)
    _check_specific(run, key, specific)
    routine = Routine(
        replace(made, dynamic_rules=dynamic_rules, options=options),
        PROCEDURE,
        specific,
        run.names.schema,
        run.now,
        definition.result_sets,
    )
    run.put(key, routine)


def with_types(node: Any, written: Callable[[SqlType], SqlType]) -> Any:
    """A tree of SQL PL with the types that the database means by those that it names."""
    if isinstance(node, SqlType):
        return written(node)
    if isinstance(node, tuple) and type(node) is tuple:
        return tuple(with_types(one, written) for one in node)
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changed = {field.name: with_types(getattr(node, field.name), written) for field in fields(node) if field.init}
    same = all(changed[name] is getattr(node, name) for name in changed)
    return node if same else replace(node, **changed)


def _create_function(run: Definer, text: str) -> None:
    definition = parse_function(text)
    name = Name(*definition.name)
    key = run.new(FUNCTION, name, "FUNCTION", definition.replace, len(definition.parameters))
    raise Db2Error(-270, "42997", key.text)


def _check_specific(run: Definer, key: Key, specific: str) -> None:
    """-454 if another routine has the specific name."""
    for other, one in run.registry.of(PROCEDURE):
        if isinstance(one, Routine) and other != key and (other.schema, one.specific) == (key.schema, specific):
            raise Db2Error(-454, "42723", f"{key.schema}.{specific}", key.schema)


def find(database: Database, schema: str, name: Name, arguments: int) -> Procedure | Routine:
    """Return the procedure for a CALL with this number of arguments; raise -440 if it does not exist."""
    schemas = (name.schema,) if name.schema else (*SYSTEM_PATH, schema)
    for one in schemas:
        candidates = _candidates(database, Name(one, name.name))
        for arity in sorted(candidates):
            if arity >= arguments and _may_leave_out(candidates[arity], arguments):
                return candidates[arity]
    raise Db2Error(-440, "42884", f"{name.schema}.{name.name}" if name.schema else name.name, "PROCEDURE")


def _candidates(database: Database, name: Name) -> dict[int, Procedure | Routine]:
    built_in = {key.arity: one for key, one in database.built_in.items() if (key.schema, key.name) == name}
    return built_in | database.registry.routines(PROCEDURE, name)


def _may_leave_out(found: Procedure | Routine, arguments: int) -> bool:
    """Whether as many parameters have defaults as there are arguments missing."""
    procedure = procedure_of(found)
    missing = len(procedure.parameters) - arguments
    return missing <= sum(default is not None for default in procedure.defaults)


def procedure_of(found: Procedure | Routine) -> Procedure:
    return found.procedure if isinstance(found, Routine) else found


def bind(procedure: Procedure, arguments: Sequence[Any], names: Sequence[str | None], evaluate: Evaluate) -> list[Any]:
    """A value for every parameter: those given by position or name, and defaults for the others."""
    values: list[Any] = [DEFAULT_ARGUMENT] * len(procedure.parameters)
    positions = {parameter.column.name: at for at, parameter in enumerate(procedure.parameters)}
    for at, (value, name) in enumerate(zip(arguments, names, strict=True)):
        position = at if name is None else positions.get(name, -1)
        if position < 0 or values[position] is not DEFAULT_ARGUMENT:
            raise Db2Error(-440, "42884", f"{procedure.schema}.{procedure.name}", "PROCEDURE")
        values[position] = value
    return [
        _default(procedure, at, evaluate) if value is DEFAULT_ARGUMENT else value for at, value in enumerate(values)
    ]


def _default(procedure: Procedure, at: int, evaluate: Evaluate) -> Any:
    parameter, default = procedure.parameters[at], procedure.defaults[at]
    if default is None:
        raise Db2Error(-440, "42884", f"{procedure.schema}.{procedure.name}", "PROCEDURE")
    return evaluate(default, parameter.column.type)
