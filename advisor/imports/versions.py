"""Several versions of one setting in the texts; advisor/imports/sql/settings.sql chooses between them."""

import json
import re
from collections.abc import Collection, Sequence

from advisor.errors import list_some
from advisor.imports.readings import Report

MOST_NAMED = 5

_SCHEME = re.compile(r"\w\w+:", re.ASCII)
_ENDS = re.compile(r"[/\\]NODE\d+([/\\]LOGSTREAM\d+)?$", re.ASCII)
_AROUND = re.compile(r"^DISK:|\"| \$.*$")


def note_conflicts(found: Sequence[tuple[str, str]]) -> list[str]:
    """Return a note on settings with several values, which are their names and lists in JSON."""
    if not found:
        return []
    named = (f"{name} {', then '.join(_shorten(json.loads(values)))}" for name, values in found)
    return [f"several values of one setting, the last one counts: {list_some(named, MOST_NAMED, '; ')}"]


def _shorten(values: list[str]) -> list[str]:
    others = len(values) - MOST_NAMED
    return [*values[: MOST_NAMED - 1], f"{others} others", values[-1]] if others > 1 else values


def find_not_followed(reports: Sequence[Report], formats: Collection[str]) -> list[bool]:
    """Return for each report whether no activation or start follows it in its document."""
    last = {report.document: place for place, report in enumerate(reports) if report.format in formats}
    return [place > last.get(report.document, -1) for place, report in enumerate(reports)]


def normalize_log_path(path: str | None) -> str | None:
    """Return a path of the log without the parts that Db2 adds."""
    if path is None:
        return None
    scheme = _SCHEME.match(path)
    start = scheme[0] if scheme else ""
    return start.upper() + _ENDS.sub("", path.removeprefix(start).rstrip("/\\")).rstrip("/\\")


def find_path(value: str | None) -> str | None:
    """Return the path in the value of a setting."""
    return None if value is None else _AROUND.sub("", value)
