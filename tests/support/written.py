"""What is written in YAML: cases of rules, machines, recordings of hosts."""

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from advisor.documents import from_yaml


def written(path: Path) -> Any:
    """What a YAML file holds: parsed once, and each caller's own."""
    return deepcopy(_parsed(path))


@cache
def _parsed(path: Path) -> Any:
    return from_yaml(path.read_bytes(), path.name)
