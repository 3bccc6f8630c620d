"""Manifests without names: the database, the site's protected objects, and reasons for missing sources."""

import re
from dataclasses import replace
from typing import Any

from advisor.anonymize.names import Pick
from advisor.anonymize.protected import Protected
from advisor.anonymize.rows import Rows
from advisor.capture.manifest import NOT_IN_TEXT, Manifest
from advisor.catalogue.options import Option, Overrides, all_options
from advisor.catalogue.rules import all_rules
from advisor.catalogue.sources import all_sources
from advisor.errors import UserError

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
