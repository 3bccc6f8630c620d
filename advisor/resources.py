"""Locations of SQL, sample captures and data files: in the wheel next to the code, in a checkout above it."""

import csv
import re
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


@cache
def sections(path: Path) -> Mapping[str, str]:
    """Return the statements of an SQL file by name: the line ``-- name: <name>`` is before each, as aiosql reads it."""
    _, *parts = re.split(r"^-- name: (\w+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}


def query(file: str, name: str) -> str:
    """Return a statement with its comments from a file in sql/, such as ``doctor/queries``."""
    return sections(SQL / f"{file}.sql")[name]
