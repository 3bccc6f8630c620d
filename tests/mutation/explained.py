"""Mutants that make no difference that a test could see, each with the reason: equivalent.csv."""

import csv
from functools import cache
from pathlib import Path

from tests.mutation.mutants import Mutant

HERE = Path(__file__).parent
ANY = "*"  # in place of what stands after the change: whatever it is


@cache
def reasons() -> dict[tuple[str, str, str, str], str]:
    """Reason by file, line, and what stands there before and after the change."""
    with (HERE / "equivalent.csv").open(encoding="utf-8", newline="") as file:
        return {(row["FILE"], row["LINE"], row["BEFORE"], row["AFTER"]): row["REASON"] for row in csv.DictReader(file)}


@cache
def forms() -> dict[str, str]:
    """Reason by form."""
    with (HERE / "forms.csv").open(encoding="utf-8", newline="") as file:
        return {row["FORM"]: row["REASON"] for row in csv.DictReader(file)}


def explained(mutant: Mutant) -> str | None:
    """Why it makes no difference; None where nobody said so."""
    file, line, before, after = mutant.key
    return reasons().get((file, line, before, after)) or reasons().get((file, line, before, ANY))
