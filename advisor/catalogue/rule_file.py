"""Rule files: YAML front matter in a block comment, and one SELECT.

    /*---
    rule: log.buffer-full
    title: Log buffer too small
    ...
    ---*/
    SELECT ...

``sql/schema/rule.schema.json`` describes the front matter. Steps, or sentences of a finding, that several rules share are
in a YAML file of their own; ``include: log-move`` names it.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from advisor.documents import check, from_yaml, schema_in
from advisor.errors import UserError
from advisor.resources import SQL

Header = dict[str, Any]
Item = str | dict[str, Any]

SCHEMA = SQL / "schema" / "rule.schema.json"

_FRONT_MATTER = re.compile(r"/\*---\n(?P<header>.*?)^---\*/\n(?P<select>.*)", re.DOTALL | re.MULTILINE)


def read_rule_file(path: Path) -> tuple[Header, str]:
    """Return the front matter of a rule file, with its included steps and sentences, and the SELECT.

    Raise UserError for YAML that cannot be read, ValueError for a file without front matter.
    """
    found = _FRONT_MATTER.fullmatch(path.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError("the file must begin with a header between /*--- and ---*/, and continue with one SELECT")
    header = from_yaml(f"\n{found['header']}", path.name)  # the first line is the opening mark
    for name in ("actions", "finding") if isinstance(header, dict) else ():
        if isinstance(header.get(name), list):
            header[name] = list(_expand_includes(header[name], path))
    return header, found["select"].strip()


def header_lines(text: str) -> int:
    """Return the number of lines of the front matter; 0 for a file that is not a rule."""
    found = _FRONT_MATTER.fullmatch(text)
    return text.count("\n", 0, found.start("select")) if found else 0


def lines_before_select(text: str) -> int:
    """Return the number of lines of a rule file before its SELECT."""
    found = _FRONT_MATTER.fullmatch(text)
    return text.count("\n", 0, found.end("select") - len(found["select"].lstrip())) if found else 0


def check_header(header: Any, name: str) -> None:
    """Raise UserError for the first value that the schema does not allow; ``name`` is the file in the message."""
    check(header, schema_in(SCHEMA), name, whole="the header")


def _expand_includes(parts: list[Any], path: Path) -> Iterator[Any]:
    for part in parts:
        if isinstance(part, dict) and part.keys() == {"include"}:
            beside = path.with_name(f"{part['include']}.yml")
            yield from _steps(beside if beside.is_file() else SQL / "rules" / "include" / beside.name)
        else:
            yield part


@cache
def _steps(path: Path) -> list[Any]:
    """Return the steps or sentences in a file that rules include."""
    steps = from_yaml(path.read_bytes(), path.name)
    if isinstance(steps, list):
        return steps
    raise UserError(f"{path.name}: must be a list of steps")


def list_alternatives(item: Item, text: str = "text") -> list[dict[str, Any]]:
    """Return the alternatives of an item in their order; the first with a true condition applies.

    A plain text is one alternative under the key ``text``. Raise ValueError if one without a condition is not the
    last.
    """
    if isinstance(item, str):
        return [{text: item}]
    found = [{text: each} if isinstance(each, str) else each for each in item.get("choose", [item])]
    if any("when" not in each for each in found[:-1]):
        raise ValueError("only the last alternative of choose may lack a condition")
    return found


def as_list(value: Any) -> list[Any]:
    """Return a value that may be missing, single or a list as a list."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
