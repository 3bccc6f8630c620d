"""What is written in YAML: cases of rules, machines, recordings of hosts."""

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml

try:
    from yaml import CSafeLoader as Loader
except ImportError:  # PyYAML built without libyaml reads the same, ten times slower
    from yaml import SafeLoader as Loader  # type: ignore[assignment]


def written(path: Path) -> Any:
    """What a YAML file holds: parsed once, and each caller's own."""
    return deepcopy(_parsed(path))


@cache
def _parsed(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), Loader)
