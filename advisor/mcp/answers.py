"""The answer of a command as structured data, in which all text of a database is a JSON value."""

import json
from pathlib import Path
from typing import Any

from advisor import __version__
from advisor.errors import EXIT_FOUND
from advisor.mcp.tools import NOTICE

_PREFIX = "db2tune: "
_KEPT = "\n\t"  # control characters of texts with several lines


class CommandError(Exception):
    """The one line of a command that failed."""


def make_answer(inputs: dict[str, Any], status: int, output: bytes, errors: bytes) -> dict[str, Any]:
    """Return the answer from what a command printed. Raise CommandError with its line if it failed."""
    notes = [line.removeprefix(_PREFIX) for line in _decode(errors).splitlines() if line.strip()]
    if status not in {0, EXIT_FOUND} or not output.strip():
        raise CommandError(notes[-1] if notes else f"the command ended with status {status}")
    document = escape(json.loads(output))
    return {
        "notice": NOTICE,
        **_program(),
        "run": escape({"input": inputs, **_describe(document, inputs)}),
        "notes": escape(notes),
        "document": document,
    }


def make_refusal(message: str) -> dict[str, Any]:
    """Return the answer for an error."""
    return {"notice": NOTICE, **_program(), "error": escape(message)}


def _program() -> dict[str, Any]:
    return {"program": {"name": "db2tune", "version": __version__}}


def _describe(document: dict[str, Any], inputs: dict[str, Any]) -> dict[str, Any]:
    """Return the database and the interval of a document. A ticket has them in its overview, captures in manifests."""
    overview = document.get("overview", {})
    sides = {name: document[name] for name in ("before", "after") if name in document}
    database = overview.get("Database") or document.get("database")
    interval = overview.get("Interval") or document.get("window") or sides
    if not database and {"captures", "runs"} & set(inputs):
        database, interval = _read_manifests(inputs)
    return {name: value for name, value in {"database": database, "interval": interval}.items() if value}


def _read_manifests(inputs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the database of captures and the interval that they cover."""
    from advisor.capture.opening import manifest
    from advisor.kept.store import find
    from advisor.verify.reading import captures_in

    paths = [Path(path) for name in ("captures", "captures_after") for path in inputs.get(name, [])]
    paths += [find(run) for run in inputs.get("runs", [])]
    snapshots = [each for path in captures_in(paths) for each in manifest(path).snapshots]
    times = [each.taken_at for each in snapshots]
    return snapshots[-1].database, {"begin": min(times).isoformat(), "end": max(times).isoformat()}


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
