"""Locations of SQL, sample captures and data files: in the wheel next to the code, in a checkout above it."""

import csv
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

_INSTALLED = Path(__file__).parent / "share"
ROOT = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).parent.parent

SQL = ROOT / "sql"
PROCEDURES = ROOT / "procedures"
DEMO_CAPTURE = ROOT / "fixtures" / "webshop.capture"
NIGHTLY_EXAMPLE = ROOT / "docs" / "nightly" / "nightly.toml"
PAPER_CAPTURE = ROOT / "fixtures" / "x445-8way.capture"


@cache
def csv_rows(path: Path) -> Sequence[Mapping[str, str]]:
    """Return the rows of a CSV file of the product."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def data_file(folder: str, name: str) -> Sequence[Mapping[str, str]]:
    """Return the rows of a CSV file in a folder of sql/."""
    return csv_rows(SQL / folder / f"{name}.csv")
