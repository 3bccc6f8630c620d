"""Replacement of one value: treatments by name; those of settings and host facts by the name of the setting or fact.

A treatment keeps the structure of a value (the components of a path, the words of a list) and replaces each part.
"""

import re
from collections.abc import Callable
from functools import cache, partial

from advisor.anonymize.names import Pick, all_kinds, is_kept, table
from advisor.catalogue.host_items import all_items

Treatment = Callable[[Pick, str], str | None]

_COMPONENT = re.compile(r"[^/\\]+")
_DEVICE = re.compile(r"[^/,\s]+")
_ENDPOINT = re.compile(r"[^{}|,\s]+")
_COLUMN = re.compile(r"[^+-]+")
_WORD = re.compile(r"[^\s,;:=|*(){}'\"@]+")


def treatment(name: str, context: str) -> Treatment:
    """Return the treatment that columns.csv names; the context is the owner of the value."""
    if name == "setting":
        return _treatments()[_settings().get(context.lower(), "text")]
    if name == "fact_value":
        item, kind, *_ = [*context.split(":"), ""]
        return _treatments()[_facts().get((kind, item), "text")]
    return _treatments()[name]


@cache
def _treatments() -> dict[str, Treatment]:
    names: dict[str, Treatment] = {kind: partial(_name, kind) for kind in all_kinds()}
    return names | {
        "path": _path,
        "device": _devices,
        "text": partial(_words, "text"),
        "processor": partial(_words, "processor"),
        "archive": _archive,
        "endpoints": _endpoints,
        "column_list": _columns,
        "nothing": _remove_text,
        "item": _item,
        "fact_key": _fact_key,
    }


@cache
def _settings() -> dict[str, str]:
    return {row["NAME"]: row["TREATMENT"] for row in table("settings")}


@cache
def _facts() -> dict[tuple[str, str], str]:
    return {(row["FACT"], row["ITEM"]): row["TREATMENT"] for row in table("facts")}


@cache
def _kinds_of_fact_names() -> dict[str, str]:
    """Return the kind of a fact's name by the kind of the fact, for facts with names."""
    places = {"container": "path", "path": "path", "volume": "path", "device": "device"}
    return {item.kind: places.get(item.kind, "text") for item in all_items().values() if item.is_named}


def _name(kind: str, pick: Pick, value: str) -> str:
    return pick(kind, value)


def _path(pick: Pick, value: str) -> str:
    """Replace a path: its hierarchy stays, and so do drives and Db2's own directories."""
    return _COMPONENT.sub(lambda found: _component(pick, found.group()), value)


def _component(pick: Pick, name: str) -> str:
    """Replace one component. If it ends in _, Db2 may append the number of a member."""
    return pick("path", name[:-1]) + "_" if len(name) > 1 and name.endswith("_") else pick("path", name)


def _devices(pick: Pick, value: str) -> str:
    """Replace a device, or several with commas between them."""
    return _DEVICE.sub(lambda found: pick("device", found.group()), value)


def _words(kind: str, pick: Pick, value: str) -> str:
    """Replace a text of words, some of which may be paths."""

    def word(found: re.Match[str]) -> str:
        text = found.group()
        is_path = ("/" in text or "\\" in text) and not is_kept(kind, text)
        return _path(pick, text) if is_path else pick(kind, text)

    return _WORD.sub(word, value)


def _columns(pick: Pick, value: str) -> str:
    """Replace the columns of an index, each after a sign for its order."""
    return _COLUMN.sub(lambda found: pick("column", found.group()), value)


def _remove_text(_pick: Pick, _value: str) -> None:
    """Remove a text that must not be published, such as a statement."""


def _archive(pick: Pick, value: str) -> str:
    """Replace a log archive method: OFF, DISK:/path, TSM:class, VENDOR:/library."""
    method, colon, place = value.partition(":")
    is_path = "/" in place or "\\" in place
    return pick("text", method) + colon + (_path(pick, place) if is_path else pick("secret", place))


def _endpoints(pick: Pick, value: str) -> str:
    """Replace hosts with their ports, as in HADR_TARGET_LIST."""

    def endpoint(found: re.Match[str]) -> str:
        host, colon, port = found.group().rpartition(":")
        return pick("host", host) + colon + pick("service", port) if colon else pick("host", port)

    return _ENDPOINT.sub(endpoint, value)


def _item(pick: Pick, value: str) -> str:
    return value if value in {item for _, item in all_items()} else pick("fact", value)


def _fact_key(pick: Pick, value: str) -> str:
    """Replace the name in the key of a fact, after its kind."""
    kind, colon, name = value.partition(":")
    if kind not in {known for known, _ in all_items()}:
        return pick("fact", value)
    return kind + colon + (_treatments()[_kinds_of_fact_names().get(kind, "text")](pick, name) or "")
