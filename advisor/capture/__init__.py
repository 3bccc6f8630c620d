"""Captures: one or more snapshots of a database on disk.

A directory (or a zip of one) with ``manifest.json`` and one CSV file per snapshot table,
named like the source in sql/collect/. Every file contains the column SNAP_ID and the source's key.
Other columns may be missing; the rules that need them then report it. Every other fault raises
UserError with one line: the file and the remedy.
"""

from advisor.capture.manifest import MANIFEST, Collected, Manifest, Snapshot
from advisor.capture.opening import open_capture
from advisor.capture.reading import Capture
from advisor.capture.writing import write_capture

__all__ = ["MANIFEST", "Capture", "Collected", "Manifest", "Snapshot", "open_capture", "write_capture"]
