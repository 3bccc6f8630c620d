"""``db2tune runs``: the runs that were kept, to which --run refers."""

from typing import Any

from tabulate import tabulate

from advisor.capture.manifest import Manifest
from advisor.kept.store import Entry
from advisor.report.text import count, json_text, make_printable, wrap
from advisor.report.values import head

NONE = "No run is kept: db2tune advise keeps those of databases and texts."
_HEADS = ("run", "kept", "database", "read from", "up to", "list")


def render(entries: list[Entry], width: int) -> str:
    """Return the runs, one line each; broken ones with the fault."""
    if not entries:
        return NONE + "\n"
    rows = [_cells(entry) for entry in entries if entry.said]
    table = tabulate([_HEADS, *rows], tablefmt="plain", disable_numparse=True).splitlines() if rows else []
    broken = [line for entry in entries if entry.broken for line in wrap(entry.broken, width, f"run {entry.number}: ")]
    return "\n".join(line.rstrip() for line in [*table, *broken]) + "\n"


def _cells(entry: Entry) -> list[str]:
    assert entry.said is not None  # asked of those that can be read
    told = _describe_manifest(entry.said)
    first = f": {told['first']}" if told["first"] else ""
    cells = [entry.number, _minute(told["kept"]), told["database"], told["from"], _minute(told["until"])]
    return [make_printable(str(cell)) for cell in [*cells, count(told["recommendations"], "recommendation") + first]]


def _describe_manifest(said: Manifest) -> dict[str, Any]:
    """Return the description of a run. A copied capture has no list."""
    database, run = said.snapshots[-1].database, said.run
    lines = run.list if run else ()
    return {
        "kept": run.at if run else None,
        "database": database["name"],
        "host": database["host"],
        "from": run.origin if run else "capture",
        "until": said.snapshots[-1].taken_at.isoformat(),
        "recommendations": len(lines),
        "first": lines[0].rule if lines else None,
        "version": run.version if run else None,
    }


def _minute(iso: str | None) -> str:
    return (iso or "")[:16].replace("T", " ")


def as_json(entries: list[Entry]) -> str:
    """Return the runs as JSON."""
    runs = [
        {"run": entry.number, **(_describe_manifest(entry.said) if entry.said else {"broken": entry.broken})}
        for entry in entries
    ]
    return json_text({**head(), "runs": runs})
