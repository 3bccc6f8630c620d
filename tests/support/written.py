"""YAML files: cases of rules, machines, recordings of hosts."""

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
