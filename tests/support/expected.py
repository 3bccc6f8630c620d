"""Expected results of the same kind in one JSON file, by name: read by tests, written for review."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any


@cache
def read_expected(file: Path) -> Mapping[str, Any]:
    """Return the expected results by name."""
    return dict(json.loads(file.read_text(encoding="utf-8")))


def write_expected(file: Path, results: Mapping[str, Any], names: set[str]) -> None:
    """Replace the given results, and remove those of other than the existing names."""
    kept = {name: result for name, result in sorted({**read_expected(file), **results}.items()) if name in names}
    file.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
