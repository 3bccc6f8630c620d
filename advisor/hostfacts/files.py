"""Files of host facts: JSON from the collector, or TOML from a person."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from advisor import documents
from advisor.capture.hostfacts import Facts
from advisor.catalogue.host_items import all_items, check
from advisor.errors import UserError

_SCHEMA = Path(__file__).with_name("hostfacts.schema.json")
_MOST_MB = 64


def read_facts(paths: Iterable[Path]) -> Facts:
    """Return the facts of all files. Later files override earlier ones. Raise UserError for an invalid file."""
    facts: Facts = {}
    for path in paths:
        for host, fact, item, value in _toml(path) if path.suffix == ".toml" else _json(path):
            try:
                check(fact, item, value)
            except UserError as error:
                raise UserError(f"{path.name}: {error}") from None
            facts[host, fact, item] = value
    return facts


def _text(path: Path) -> str:
    """Return the content of a file. A path that is not UTF-8 becomes text that matches no path of Db2."""
    return documents.content(path, _MOST_MB, "host facts").decode("utf-8", errors="replace")


def _json(path: Path) -> Iterator[tuple[str, str, str, str]]:
    document = documents.from_json(_text(path), path.name, "write your own facts to a .toml file")
    documents.check(document, documents.schema_in(_SCHEMA), path.name)
    for entry in document["facts"]:
        yield document["host"], entry["fact"], entry["item"], entry["value"]


def _toml(path: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield the facts of [host.<host>.<kind>] or, for kinds with names, of [host.<host>.<kind>.<name>]."""
    document = documents.from_toml(_text(path), path.name)
    documents.check(document, _schema_of_toml(), path.name)
    named = {item.kind for item in all_items().values() if item.is_named}
    for host, kinds in document.get("host", {}).items():
        for kind, table in kinds.items():
            for name, items in table.items() if kind in named else [("", table)]:
                fact = f"{kind}:{name}" if name else kind
                for item, value in items.items():
                    yield host, fact, item, _value(value)


def _schema_of_toml() -> documents.Schema:
    """Return the schema of a TOML file, with the kinds of facts of the vocabulary."""
    value = {"description": "a number or a text", "type": ["number", "string", "boolean"]}
    items = {"type": "object", "additionalProperties": value}
    kinds = {
        item.kind: {"type": "object", "additionalProperties": _table(items, item.toml.partition("]")[0] + "]")}
        if item.is_named
        else items
        for item in all_items().values()
    }
    host = _table({"type": "object", "additionalProperties": False, "properties": kinds}, "[host.db1.device.sda]")
    hosts = _table({"type": "object", "additionalProperties": host}, "[host.db1.device.sda]")
    return {"type": "object", "additionalProperties": False, "properties": {"host": hosts}}


def _table(schema: documents.Schema, example: str) -> documents.Schema:
    return {**schema, "description": f"a table, {example}"}


def _value(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
