"""Files of host facts: what the collector wrote (JSON), and what a person knows (TOML)."""

import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from advisor.capture.hostfacts import Facts
from advisor.catalogue.host_items import all_items, check
from advisor.errors import UserError

SCHEMA_VERSION = 1
_MAX_BYTES = 64 * 1024 * 1024


def read(paths: Iterable[Path]) -> Facts:
    """The facts of all files; where two say the same item, the later one wins. Raises UserError for a bad file."""
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
    """What the file holds; a path in another encoding than UTF-8 stays a value that is like no path of Db2's."""
    if path.stat().st_size > _MAX_BYTES:
        raise UserError(f"{path.name}: more than {_MAX_BYTES >> 20} MB; this is no file of host facts")
    return path.read_text(encoding="utf-8", errors="replace")


def _json(path: Path) -> Iterator[tuple[str, str, str, str]]:
    import jsonschema

    try:
        document = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path.name}: not valid JSON ({error}); facts of your own go into a .toml file") from None
    if isinstance(document, dict) and isinstance(document.get("schema"), int) and document["schema"] > SCHEMA_VERSION:
        raise UserError(f"{path.name}: schema {document['schema']} is newer than this db2tune reads; upgrade db2tune")
    schema = json.loads((Path(__file__).parent / "hostfacts.schema.json").read_text(encoding="utf-8"))
    fault = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(schema).iter_errors(document))
    if fault is not None:
        raise UserError(f"{path.name}: {fault.json_path}: {fault.message[:200]}")
    for entry in document["facts"]:
        yield document["host"], entry["fact"], entry["item"], entry["value"]


def _toml(path: Path) -> Iterator[tuple[str, str, str, str]]:
    """[host.<host>.<kind>] or, where there are several of the kind, [host.<host>.<kind>.<name>]."""
    try:
        document = tomllib.loads(_text(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UserError(f"{path.name}: not valid TOML ({error})") from None
    if set(document) - {"host"}:
        wrong = min(set(document) - {"host"})
        raise UserError(f"{path.name}: {wrong[:60]!r} stands where only host may: [host.<name of the host>.device.sda]")
    named = {item.kind for item in all_items().values() if item.is_named}
    for host, kinds in _table(path, "host", document.get("host", {})):
        for kind, inside in _table(path, f"host.{host}", kinds):
            facts = _table(path, f"host.{host}.{kind}", inside) if kind in named else [("", inside)]
            for name, items in facts:
                fact = f"{kind}:{name}" if name else kind
                for item, value in _table(path, f"host.{host}.{fact}".replace(":", ".", 1), items):
                    yield host, fact, item, _value(path, fact, item, value)


def _table(path: Path, where: str, value: Any) -> Iterable[tuple[str, Any]]:
    if not isinstance(value, dict):
        raise UserError(f"{path.name}: {where[:200]} holds one value; a table is wanted, [host.db1.device.sda]")
    return value.items()


def _value(path: Path, fact: str, item: str, value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return f"{value:f}".rstrip("0").rstrip(".")
    if isinstance(value, str | int):
        return str(value)
    raise UserError(f"{path.name}: fact {fact!r}: {item} is a {type(value).__name__}; a number or a text is wanted")
