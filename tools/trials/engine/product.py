"""The advice of the command line for a capture or text, read from its JSON."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.trials.engine.cases import Definition


@dataclass(frozen=True)
class Advised:
    """An index of the advice, with the promised time to maintain it in the interval."""

    definition: Definition
    bytes: int
    maintenance_ms: float


@dataclass(frozen=True)
class Point:
    """An index of the curve, with the share of the time that it saves together with those before it."""

    definition: Definition
    saved: float


@dataclass(frozen=True)
class Answer:
    """The indexes of the command line, and the curve beyond them.

    ``after`` is the promised time of an execution per statement that gains.
    """

    before_ms: float
    after_ms: float
    indexes: tuple[Advised, ...]
    after: Mapping[str, float]
    curve: tuple[Point, ...] = ()

    @property
    def saved(self) -> float:
        """Return the promised share of the time."""
        return 1 - self.after_ms / self.before_ms if self.before_ms else 0.0


def ask(arguments: Sequence[str]) -> Answer:
    """Return what ``db2tune indexes`` prints, with its own limits."""
    command = [sys.executable, "-m", "advisor.cli.main", "indexes", *arguments, "--format", "json"]
    root = Path(__file__).parents[3]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=root, env={**os.environ, "COLUMNS": "120"}
    )
    if done.returncode:
        raise RuntimeError(f"db2tune indexes: {done.stderr.strip()}")
    found: dict[str, Any] | None = json.loads(done.stdout)["indexes"]
    if found is None:
        return Answer(0.0, 0.0, (), {})
    after = {item["statement"]: item["ms_after"] for index in found["create"] for item in index["statements"]}
    return Answer(
        found["statement_ms"],
        found["statement_ms_after"],
        tuple(Advised(read_definition(index), index["bytes"], index["maintenance_ms"]) for index in found["create"]),
        after,
        tuple(Point(read_definition(each), each["saved_ms"] / found["statement_ms"]) for each in found["curve"]),
    )


def read_definition(index: Mapping[str, Any]) -> Definition:
    """Return an index of the JSON with the names of PostgreSQL."""
    keys = (key["column"].lower() + (" DESC" if key["descending"] else "") for key in index["columns"])
    return Definition(index["table"].lower(), (*keys, *(name.lower() for name in index["include"])))
