"""The answer of a command as structured data, in which all text of a database is a JSON value."""

import json
import re
from typing import Any

from advisor.mcp.brief import BRIEF, shorten
from advisor.mcp.calls import Call
from advisor.mcp.tools import Tool, all_fields

_PREFIX = "db2tune: "
_KEPT = "\n\t"  # control characters of texts with several lines
_HINT = "Kept in "  # a run that the server keeps for the next call
_NOTES = 3  # in a short answer


class CommandError(Exception):
    """The one line of a command that failed."""


def make_answer(tool: Tool, call: Call, output: bytes, errors: bytes) -> dict[str, Any]:
    """Return the answer from what a command printed. Raise CommandError with its line if it failed."""
    lines = [line.removeprefix(_PREFIX) for line in _decode(errors).splitlines() if line.strip()]
    notes = [line for line in lines if not line.startswith(_HINT)]
    if not output.strip():  # a fleet has a document although a database failed
        raise CommandError(name_arguments(tool, notes[-1]) if notes else "the command ended without an answer")
    document = json.loads(output)
    shown = shorten(document, tool.brief, call.detail)
    if shown is None:
        raise CommandError(f"detail: must be brief, full or one of {', '.join(document)}")
    brief = call.detail == BRIEF
    found = {
        "run": call.run,
        "document": escape(shown),
        "notes": escape(notes[:_NOTES] if brief else notes),
        "next": tool.next if brief else None,
    }
    return {name: value for name, value in found.items() if value}


def name_arguments(tool: Tool, message: str) -> str:
    """Return a message of the command line with the names of the tool's arguments for its options."""
    fields = [*all_fields().values(), *tool.fields.values()]  # the tool's own names count
    options = {field.option.partition("=")[0]: field.name for field in fields if field.option}
    return re.sub(r"(?<![\w-])--[a-z0-9-]+", lambda found: options.get(found[0], found[0]), message)


def make_refusal(message: str) -> dict[str, Any]:
    """Return the answer for an error."""
    return {"error": escape(message)}


def escape(value: Any) -> Any:
    """Return JSON data with visible escapes for control, direction and other invisible characters."""
    if isinstance(value, dict):
        return {escape(name): escape(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [escape(each) for each in value]
    return _escape_text(value) if isinstance(value, str) else value


def _escape_text(text: str) -> str:
    from advisor.report.text import make_printable

    return text if text.isprintable() else "".join(c if c in _KEPT else make_printable(c) for c in text)


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "backslashreplace")
