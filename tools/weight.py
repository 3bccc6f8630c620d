"""The weight of the project against weight.toml: ``python -m tools.weight [--tests]``, exit status 1 if it grew.

Files, lines and words are counted in the tracked files. With ``--tests``, the processor seconds of each folder are
those of the last `make test` (tests/conftest.py writes build/test-seconds.json), in units of the time that judging the
demo took in the same run, so that machines compare.
"""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMITS = ROOT / "weight.toml"
SECONDS = ROOT / "build" / "test-seconds.json"
EQUIPMENT = ("tests/standin/", "tests/contract/", "tests/twin/")
NOISE = 1.3  # by which the time of a folder may differ between two runs


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


def compare(found: dict[str, float], limits: dict[str, float], noise: float = 1.0) -> Iterator[str]:
    """Yield a line for each number that exceeds its limit, or that has none."""
    for name, value in found.items():
        if name not in limits:
            yield f"{name}: {value:.10g}; add it to {LIMITS.name}"
        elif value > noise * limits[name]:
            yield f"{name}: {value:.10g} instead of at most {limits[name]:.10g}; make it lighter"


def main(arguments: list[str]) -> int:
    limits = tomllib.loads(LIMITS.read_text(encoding="utf-8"))
    if "--tests" in arguments:
        measured = json.loads(SECONDS.read_text(encoding="utf-8"))
        unit = measured.pop("judgement of the demo")
        grown = list(compare({name: value / unit for name, value in measured.items()}, limits["test_units"], NOISE))
    else:
        grown = list(compare(dict(count_weight()), limits["weight"]))
    for line in grown:
        print(line)
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
