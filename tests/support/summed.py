"""Captures whose manifest contains a checksum of every file, like captures taken by the program."""

import shutil
from dataclasses import replace
from pathlib import Path

from advisor.capture.manifest import MANIFEST, Collected, read_manifest
from tests.support.paths import CAPTURES


def summed(fixture: str, target: Path, database: str | None = None) -> Path:
    """Return a copy of a fixture with checksums, under this database name."""
    shutil.copytree(CAPTURES / fixture, target)
    said = read_manifest(target)
    if database is not None:
        for snapshot in said.snapshots:
            snapshot.database["name"] = database
    sources = {file.stem: Collected() for file in target.iterdir() if file.name != MANIFEST}
    replace(said, sources=sources).write(target)
    return target
