"""Importing large texts: seconds of one processor for each MB, and memory at two sizes of the same text."""

import tempfile
import time
from pathlib import Path
from typing import Any

MEGABYTES = (300, 900)
KINDS = ("db2mon", "snapshot")


def write(kind: str, megabytes: int, path: Path) -> None:
    """A text of one kind that is at least so large."""
    from tests.imports.printers import db2mon, snapshot

    with path.open("w", encoding="utf-8") as file:
        file.writelines({"db2mon": db2mon, "snapshot": snapshot}[kind].large(megabytes))


def measure(path: Path) -> dict[str, Any]:
    """Import one text, on one processor."""
    from advisor.imports.texts import import_texts

    with tempfile.TemporaryDirectory(prefix="db2tune-bench-") as target:
        begin = time.process_time()
        rows = import_texts([path], Path(target)).rows
        seconds = time.process_time() - begin
    return {"ms_per_mb": 1000 * seconds / (path.stat().st_size / 1e6), "count": sum(rows.values())}
