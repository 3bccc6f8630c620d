"""A ticket as a record of a system in which changes are approved, and as a document for other programs.

Which field of a record holds what is in fields.csv: blocks of a template, or a text with the title or the risk in it.
ServiceNow takes the record in POST /api/now/table/change_request (risk: 2 high, 3 moderate, 4 low), Jira in
POST /rest/api/2/issue; both want more, which only the site knows: its project, group or service.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import jinja2

from advisor.capture.manifest import UNNAMED
from advisor.errors import UserError
from advisor.report.text import json_text
from advisor.report.values import head, to_number, to_steps
from advisor.resources import csv_rows
from advisor.ticket import template
from advisor.ticket.content import Ticket

JSON = "json"
WRITTEN_AS = {"servicenow": "text", "jira-issue": "jira"}  # the templates of their fields
_RISKS = {"low": "4", "medium": "3", "high": "2"}
_MORE = "..."
_JSON: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("commands", "activation", "undo"), to_steps),
    **dict.fromkeys(("value", "before", "after"), to_number),
}


def record(ticket: Ticket, form: str, given: Iterable[tuple[str, str]] = (), folder: Path | None = None) -> str:
    """Return the JSON of a ticket; ``given`` are fields that the site adds, with dots in names of nested fields.

    Empty fields are left out. Raise UserError for a field longer than the system accepts, or a name inside a value that is not an object.
    """
    if form == JSON:
        return json_text(head() | _to_plain_value(asdict(ticket)))
    chosen = template.find(WRITTEN_AS[form], folder)
    document: dict[str, Any] = {}
    for row in csv_rows(Path(__file__).with_name("fields.csv")):
        if row["FORMAT"] == form:
            value = _value(row, ticket, chosen, folder)
            if value.strip():
                _insert(document, row["FIELD"], value)
    for name, value in given:
        _insert(document, name, value)
    return json_text(document)


def _value(row: Mapping[str, str], ticket: Ticket, chosen: jinja2.Template, folder: Path | None) -> str:
    most = int(row["MOST"] or 0)
    if row["TEXT"]:
        value = row["TEXT"].format(title=ticket.title, risk=_RISKS[ticket.overview["Risk"]])
        return value if not most or len(value) <= most else value[: most - len(_MORE)] + _MORE
    value = template.fill(ticket, chosen, folder, row["BLOCKS"].split())
    if most and len(value) > most:
        raise UserError(
            f"{row['FIELD']} would have {len(value)} characters, and takes {most}: write a ticket for fewer ranks at a time"
        )
    return value


def _to_plain_value(value: Any) -> Any:
    """Return rows of tables as objects, by the names of their columns; None for an empty text."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {name: _JSON.get(name, _to_plain_value)(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_to_plain_value(part) for part in value]
    return None if value in ("", UNNAMED["database"]) else value


def _insert(document: dict[str, Any], name: str, value: str) -> None:
    *path, last = name.split(".")
    for step in path:
        document = document.setdefault(step, {})
        if not isinstance(document, dict):
            raise UserError(f"{name}: {step} is a text already, and has no fields")
    document[last] = value
