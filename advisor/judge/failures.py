"""The consequences of failed statements: rules that need them do not run; a vital one ends the run."""

import re
from collections.abc import Iterable, Mapping

from advisor.catalogue.reliance import VITAL, relied_on
from advisor.catalogue.rules import Rule
from advisor.errors import UserError, nearest

_KIND = re.compile(r"^(?:\w+ )+Error: ")
_LISTED = "; db2tune sql lists the views"
_LINE = re.compile(r"LINE (\d+): ")
_NO_VIEW = re.compile(r'Table with name "?(?P<name>[^\s"]+)"? does not exist')


def failed(error: Exception) -> str:
    """Return the reason for a failed rule."""
    return f"failed: {first_line(error)}"


def first_line(error: Exception) -> str:
    """Return the first line of an error from DuckDB."""
    return str(error).splitlines()[0]


def cost(rules: Iterable[Rule], views: Mapping[str, Exception]) -> list[tuple[str, str]]:
    """Return the rules that rely on a failed view, each with the reason.

    Raise UserError if the view is vital: without it, the database would seem healthy.
    """
    if not views:
        return []
    for name in VITAL & views.keys():
        raise UserError(f"the capture contains invalid values: {name}: {first_line(views[name])}")
    return [
        (rule.name, f"failed: {name}: {first_line(views[name])}")
        for rule in rules
        for name in sorted(views.keys() & set(relied_on(rule)))
    ]


def sql_fault(error: Exception, known: Iterable[str] = ()) -> tuple[int | None, str]:
    """Return the line of a fault in a statement, if DuckDB reports one, and the fault in one line.

    ``known`` are the views that the statement may read.
    """
    first, *others = str(error).splitlines()
    line = next((int(found[1]) for text in others if (found := _LINE.match(text))), None)
    if missing := _NO_VIEW.search(first):
        name = missing["name"].upper().removeprefix("TUNE.")
        return line, f"{missing['name']}: no such view{nearest(name, known) or _LISTED}"
    hint = next((text.partition(": ")[2] for text in others if text.startswith("Candidate bindings: ")), "")
    text = _KIND.sub("", first).rstrip("!")
    return line, f"{text}; similar: {hint}" if hint else text
