"""Anonymized captures: every name is replaced consistently, and rules lose nothing that they need.

The treatment of each column is data: columns.csv lists it for every column with text, settings.csv and facts.csv those
of settings and host facts. kinds.csv gives the form of the new names, and keep.csv the values that stay because every
Db2 or operating system has them. All other values are replaced.
"""

from dataclasses import replace
from pathlib import Path

from advisor.anonymize.manifest import anonymize_manifest
from advisor.anonymize.names import Names
from advisor.anonymize.rows import Rows
from advisor.capture import Capture, Collected, Manifest, open_capture
from advisor.catalogue.embedded import open_tables
from advisor.errors import UserError

__all__ = ["anonymize_capture"]


def anonymize_capture(capture: Path, target: Path) -> None:
    """Write a copy of a capture (a directory or a single file) without its names, as a directory.

    Names become numbers in the order of the originals, so that sorting gives the same order. Raise UserError if the
    capture is not usable or ``target`` is not empty.
    """
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise UserError(f"{target}: not empty; choose another directory")
    names = Names()
    with open_capture(capture) as found, open_tables() as tables:
        found.load(tables)
        rows = Rows(tables, found)
        declared = {name: _declare(found, name) for name in found.files}
        manifest = Manifest(found.snapshots, declared, found.not_collected, found.options)
        rows.note(names.note)
        anonymize_manifest(manifest, rows, names.note)
        names.settle()
        rows.write(target, names.word)
        anonymize_manifest(manifest, rows, names.word).write(target)


def _declare(capture: Capture, name: str) -> Collected:
    """Return the manifest's entry for a source without the columns that are not read."""
    collected = capture.declared.get(name, Collected())
    return replace(collected, columns=[column for column in collected.columns if column in capture.columns[name]])
