"""Candidate indexes: keys, order, covering, widening, merging and bounds."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.indexes.candidates import merged, propose
from advisor.indexes.catalog import Column, Index, Key, Table
from advisor.indexes.runstats import advise_statistics
from advisor.indexes.shapes import DEFAULT_LIMITS, MAX_COLUMNS, Limits, fitting_keys, stored_bytes
from advisor.indexes.statement import read_statement
from tests.indexes.cases import describe_candidate, load_cases, load_catalog

CATALOG = load_catalog()


def _name(case: dict[str, Any]) -> str:
    return str(case["name"])


def table(*columns: Column, indexes: tuple[Index, ...] = (), page_size: int = 4096) -> Table:
    return Table("S", "T", {item.name: item for item in columns}, 1_000_000, 20_000, page_size, False, indexes)


def index(keys: str, rule: str = "D", *, include: tuple[str, ...] = (), required: bool = False) -> Index:
    order = tuple(Key(name.rstrip("-"), name.endswith("-")) for name in keys.split())
    return Index("S", "I1", order, include, rule, required)


COLUMNS = tuple(
    Column(name, "INTEGER", distinct=number) for name, number in zip("ABCDE", (10, 1000, 50, 200, 5), strict=True)
)


def found(sql: str, of: Table | None = None, limits: Limits = DEFAULT_LIMITS) -> list[str]:
    catalog = {("S", "T"): of or table(*COLUMNS)}
    return [describe_candidate(item) for item in propose(read_statement(sql, catalog, "S"), catalog, limits).candidates]


@pytest.mark.parametrize("case", load_cases(), ids=_name)
def test_statement_gives_candidates(case: dict[str, Any]) -> None:
    proposal = propose(read_statement(case["sql"], CATALOG, case.get("schema", "SHOP")), CATALOG)
    assert [describe_candidate(item) for item in proposal.candidates] == case.get("candidates", [])
    skipped = [f"{item.schema}.{item.table}: {item.reason}" for item in proposal.skipped]
    assert skipped == case.get("skipped", [])


def test_most_selective_column_is_first() -> None:
    assert found("SELECT E FROM T WHERE A = ? AND B = ? AND C = ?")[0] == "T(B, C, A)"


def test_list_of_values_follows_single_values() -> None:
    assert found("SELECT E FROM T WHERE B IN (1, 2) AND A = ?")[0] == "T(A, B)"


def test_at_most_four_columns_before_covering() -> None:
    sql = "SELECT 1 FROM T WHERE A = 1 AND B = 2 AND C = 3 AND D = 4 AND E = 5"
    assert found(sql) == ["T(B, D, C, A)", "T(B, D, C, A | E)"]
    assert found(sql, limits=Limits(key_columns=2)) == ["T(B, D)", "T(B, D | A, C, E)"]


def test_many_needed_columns_are_not_covered() -> None:
    assert found("SELECT * FROM T WHERE B = 1", limits=Limits(covering_columns=3)) == ["T(B)"]
    assert found("SELECT * FROM T WHERE B = 1") == ["T(B)", "T(B | A, C, D, E)"]


@pytest.mark.parametrize(
    ("sql", "keys", "served"),
    [
        ("SELECT * FROM T WHERE A = 1", "A", True),
        ("SELECT * FROM T WHERE A = 1", "A- B", True),
        ("SELECT * FROM T WHERE A = 1", "B A", False),
        ("SELECT * FROM T WHERE A = 1 AND B = 2", "A B", True),
        ("SELECT * FROM T WHERE A = 1 AND B = 2", "A C B", False),
        ("SELECT * FROM T WHERE A = 1 AND B > 2", "A B C", True),
        ("SELECT * FROM T WHERE A = 1 AND B > 2", "B A", False),
        ("SELECT * FROM T ORDER BY A DESC, B FETCH FIRST 5 ROWS ONLY", "A- B", True),
        ("SELECT * FROM T ORDER BY A DESC, B FETCH FIRST 5 ROWS ONLY", "A B-", True),
        ("SELECT * FROM T ORDER BY A DESC, B FETCH FIRST 5 ROWS ONLY", "A B", False),
    ],
)
def test_index_that_begins_alike_serves(sql: str, keys: str, served: bool) -> None:
    no_covering = Limits(covering_columns=0)
    assert (found(sql, table(*COLUMNS, indexes=(index(keys),)), no_covering) == []) is served


def test_unique_index_that_finds_the_row_serves() -> None:
    sql = "SELECT C FROM T WHERE A = 1 AND B = 2 AND D > 3"
    assert found(sql, table(*COLUMNS, indexes=(index("B A", "P", required=True),))) == []


def test_index_is_widened_with_its_own_order() -> None:
    assert found("SELECT E FROM T WHERE A = 1 AND B = 2", table(*COLUMNS, indexes=(index("A-"),))) == [
        "T(A desc, B) for I1",
        "T(A desc, B | E) for I1",
    ]


@pytest.mark.parametrize(("rule", "required"), [("P", True), ("U", False), ("D", True)])
def test_index_of_a_constraint_is_not_widened(rule: str, required: bool) -> None:
    of = table(*COLUMNS, indexes=(index("A", rule, required=required),))
    candidates = found("SELECT * FROM T WHERE A > 1 AND B = 2 AND C = 3", of)
    assert candidates
    assert not any(" for " in item for item in candidates)


def test_unique_index_gets_more_included_columns() -> None:
    of = table(*COLUMNS, indexes=(index("A", "U", include=("B",)),))
    assert found("SELECT B, C FROM T WHERE A = 1", of) == ["T(A) include B, C for I1"]
    of = table(*COLUMNS, indexes=(index("A", "P", required=True),))
    assert found("SELECT B, C FROM T WHERE A = 1", of) == []


def test_include_needs_a_unique_index() -> None:
    for case in load_cases():
        statement = read_statement(case["sql"], CATALOG, case.get("schema", "SHOP"))
        for candidate in propose(statement, CATALOG).candidates:
            assert candidate.is_unique or not candidate.include


def test_update_is_not_covered() -> None:
    assert found("UPDATE T SET C = 1 WHERE A = 2") == ["T(A)"]
    assert found("DELETE FROM T WHERE A = 2 AND B < 5") == ["T(A, B)"]


def test_column_of_one_value_is_left_out() -> None:
    client = Column("M", "CHAR", 3, distinct=1)
    assert found("SELECT * FROM T WHERE M = '1' AND B = 2", table(client, *COLUMNS))[0] == "T(B)"
    assert found("SELECT * FROM T WHERE M = '1'", table(client, *COLUMNS)) == []


def test_key_length_limit_follows_the_page_size() -> None:
    wide = [Column(name, "VARCHAR", 600, distinct=9) for name in "AB"]
    sql = "SELECT 1 FROM T WHERE A = 'x' AND B > 'y'"
    assert found(sql, table(*wide)) == ["T(A)"]
    assert found(sql, table(*wide, page_size=8192)) == ["T(A, B)"]
    assert found(sql, table(*(Column(name, "VARCHAR", 2000) for name in "AB"))) == []


@pytest.mark.parametrize(
    ("kind", "length", "expected"),
    [("INTEGER", 4, 7), ("DECIMAL", 11, 9), ("VARCHAR", 20, 23), ("VARGRAPHIC", 20, 43), ("TIMESTAMP", 10, 16)],
)
def test_stored_bytes_have_room_for_null_and_length(kind: str, length: int, expected: int) -> None:
    assert stored_bytes(Column("A", kind, length)) == expected


def test_index_has_at_most_64_columns() -> None:
    many = [Column(f"C{number}", "SMALLINT") for number in range(100)]
    keys = [Key(column.name) for column in many]
    assert len(fitting_keys(table(*many, page_size=32768), keys)) == MAX_COLUMNS


@pytest.mark.parametrize("kind", ["CLOB", "BLOB", "DBCLOB", "XML", "LONG VARCHAR"])
def test_large_object_is_never_a_key(kind: str) -> None:
    of = table(Column("A", "INTEGER", distinct=9), Column("L", kind, 9))
    assert found("SELECT L FROM T WHERE A = 1 AND L LIKE 'x%'", of) == ["T(A)"]


def test_candidates_are_limited_per_table() -> None:
    sql = "SELECT 1 FROM T X " + " ".join(f"JOIN U{n} ON U{n}.K = X.{'ABCDE'[n]}" for n in range(5)) + " WHERE X.A = 1"
    tables = {("S", f"U{n}"): Table("S", f"U{n}", {"K": Column("K")}, 9, 9) for n in range(5)}
    catalog = {("S", "T"): table(*COLUMNS), **tables}
    statement = read_statement(sql, catalog, "S")
    for most in (1, 3, 8):
        assert len(propose(statement, catalog, Limits(candidates=most)).candidates) == most


def _merged(one: str, other: str, limits: Limits = DEFAULT_LIMITS) -> list[str]:
    catalog = {("S", "T"): table(*COLUMNS)}
    given = [
        item
        for sql in (one, other)
        for item in propose(read_statement(sql, catalog, "S"), catalog, Limits(covering_columns=0)).candidates
    ]
    return [describe_candidate(item) for item in merged(given, catalog, limits)]


def test_candidates_of_two_statements_are_merged() -> None:
    first, second = "SELECT * FROM T WHERE A = 1 AND B > 2", "SELECT * FROM T WHERE A = 1 AND C = 3"
    assert _merged(first, second) == ["T(A, B, C)", "T(A, C, B)"]


def test_candidates_without_a_common_column_are_not_merged() -> None:
    assert _merged("SELECT * FROM T WHERE A = 1", "SELECT * FROM T WHERE B = 1") == []


def test_candidate_that_includes_the_other_is_not_merged_again() -> None:
    assert _merged("SELECT * FROM T WHERE B = 1", "SELECT * FROM T WHERE B = 1 AND A = 2") == []


def test_merged_candidates_are_limited() -> None:
    first, second = "SELECT * FROM T WHERE A = 1 AND B > 2", "SELECT * FROM T WHERE A = 1 AND C = 3"
    assert len(_merged(first, second, Limits(merged=1))) == 1


@settings(max_examples=200)
@given(st.lists(st.sampled_from(load_cases()), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_candidates_keep_their_bounds(cases: list[dict[str, Any]], chance: random.Random) -> None:
    limits = Limits(chance.randint(1, 8), chance.randint(1, 9), chance.randint(1, 4), chance.randint(0, 4))
    everything = []
    for case in cases:
        statement = read_statement(case["sql"], CATALOG, case.get("schema", "SHOP"))
        proposal = propose(statement, CATALOG, limits)
        assert len(proposal.candidates) <= limits.candidates * len(statement.tables)
        everything += proposal.candidates
    for candidate in (*everything, *merged(everything, CATALOG, limits)):
        names = candidate.columns
        assert len(set(names)) == len(names) <= MAX_COLUMNS
        assert set(names) <= CATALOG[candidate.schema, candidate.table].columns.keys()
        assert candidate.free + candidate.covering <= len(candidate.keys)
        if candidate.widens:
            assert candidate.keys[: len(candidate.widens.keys)] == candidate.widens.keys


CLIENT = table(Column("M", "CHAR", 3, distinct=1), *COLUMNS, indexes=(index("M A"),))


@pytest.mark.parametrize(
    "sql", ["SELECT B FROM T WHERE M = ?", "SELECT B FROM T WHERE M > ?", "SELECT X.B FROM T X, T Y WHERE X.M = Y.M"]
)
def test_constant_column_alone_gives_no_candidate(sql: str) -> None:
    assert found(sql, CLIENT) == []


def test_constant_column_is_last_in_candidates() -> None:
    sql = "SELECT X.M, X.C FROM T X, T Y WHERE X.M = Y.M AND X.B = Y.B AND Y.D = 5"
    with_constant = [item for item in found(sql, CLIENT) if "M" in item]
    assert with_constant and all(item.endswith("M)") for item in with_constant)


@pytest.mark.parametrize("keys", ["M A B", "A M B", "B A M"])
def test_no_column_group_where_a_unique_index_tells(keys: str) -> None:
    of = table(Column("M", "CHAR", 3, distinct=1), *COLUMNS, indexes=(index(keys, "P"),))
    uses = read_statement("SELECT * FROM T WHERE M = ? AND A IN (1, 2) AND B = ?", {("S", "T"): of}, "S").tables
    assert [item.groups for item in advise_statistics(uses, {("S", "T"): of}) if item.groups] == []
