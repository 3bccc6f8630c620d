"""A capture: what one snapshot of a database or more held, on disk.

A directory (or a zip of one) with ``manifest.json`` and one CSV or Parquet file per snapshot table,
named like the source in sql/collect/. Every file has the column SNAP_ID and the source's key; other
columns may be absent, and then the rules that need them say so. Anything else that is wrong raises
UserError with one line that names the file and what to do.
"""

from advisor.capture.manifest import MANIFEST, Collected, Manifest, Snapshot
from advisor.capture.opening import opened
from advisor.capture.reading import Capture
from advisor.capture.writing import written

__all__ = ["MANIFEST", "Capture", "Collected", "Manifest", "Snapshot", "opened", "written"]
