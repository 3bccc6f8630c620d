"""Conversion of a tool's call into a command, and checks of its arguments.

Values become whole arguments of a program, never a text for a shell, and paths must exist, so that none is a pattern.
Messages repeat no value except a path: a value may be a password by mistake.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from advisor.errors import UserError
from advisor.kept import store
from advisor.mcp.databases import Reachable, find
from advisor.mcp.tools import Field, Tool

_INPUTS = ("capture", "files", "run", "database", "before", "after", "captures", "captures_after", "runs")
_STDIN = "-"


@dataclass(frozen=True)
class Call:
    """A command with its standard input and environment. ``inputs`` are the arguments that name its data."""

    arguments: list[str]
    text: str | None = None
    environment: dict[str, str] = field(default_factory=dict)
    inputs: dict[str, Any] = field(default_factory=dict)


def make_call(tool: Tool, given: Mapping[str, Any], databases: Mapping[str, Reachable]) -> Call:
    """Return the command of a call. Raise UserError for invalid arguments."""
    _check(tool, given)
    chosen = {name: _resolve_run(value) if name in {"run", "runs"} else value for name, value in given.items()}
    database = find(chosen["database"], databases) if "database" in chosen else None
    options: list[str] = []
    positionals: list[str] = []
    for name, each in tool.fields.items():
        if name in chosen:
            (positionals if each.positional else options).extend(_convert(each, chosen[name]))
        if name == "text" and name in chosen:
            positionals.append(_STDIN)
    inputs = {name: chosen[name] for name in _INPUTS if name in chosen}
    if "text" in chosen:
        inputs["text"] = f"{len(chosen['text'])} pasted characters"
    return Call(
        [*tool.command, *(database.arguments if database else []), *options, "--", *positionals],
        chosen.get("text"),
        database.environment() if database else {},
        inputs,
    )


def _check(tool: Tool, given: Mapping[str, Any]) -> None:
    from jsonschema import Draft202012Validator

    if unknown := sorted(set(given) - set(tool.fields)):
        raise UserError(
            f"{', '.join(unknown)}: no such argument of {tool.name}; it has {', '.join(tool.fields)}."
            " Passwords are never arguments: configure the database for db2tune mcp"
        )
    for error in sorted(Draft202012Validator(tool.schema).iter_errors(dict(given)), key=lambda each: each.json_path):
        if error.validator == "required":
            missing = next(name for name in tool.required if name not in given)
            raise UserError(f"{missing}: this argument of {tool.name} is missing")
        raise UserError(f"{error.json_path.removeprefix('$.')}: {error.validator} must be {error.validator_value}")
    sources = [bool({"files", "text"} & set(given)), *(name in given for name in ("capture", "run", "database"))]
    if tool.source and sum(sources) != 1:
        raise UserError("name one source: capture, files or text, run, or database")


def _convert(field: Field, value: Any) -> list[str]:
    """Return the arguments for a value."""
    if field.name == "database" or (field.option is None and not field.positional):
        return []
    if field.flag:
        return [field.option] if value and field.option else []
    values = [_word(field, each) for each in (value if isinstance(value, list) else [value])]
    if field.positional:
        return values
    if field.join is not None:
        values = [field.join.join(values)]
    return [f"{field.option}={each}" for each in values]


def _word(field: Field, value: Any) -> str:
    if not field.path:
        text = str(value)
        if "\0" in text:
            raise UserError(f"{field.name}: contains a NUL character")
        return text
    path = Path(value).absolute()
    if not (path.is_file() or path.is_dir()):
        raise UserError(f"{field.name}: {value}: no such file or folder")
    return str(path)


def _resolve_run(value: Any) -> Any:
    """Return the numbers of kept runs, so that an answer names them instead of ``last``."""
    if isinstance(value, list):
        return [_resolve_run(each) for each in value]
    return store.find(value).stem if value == store.LAST else value
