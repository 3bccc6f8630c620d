"""Statements on views, aliases and other objects, and with predicates that no plain index can use."""

from dataclasses import replace
from typing import Any

import pytest
import yaml

from advisor.indexes.advice import Account, Query
from advisor.indexes.catalog import Column, Definition, Table
from advisor.indexes.costs import DEFAULT_SYSTEM
from advisor.indexes.entries import read_entry
from advisor.indexes.pricing import Measured
from advisor.indexes.shapes import DEFAULT_LIMITS
from tests.indexes.cases import HERE, describe_candidate, load_catalog

GIVEN = yaml.safe_load((HERE / "awkward.yml").read_text(encoding="utf-8"))


def _define(kind: str, base: str = "", text: str | None = None) -> Definition:
    if kind == "A":
        schema, name = base.split(".")
        return Definition(kind, (schema, name))
    return Definition(kind, qualifier=base, text=text)


LONG = Table("SHOP", "LONG", {"ID": Column("ID"), "TEXT": Column("TEXT", "VARCHAR", 2000)}, 90_000, 9_000)
CATALOG = {
    **load_catalog(),
    ("SHOP", "LONG"): replace(LONG, expressions=(("IX_LOWER", 'LOWER("TEXT")'),)),
    **{
        (schema, name): Table(schema, name, definition=_define(*given))
        for (schema, name), given in ((key.split("."), given) for key, given in GIVEN["definitions"].items())
    },
}


@pytest.mark.parametrize("sql, expected", GIVEN["statements"], ids=[sql[:60] for sql, _ in GIVEN["statements"]])
def test_awkward_statement_has_candidates_or_a_reason(sql: str, expected: Any) -> None:
    schema = "" if sql.startswith(" ") else "SHOP"
    entry = read_entry(Query("Q", sql, 1, Measured(1.0), schema), CATALOG, DEFAULT_SYSTEM, DEFAULT_LIMITS, {})
    if isinstance(expected, list):
        assert not isinstance(entry, Account)
        assert [describe_candidate(item) for item in entry.proposal.candidates] == expected
    else:
        reason = (entry if isinstance(entry, Account) else entry.account(is_helped=False)).reason
        assert expected in reason
