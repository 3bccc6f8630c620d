"""Data files of the tests: YAML with cases, machines and hosts, and JSON with expected results by name."""

import json
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from advisor.documents import from_yaml


def written(path: Path) -> Any:
    """Return the contents of a YAML file: parsed once, and copied for each caller."""
    return deepcopy(_parsed(path))


@cache
def _parsed(path: Path) -> Any:
    return from_yaml(path.read_bytes(), path.name)


@cache
def read_expected(file: Path) -> Mapping[str, Any]:
    """Return the expected results by name."""
    return dict(json.loads(file.read_text(encoding="utf-8")))


def write_expected(file: Path, results: Mapping[str, Any], names: set[str]) -> None:
    """Replace the given results, and remove those of other than the existing names."""
    kept = {name: result for name, result in sorted({**read_expected(file), **results}.items()) if name in names}
    file.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
