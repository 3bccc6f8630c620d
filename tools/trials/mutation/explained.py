"""Mutants that make no difference that a test could see, each with the reason: equivalent.csv."""

import csv
from functools import cache
from pathlib import Path

from tools.trials.mutation.mutants import Mutant

HERE = Path(__file__).parent
ANY = "*"  # in the column AFTER: matches any text


@cache
def list_reasons() -> dict[tuple[str, str, str, str], str]:
    """Return the reasons by file, line, and the text before and after the change."""
    with (HERE / "equivalent.csv").open(encoding="utf-8", newline="") as file:
        return {(row["FILE"], row["LINE"], row["BEFORE"], row["AFTER"]): row["REASON"] for row in csv.DictReader(file)}


@cache
def list_forms() -> dict[str, str]:
    """Return the reasons by form."""
    with (HERE / "forms.csv").open(encoding="utf-8", newline="") as file:
        return {row["FORM"]: row["REASON"] for row in csv.DictReader(file)}


def explain(mutant: Mutant) -> str | None:
    """Return why the mutant makes no difference, or None if no reason is recorded."""
    file, line, before, after = mutant.key
    return list_reasons().get((file, line, before, after)) or list_reasons().get((file, line, before, ANY))
