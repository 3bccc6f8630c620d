"""The ranges of configuration parameters: those of the contract, and ranges.csv for what it cannot express.

A row of ranges.csv replaces the contract's range. ALSO is a value outside of the range that Db2 accepts. FROM is the
first level with the range. With ARCHIVED it needs archive logging.
"""

import csv
from functools import cache
from pathlib import Path

from tests.support.paths import CONTRACT

Range = tuple[float, float, str]


@cache
def _contract() -> dict[tuple[str, str], Range]:
    found = {}
    with (CONTRACT / "config_params.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            try:
                found[row["scope"], row["name"]] = float(row["min"]), float(row["max"]), ""
            except ValueError:
                continue  # words, no limit, or one that depends on the machine
    return found


@cache
def _replaced() -> list[dict[str, str]]:
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def find_range(scope: str, name: str, level: tuple[int, ...], archived: bool) -> Range | None:
    """Return the least and the most value, and a value that is also accepted; None for a parameter without numbers."""
    for row in _replaced():
        since = tuple(int(part) for part in row["FROM"].split(".")) if row["FROM"] else ()
        if (row["SCOPE"], row["NAME"]) == (scope, name) and level >= since and (archived or not row["ARCHIVED"]):
            return float(row["MIN"]), float(row["MAX"]), row["ALSO"]
    return _contract().get((scope, name))


def is_accepted(value: str, allowed: Range) -> bool:
    """Return whether Db2 accepts a value; words are not numbers and are not checked."""
    least, most, also = allowed
    try:
        return value == also or least <= float(value) <= most
    except ValueError:
        return True
