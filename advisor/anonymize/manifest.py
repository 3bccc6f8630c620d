"""Manifests without names: the database, the site's protected objects, and reasons for missing sources.

The site option ``protected`` becomes the patterns that match the same objects under their new names.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from advisor.anonymize.names import Pick
from advisor.anonymize.rows import Rows
from advisor.capture.manifest import NOT_IN_TEXT, Manifest
from advisor.catalogue.options import MAX_VALUE, SEPARATOR, Option, Overrides, all_options
from advisor.catalogue.rules import all_rules
from advisor.catalogue.sources import all_sources
from advisor.errors import UserError

_KINDS = ("tablespace", "bufferpool", "group", "workload", "host")  # their names are names of objects of advice
_WHOLE = ("host",)  # kinds that a prefix does not match


class Protected:
    """Translates patterns for the names of a capture."""

    def __init__(self, rows: Rows, database: dict[str, Any], pick: Pick) -> None:
        self._rows = rows
        self._pick = pick
        self._owners = {"database": database["name"], "instance": database["instance"]}

    def patterns(self, text: str) -> str:
        """Return patterns for the same objects; empty if the capture has none of them."""
        found = dict.fromkeys(
            new for pattern in text.split(SEPARATOR) if pattern for new in self._find_matches(pattern)
        )
        joined = SEPARATOR.join(found)
        if len(joined.encode()) > MAX_VALUE:
            raise UserError(
                f"option site.protected matches too many objects to be written without their names ({len(found)});"
                " remove it from the manifest first"
            )
        return joined

    def _find_matches(self, pattern: str) -> Iterator[str]:
        star = "*" if pattern.endswith("*") else ""
        for kind in _KINDS:
            for name in self._rows.names(kind):
                if name == pattern or (kind not in _WHOLE and _matches(name, pattern)):
                    yield self._pick(kind, name) + star
        yield from self._tables(pattern, star)
        yield from self._settings(pattern, star)

    def _tables(self, pattern: str, star: str) -> Iterator[str]:
        for schema in self._rows.names("schema"):
            if star and _matches(f"{schema}.", pattern):
                yield f"{self._pick('schema', schema)}.*"
            elif pattern.startswith(f"{schema}."):
                for name in self._rows.tables(schema):
                    if _matches(f"{schema}.{name}", pattern):
                        yield f"{self._pick('schema', schema)}.{self._pick('table', name)}{star}"

    def _settings(self, pattern: str, star: str) -> Iterator[str]:
        """Return patterns for a database or an instance, or one of its settings: ``SALES LOGPRIMARY``."""
        for kind, name in self._owners.items():
            if name == pattern:
                yield self._pick(kind, name)
            elif pattern.startswith(f"{name} "):
                for setting in self._rows.names("parameter"):
                    if _matches(f"{name} {setting.upper()}", pattern):
                        yield f"{self._pick(kind, name)} {self._pick('parameter', setting).upper()}"


def _matches(name: str, pattern: str) -> bool:
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


_CODE = re.compile(r"\b(?:SQL|CLI)\d{4,5}[A-Z]\b", re.ASCII)


def anonymize_manifest(manifest: Manifest, rows: Rows, pick: Pick) -> Manifest:
    """Return the manifest that replaces another one."""
    protected = Protected(rows, manifest.snapshots[0].database, pick)
    return Manifest(
        [replace(snapshot, database=_database(snapshot.database, pick)) for snapshot in manifest.snapshots],
        manifest.sources,
        {source: _reason(text) for source, text in manifest.not_collected.items() if source in all_sources()},
        _options(manifest.options, protected),
    )


def _database(database: dict[str, Any], pick: Pick) -> dict[str, Any]:
    kinds = {"name": "database", "host": "host", "instance": "instance"}
    return database | {part: pick(kind, database[part]) for part, kind in kinds.items()}


def _options(given: Overrides, protected: Protected) -> Overrides:
    """Return the existing options. Others would stop every rule, and may contain anything."""
    known = all_options(all_rules().values())
    found: Overrides = {}
    for owner, values in given.items():
        for name, value in values.items():
            option = known.get((owner, name))
            stands = None if option is None else _option(option, value, protected)
            if stands is not None:
                found.setdefault(owner, {})[name] = stands
    return found


def _option(option: Option, value: str | float, protected: Protected) -> str | float | None:
    """Return the replacement for the value of an option, None if nothing of it is left."""
    if option.kind == "names":
        return protected.patterns(str(value)) or None
    try:
        option.checked(value)  # a number, or one of few words
    except UserError:
        return None
    return value


def _reason(text: str) -> str:
    """Return why a source is missing. A message of Db2 is cut to its identifier, since it names tables and users."""
    if text == NOT_IN_TEXT:
        return text
    code = _CODE.search(text)
    return code.group() if code else "not collected"
