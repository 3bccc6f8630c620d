"""The weight of the project against weight.toml: ``python -m tools.weight``, exit status 1 if it grew.

Files, lines and words are counted in the tracked files.
"""

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMITS = ROOT / "weight.toml"
EQUIPMENT = ("tests/standin/", "tests/contract/", "tests/twin/")


def count_weight() -> dict[str, int]:
    """Return the tracked files, the lines of each folder and the words of docs/."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    files = [name for name in done.stdout.split("\0") if (ROOT / name).is_file()]
    found = {"files": len(files), "lines_equipment": 0, "words_docs": 0}
    found |= {f"lines_{folder}": 0 for folder in ("advisor", "sql", "tests", "tools")}
    for name in files:
        folder = "equipment" if name.startswith(EQUIPMENT) else name.partition("/")[0]
        if f"lines_{folder}" in found:
            found[f"lines_{folder}"] += (ROOT / name).read_bytes().count(b"\n")
        elif folder == "docs" and name.endswith(".md"):
            found["words_docs"] += len((ROOT / name).read_text(encoding="utf-8").split())
    return found


def compare(found: dict[str, int], limits: dict[str, int]) -> Iterator[str]:
    """Yield a line for each number that exceeds its limit, or that has none."""
    for name, value in found.items():
        if name not in limits:
            yield f"{name}: {value}; add it to {LIMITS.name}"
        elif value > limits[name]:
            yield f"{name}: {value} instead of at most {limits[name]}; make it lighter"


def read_limits(section: str) -> dict[str, int]:
    """Return the numbers of a section of weight.toml."""
    limits: dict[str, int] = tomllib.loads(LIMITS.read_text(encoding="utf-8"))[section]
    return limits


if __name__ == "__main__":
    sys.exit("\n".join(compare(count_weight(), read_limits("weight"))) or 0)
