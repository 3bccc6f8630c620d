"""Settings of ``db2pd -dbcfg`` and ``-dbmcfg``: labels without a token, and the two columns of values."""

import re

from advisor.imports.values import columns, parse_text

_LABELS = {line["LABEL"]: line["VALUE"] for line in columns("db2pd") if line["VALUE"] and not line["COLUMN"]}
_VALUE = re.compile(r"(?:AUTOMATIC|COMPUTED)?\s*\(.*\)|[-+]?\d[\d.eE+-]*|[A-Z_]+", re.IGNORECASE)
APART = re.compile(r"\t|\s{2,}")


def split_values(line: str, end: int, settings_at: tuple[int, int] | None) -> tuple[str | None, str | None]:
    """Return the two columns of values; by their words if the columns are not aligned."""
    if settings_at:
        memory, disk = settings_at
        between = [line[place - 1].isspace() for place in (memory, disk) if place <= len(line)]
        if end <= memory and all(between) and len(line) > memory:
            return line[memory:disk].strip(), line[disk:].strip()
    text = line[end:].strip()
    first, *others = [part for part in APART.split(text) if part] or [""]
    if not others:
        first, *others = text.split() or [""]
    return first, others[0] if others else None


def find_label(line: str) -> tuple[str, int]:
    """Return the parameter that a label names, and the label's end."""
    indent = len(line) - len(line.lstrip())
    for label, name in _LABELS.items():
        if line.startswith(label, indent):
            return name, indent + len(label)
    return "", 0


def parse_value(kind: str, text: str | None) -> str | None:
    """Return the value of a setting, or None if it is not valid for the parameter's kind."""
    if text is None:
        return None
    if kind == "text":
        return parse_text(text) or ""
    match = _VALUE.match(text)
    return match[0] if match else None
