"""Conversion of a tool's call into a command, and checks of its arguments.

Values become whole arguments of a program, never a text for a shell, and paths must exist, so that none is a pattern.
Messages repeat no value except a path: a value may be a password by mistake.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from advisor.capture.manifest import MANIFEST, SUFFIX
from advisor.errors import UserError
from advisor.kept import store
from advisor.mcp.brief import BRIEF
from advisor.mcp.databases import Reachable, find
from advisor.mcp.tools import Field, Tool, all_fields, read_file

_RUN = re.compile(r"last|[0-9]{1,9}|s[0-9]{1,6}")
_STDIN = "-"
_KEEPS = "--no-keep"  # commands with it can keep their input for later calls


@dataclass(frozen=True)
class Call:
    """A command with its standard input and environment. ``run`` names its input for later calls."""

    arguments: list[str]
    text: str | None = None
    environment: dict[str, str] = field(default_factory=dict)
    run: str | None = None
    detail: str = BRIEF


@dataclass
class Session:
    """What a server knows: the databases, their file, and the inputs of earlier calls as arguments.

    A call can keep the input in the folder, which the server removes.
    """

    folder: Path
    databases: Mapping[str, Reachable] = field(default_factory=dict)
    config: Path | None = None
    inputs: list[dict[str, Any]] = field(default_factory=list)

    def find(self, run: str) -> dict[str, Any]:
        """Return the arguments that a name of ``add`` stands for. Raise UserError for another name."""
        number = int(run[1:])
        if not 0 < number <= len(self.inputs):
            raise UserError("run: no answer of this server has this run")
        return self.inputs[number - 1]

    def find_capture(self, run: str) -> Path:
        """Return the capture of a run. Raise UserError if it has none."""
        if not run.startswith("s"):
            return store.find(run)
        found = self.find(run)
        if not (capture := found.get("run") or found.get("capture")):
            raise UserError("this run has no capture; use the run in an answer of advise")
        return store.find(capture)

    def describe(self) -> dict[str, Any]:
        """Return the databases that tools may read, and the captures in the folder of the server."""
        found = sorted(path.parent if path.name == MANIFEST else path for path in _list_captures(Path.cwd()))
        return {"databases": list(self.databases), "captures": [str(path) for path in found]}

    def add(self, inputs: dict[str, Any], keeps: bool) -> tuple[str | None, list[str]]:
        """Return a name for the arguments of a source, and the options that keep a run of it.

        A database has one only if the command keeps what it read.
        """
        if inputs in self.inputs:
            return f"s{self.inputs.index(inputs) + 1}", []
        keeps = keeps and not {"capture", "run"} & set(inputs)
        if not inputs or ("database" in inputs and not keeps):
            return None, []
        kept = self.folder / f"{len(self.inputs) + 1}.capture"
        self.inputs.append({"run": str(kept)} if keeps else inputs)
        return f"s{len(self.inputs)}", [f"--keep={kept}"] if keeps else []


def make_call(tool: Tool, given: Mapping[str, Any], session: Session) -> Call:
    """Return the command of a call. Raise UserError for invalid arguments."""
    _check(tool, given)
    chosen = _resolve(dict(given), session)
    database = find(chosen["database"], session.databases) if "database" in chosen else None
    options: list[str] = []
    if tool.reads_all and not {"captures"} & set(chosen):
        if session.config is None:
            raise UserError("captures: name captures or runs; this server has no configured databases")
        options.append(f"--databases={session.config}")
    positionals: list[str] = []
    for name, each in all_fields().items():
        if name in chosen:
            (positionals if each.positional else options).extend(_convert(each, chosen[name], session))
        if name == "text" and name in chosen:
            positionals.append(_STDIN)
    inputs = {name: chosen[name] for name in _list_source_fields() if name in chosen} if tool.source else {}
    run, kept = session.add(inputs, _KEEPS in tool.command)
    return Call(
        [*tool.command, *kept, *(database.arguments if database else []), *options, "--", *positionals],
        chosen.get("text"),
        database.environment() if database else {},
        run,
        given.get("detail", BRIEF),
    )


def _list_source_fields() -> list[str]:
    return [*read_file()["source"], "name", "db2_level", "platform", "hostfacts", "options"]


def _list_captures(folder: Path) -> Iterator[Path]:
    yield from folder.glob(f"*{SUFFIX}")
    yield from folder.glob(f"*/{MANIFEST}")


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
    of_database = given.get("run") == store.LAST and sum(sources) == 2 and "database" in given
    if tool.source and sum(sources) != 1 and not of_database:
        raise UserError("name one source: run, capture, files or text, or database")
    if tool.needs and not any(set(names) <= set(given) for names in tool.needs):
        raise UserError(f"{tool.name} needs {', or '.join(' and '.join(names) for names in tool.needs)}")


def _convert(field: Field, value: Any, session: Session) -> list[str]:
    """Return the arguments for a value."""
    if field.name == "database" or (field.option is None and not field.positional):
        return []
    if field.flag:
        return [field.option] if value and field.option else []
    values = [_word(field, each, session) for each in (value if isinstance(value, list) else [value])]
    if field.positional:
        return values
    if field.join is not None:
        values = [field.join.join(values)]
    return [f"{field.option}={each}" for each in values]


def _word(field: Field, value: Any, session: Session) -> str:
    if not field.path:
        text = str(value)
        if "\0" in text:
            raise UserError(f"{field.name}: contains a NUL character")
        return text
    path = Path(value).absolute()
    if path.is_file() or path.is_dir():
        return str(path)
    if field.runs and _RUN.fullmatch(value):
        return str(session.find_capture(value))
    raise UserError(f"{field.name}: {value}: no such file or folder")


def _resolve(chosen: dict[str, Any], session: Session) -> dict[str, Any]:
    """Replace the name of an earlier input by its arguments, and ``last`` by a number."""
    run = chosen.pop("run", "")
    if run == store.LAST:
        run = store.find_last(chosen.pop("database", None))
    return chosen | (session.find(run) if run.startswith("s") else {"run": run} if run else {})
