"""Settings in custom resources of the Db2 operators, Db2uCluster and Db2uInstance, and in playbooks that write them.

These contain the values with which the operator created the database, not later changes in Db2.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from advisor.imports.reader import Format, Part, starts_with
from advisor.imports.readings import Report
from advisor.imports.settings import find_by_token, make_registry_row, split_flag

_NAME = "custom resource of the Db2 operator"
_START = re.compile(r"(?P<indent>\s*(?:- )?)apiVersion:\s*[\"']?db2u\.databases\.ibm\.com/")
_PLAYBOOK = "playbook of the Db2 operator"
_SCOPES = {"database_db_config": "db", "instance_dbm_config": "dbm", "instance_registry": ""}
_VARIABLES = re.compile(rf"(?P<indent>\s*)db2_(?P<name>{'|'.join(_SCOPES)}):\s*$")
_ENTRY = re.compile(r"(?P<indent>\s*)(?P<name>\w+):[ \t]+(?P<value>\"[^\"{$]*\"|'[^'{$]*'|[^\s\"'{$#|>]+)\s*(?:#.*)?$")
_LINE = re.compile(r"\s*(?:#.*|-.*|[\w./\"'-]+\s*:.*|\.\.\.)?$")
_LEVEL = re.compile(r"(\d+(?:\.\d+){2,3})")
_MOST_LINES = 5000
_WANTED = frozenset({"version", "image", "environment"})
_DAMAGED = "YAML that cannot be read"


def _read(part: Part) -> None:
    import yaml

    first = part.lines.number + 1
    try:
        loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every value is a text, as in Db2
        content = yaml.compose("\n".join(_select_lines(_resource(part))), Loader=loader)
    except (yaml.YAMLError, RecursionError):
        part.ignore(_DAMAGED, first)
        return
    spec = _entries(_entries(content).get("spec"))
    environment = _entries(spec.get("environment"))
    instance = _entries(environment.get("instance"))
    level = _LEVEL.search(_text(spec.get("version")) or _text(spec.get("image")) or "")
    databases = environment.get("databases")
    found = False
    several = databases.value if databases is not None and databases.id == "sequence" else [environment.get("database")]
    for database in several:
        own = _entries(database)
        report = part.report(
            _NAME, database=(_text(own.get("name")) or "").upper() or None, level=level[0] if level else None
        )
        found |= _settings(part, report, "db", _entries(own.get("dbConfig")))
        found |= _settings(part, report, "dbm", _entries(instance.get("dbmConfig")))
        found |= _registry(part, report, _entries(instance.get("registry")))
    if not found:
        part.unused(_NAME, first)


def _resource(part: Part) -> list[str]:
    """Return the lines of one resource, without indentation; it ends where another resource or text starts."""
    start = _START.match(next(part.lines))
    indent = len(start["indent"].expandtabs(2)) if start else 0
    block: list[str] = []
    for line in part.lines:
        text = line.expandtabs(2).rstrip() if "\t" in line else line.rstrip()
        within = text[: indent + 1].isspace() or not text
        if not within and (text[:indent].strip() or text == "---" or _START.match(text) or not _LINE.match(text)):
            part.lines.push_back()
            break
        block.append(text[indent:])
        if len(block) == _MOST_LINES:
            break
    return block


def _select_lines(block: list[str]) -> Iterator[str]:
    """Return the used lines of a resource: the status of a running one is its largest part."""
    within = wanted = False
    level = 0
    for line in block:
        text = line.lstrip()
        indent = len(line) - len(text)
        if not text or text[0] == "#":
            continue
        if indent == 0:
            within, level = text.startswith("spec:"), 0
            wanted = within
        elif within and indent == (level := level or indent):
            wanted = text.partition(":")[0].strip("\"'") in _WANTED
        if wanted:
            yield line


def _entries(node: Any) -> Mapping[str, Any]:
    """Return the entries of a YAML mapping by key; nothing for any other value."""
    return {key.value: value for key, value in node.value if key.id == "scalar"} if _has_kind(node, "mapping") else {}


def _text(node: Any) -> str | None:
    return str(node.value) if _has_kind(node, "scalar") else None


def _has_kind(node: Any, kind: str) -> bool:
    return node is not None and node.id == kind


def _settings(part: Part, report: Report, scope: str, values: Mapping[str, Any]) -> bool:
    found = False
    for token, node in values.items():
        parameter, given = find_by_token(token, scope), _text(node)
        if parameter is not None and given is not None:
            value, flags = split_flag(given)
            row = {"NAME": parameter.name, "VALUE": value, "VALUE_FLAGS": flags}
            part.readings.row(report, parameter.source, row)
            found = True
    return found


def _registry(part: Part, report: Report, values: Mapping[str, Any]) -> bool:
    given = {name.upper(): text for name, node in values.items() if (text := _text(node)) is not None}
    for name, value in given.items():
        part.readings.row(report, "registry", make_registry_row(name, value))
    return bool(given)


def _read_variables(part: Part) -> None:
    """Read one variable of a playbook; its entries are further indented."""
    import yaml

    start = _VARIABLES.match(next(part.lines))
    first, indent = part.lines.number, len(start["indent"]) if start else 0
    given: dict[str, Any] = {}
    for line in part.lines:
        entry = _ENTRY.match(line)
        if entry and len(entry["indent"]) > indent:
            given[entry["name"]] = yaml.ScalarNode("", entry["value"].strip("\"'"))
        elif line.strip() and not line.lstrip().startswith("#") and not line[: indent + 1].isspace():
            part.lines.push_back()
            break
    scope = _SCOPES[start["name"]] if start else ""
    report = part.report(_PLAYBOOK)
    if not (_settings(part, report, scope, given) if scope else _registry(part, report, given)):
        part.unused(_PLAYBOOK, first)


FORMATS = (
    Format(_NAME, starts_with(_START), _read, ("apiversion",)),
    Format(_PLAYBOOK, starts_with(_VARIABLES), _read_variables, ("db2_",)),
)
