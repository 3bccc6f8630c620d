"""Modelled costs: shares of rows, index sizes, access paths, prices and write costs, calculated manually."""

from dataclasses import replace
from math import ceil, log2, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.indexes.candidates import propose
from advisor.indexes.catalog import Catalog, Column, Index, Key, Table
from advisor.indexes.costs import ENTRY, RID, ROW, VISIT, Case, Cost, Plan, System, fetched_pages
from advisor.indexes.paths import build_path
from advisor.indexes.pricing import KEY_MS, Confidence, Measured, Writes, chill, price, write_ms
from advisor.indexes.runstats import advise_statistics
from advisor.indexes.selectivity import Predicates
from advisor.indexes.shapes import Candidate
from advisor.indexes.statement import read_statement
from tests.indexes.cases import load_cases, load_catalog

SHOP = load_catalog()
ROWS, PAGES = 1_000_000, 20_000
COLUMNS = (
    Column("ID", "INTEGER", distinct=ROWS, nulls=0, average_length=4),
    Column("A", "INTEGER", distinct=100, nulls=0, average_length=4, low="0", high="1000"),
    Column("B", "INTEGER", distinct=1_000, nulls=500_000, average_length=4),
    Column("C", "VARCHAR", 40, distinct=5_000, nulls=0, average_length=20),
    Column("D", "DATE", distinct=1_000, nulls=0, average_length=4, low="'2020-01-01'", high="'2024-01-01'"),
    Column("E", "INTEGER"),
)


def table(*indexes: Index, rows: int = ROWS, pages: int = PAGES, columns: tuple[Column, ...] = COLUMNS) -> Table:
    return Table("S", "T", {column.name: column for column in columns}, rows, pages, 4096, False, indexes)


def index(keys: str, *, rule: str = "D", **statistics: object) -> Index:
    return replace(Index("S", f"I_{keys}", tuple(map(Key, keys.split())), unique_rule=rule), **statistics)  # type: ignore[arg-type]


def candidate(keys: str, of: str = "T") -> Candidate:
    return Candidate("S", of, tuple(map(Key, keys.split())))


def model(sql: str, keys: str = "", of: Table | None = None, case: Case = Case.EXPECTED) -> Cost:
    catalog = {("S", "T"): of or table()}
    return Plan(read_statement(sql, catalog, "S"), catalog, case).cost([candidate(keys)] if keys else [])


def share(where: str, of: Table | None = None) -> tuple[float, float, float]:
    known = of or table()
    [use] = read_statement(f"SELECT * FROM T WHERE {where}", {("S", "T"): known}, "S").tables
    predicates = Predicates(use, known)
    return predicates.share(predicates.shares)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("A = ?", 0.01),
        ("A IN (1, 2, 3)", 0.03),
        ("B = 5", 0.0005),  # half of the rows are NULL
        ("B IS NULL", 0.5),
        ("E = 5", 0.04),  # 25 distinct values
        ("A = 1 AND B = 5", 0.000_005),
        ("A > ?", 1 / 3),
        ("A BETWEEN ? AND ?", 1 / 4),
        ("A > 900", 0.1),
        ("A < 0", 0.01),  # at least one value
        ("A BETWEEN 100 AND 300", 0.2),
        ("300 BETWEEN A AND 1000", 1 / 4),
        ("D >= '2023-01-01'", 365 / 1461),
        ("D >= '2023-01-01' AND D < '2023-07-02'", 182 / 1461),
        ("C LIKE 'a%'", 0.1),
        ("C LIKE 'abc%'", 0.004),
        ("C LIKE 'abcdef%'", 0.0002),  # at least one of 5,000 values
        ("ID = 1 AND A = 1", 0.000_001),  # at least one row
    ],
)
def test_predicate_selects_a_share_of_rows(where: str, expected: float) -> None:
    if where == "300 BETWEEN A AND 1000":
        expected = 0.3
    low, found, high = share(where)
    assert found == pytest.approx(expected, rel=1e-6)
    assert 0 <= low <= found <= high <= 1


def test_known_distinct_values_narrow_the_bounds() -> None:
    known, guessed = share("A = 1"), share("E = 1")
    assert known[2] / known[0] == pytest.approx(9)
    assert guessed[2] / guessed[0] == pytest.approx(100)


def test_columns_that_depend_on_each_other_raise_the_high_bound() -> None:
    low, found, high = share("A = 1 AND B = 5")
    assert (found, high) == (pytest.approx(0.000_005), pytest.approx(0.0015))
    assert low < found


def test_letters_of_all_values_select_nothing() -> None:
    name = replace(COLUMNS[3], low="'Name10'", high="'Name98'")
    known = table(columns=(*COLUMNS[:3], name, *COLUMNS[4:]))
    assert share("C LIKE 'Name1%'", known)[1] == pytest.approx(0.1)
    assert share("C LIKE 'Nam%'", known)[1] == 1.0
    assert share("C LIKE 'Nx%'", known)[1] == pytest.approx(0.1)  # one letter after the shared one


def test_index_statistics_replace_independence() -> None:
    known = table(index("A B", distinct=2_000))
    assert share("A = 1 AND B = 5", known)[1] == pytest.approx(1 / 2_000)
    longer = table(index("A B C", first_distinct=(100, 3_000, None), distinct=900_000))
    assert share("A = 1 AND B = 5", longer)[1] == pytest.approx(1 / 3_000)
    assert share("A = 1 AND B = 5", table(index("A B", rule="U")))[1] == pytest.approx(1 / ROWS)


def test_frequent_value_of_a_column_makes_others_rare() -> None:
    frequent = replace(COLUMNS[1], frequent=990_000)
    known = table(columns=(COLUMNS[0], frequent, *COLUMNS[2:]))
    [use] = read_statement("SELECT * FROM T WHERE A = 1 AND D = ?", {("S", "T"): known}, "S").tables
    assert Predicates(use, known, 10).share({"A"}).expected == pytest.approx(0.01)  # as many as expected
    [use] = read_statement("SELECT * FROM T WHERE A = 1 AND ID > 0", {("S", "T"): known}, "S").tables
    assert Predicates(use, known, 100).share({"A"}).expected == pytest.approx(0.0003, rel=0.01)


def test_constant_tells_whether_the_value_is_frequent() -> None:
    frequent = replace(COLUMNS[1], frequent=900_000, frequent_value="7")
    known = table(columns=(COLUMNS[0], frequent, *COLUMNS[2:]))
    assert [share(f"A = {value}", known)[1] for value in ("7", "8")] == pytest.approx([0.9, 0.1 / 99])


def test_returned_rows_replace_the_estimate() -> None:
    known = table()
    [use] = read_statement("SELECT * FROM T WHERE A = 1 AND B = 5", {("S", "T"): known}, "S").tables
    assert Predicates(use, known, 2_000).share({"A", "B"}).expected == pytest.approx(0.002)
    assert Predicates(use, known, 2_000).share({"A"}).expected == pytest.approx(0.01)
    assert not Predicates(use, known, 2_000).is_skewed


def test_other_filters_share_the_skew_of_a_frequent_value() -> None:
    known = table(columns=(COLUMNS[0], replace(COLUMNS[1], frequent=901_000), *COLUMNS[2:]))
    [use] = read_statement("SELECT * FROM T WHERE A = ? AND D > ?", {("S", "T"): known}, "S").tables
    assert Predicates(use, known, 1).share({"A"}).expected == pytest.approx(0.001)  # not 0.000 003


def test_far_fewer_returned_rows_are_skew() -> None:
    known = table()
    [use] = read_statement("SELECT * FROM T WHERE A = 1 AND D > ?", {("S", "T"): known}, "S").tables
    skewed = Predicates(use, known, 10)
    assert skewed.is_skewed
    assert skewed.share({"A", "D"}).expected == pytest.approx(0.000_01)
    assert skewed.share({"A"}).expected == pytest.approx(0.01 * (0.003) ** 0.5)  # either may be the rarer one
    assert not Predicates(replace(use, more_predicates=True), known, 10).is_skewed


def test_fetched_pages_follow_mackert_and_lohman() -> None:
    assert fetched_pages(100, 1) == 1
    assert fetched_pages(100, 100) == pytest.approx(20_000 / 300)
    assert fetched_pages(100, 1_000_000) == 100
    small = fetched_pages(10_000, 100_000, buffer_pages=1_000)
    full = 2 * 10_000 * 1_000 / 19_000
    assert small == pytest.approx(1_000 + (100_000 - full) * 0.9)


def test_size_of_an_index_follows_the_manual() -> None:
    unique = build_path(candidate("ID"), table())
    usable = 0.9 * 3996
    leaf = ceil(ROWS * 13 / usable)  # 4 bytes and 9 of overhead
    assert unique.leaf_pages == leaf == 3615
    assert unique.levels == 3
    assert unique.bytes == (leaf + ceil(leaf * 17 / usable) + 1) * 4096
    repeated = build_path(candidate("A"), table())
    assert repeated.leaf_pages == ceil(ROWS * (13 + 7 * 9_999) / 10_000 / usable)


def test_measured_size_of_an_index_is_used() -> None:
    path = build_path(index("A", levels=4, leaf_pages=9_000, clustering=0.5), table())
    assert (path.levels, path.leaf_pages, path.clustering) == (4, 9_000, 0.5)


def test_table_scan_reads_all_pages_and_rows() -> None:
    assert model("SELECT * FROM T WHERE A = 1") == Cost(pages=PAGES, rows=ROWS, visits=PAGES)


def test_index_reads_levels_leaf_pages_and_rows() -> None:
    found = model("SELECT * FROM T WHERE B = 5", "B")
    path = build_path(candidate("B"), table())
    leaf = 500 / ROWS * path.leaf_pages
    fetched = fetched_pages(PAGES, 500)
    first = fetched_pages(path.leaf_pages, 1)
    assert found.rows == pytest.approx(500)
    assert found.entries == pytest.approx(500 + RID * 500 + path.levels)
    assert found.pages == pytest.approx(path.levels - 1 + first + max(0, leaf - 1) + fetched)
    near = sqrt(fetched / PAGES)  # the more of its pages are read, the nearer they are
    assert found.random_pages == pytest.approx(path.levels - 1 + first + fetched * (1 - near))


def test_clustered_index_reads_few_pages() -> None:
    sql = "SELECT * FROM T WHERE B = 5"
    scattered, together = (model(sql, of=table(index("B", clustering=part))) for part in (0.0, 1.0))
    assert together.rows == scattered.rows == 500
    assert scattered.pages > 490
    assert 10 < together.pages < 15
    assert model("SELECT * FROM T WHERE A > 0", of=table(index("A"))).rows == ROWS  # all pages: a scan is faster


def test_index_with_all_columns_reads_no_table_rows() -> None:
    assert model("SELECT A FROM T WHERE B = 5", "B A").rows == 0
    assert model("SELECT COUNT(*) FROM T WHERE B = 5", "B").rows == 0


def test_screening_column_reads_fewer_rows() -> None:
    assert model("SELECT * FROM T WHERE B = 5 AND A = 1", "B C A").rows == pytest.approx(5)


def test_order_of_an_index_spares_the_sort() -> None:
    sql = "SELECT B, D FROM T WHERE B = 5 ORDER BY D"
    sorting, ordered = model(sql, "B"), model(sql, "B D")
    assert sorting.sorted_rows == pytest.approx(500)
    assert sorting.comparisons == pytest.approx(500 * log2(500))
    assert (ordered.sorted_rows, ordered.comparisons) == (0, 0)


def test_large_sort_spills() -> None:
    assert model("SELECT A, B FROM T WHERE E > 1 ORDER BY D").spilled_pages == 0
    assert model("SELECT * FROM T ORDER BY D").spilled_pages == pytest.approx(2 * ROWS * 43 / 4096, rel=0.3)


def test_first_rows_of_an_order_stop_early() -> None:
    found = model("SELECT * FROM T ORDER BY D DESC FETCH FIRST 10 ROWS ONLY", "D")
    assert (found.rows, found.sorted_rows) == (10, 0)


def test_early_end_needs_an_index_for_all_predicates() -> None:
    sql = "SELECT * FROM T WHERE A = 5 ORDER BY D FETCH FIRST 10 ROWS ONLY"
    assert model(sql, "A D").rows == 10
    assert model(sql, "D").rows == ROWS  # the rows with A = 5 may be the last ones
    assert model(sql, "D", case=Case.LOW).rows < ROWS


def test_second_column_of_an_index_screens_rows() -> None:
    found = model("SELECT * FROM T WHERE B = 5", of=table(index("A B", leaf_pages=3_000)))
    assert found.rows == 500
    assert found.entries == pytest.approx(ROWS, rel=0.01)
    assert found.pages > 3_000


def test_page_requests_take_processing_time() -> None:
    scan, probe = model("SELECT * FROM T WHERE B = 5"), model("SELECT * FROM T WHERE B = 5", "B")
    assert scan.visits == PAGES
    assert 490 < probe.visits < 500  # each page once
    assert scan.processing == ROWS + VISIT * PAGES
    assert probe.processing == pytest.approx(500 + ENTRY * probe.entries + VISIT * probe.visits)


def test_groups_limit_the_comparisons() -> None:
    found = model("SELECT A, COUNT(*) FROM T WHERE B = 5 GROUP BY A", "B")
    assert found.comparisons == pytest.approx(500 * log2(100))


def test_join_probes_once_per_outer_row() -> None:
    catalog: Catalog = {
        ("S", "T"): table(),
        ("S", "U"): Table("S", "U", {"T_ID": Column("T_ID", "INTEGER", distinct=900_000, nulls=0)}, 2_000_000, 10_000),
    }
    statement = read_statement("SELECT 1 FROM T JOIN U ON U.T_ID = T.ID WHERE T.B = 5", catalog, "S")
    both = [candidate("B ID"), candidate("T_ID", "U")]
    found = Plan(statement, catalog).cost(both)
    path = build_path(both[1], catalog["S", "U"])
    assert found.rows == 0
    # 500 rows of T, then 500 probes that read all levels and 2.2 entries each
    first = build_path(both[0], catalog["S", "T"])
    assert found.entries == pytest.approx(500 + first.levels + 500 * (path.levels + 2_000_000 / 900_000))
    assert Plan(statement, catalog).cost(both[:1]).rows == 2_000_000  # hash join


def test_table_of_few_pages_gains_nothing() -> None:
    small = table(rows=200, pages=4)
    assert model("SELECT * FROM T WHERE A = 1", "A", small).units <= model("SELECT * FROM T", of=small).units
    catalog = {("S", "T"): small}
    assert propose(read_statement("SELECT * FROM T WHERE A = 1", catalog, "S"), catalog).candidates == ()


def test_cases_bracket_the_expected_cost() -> None:
    low, expected, high = (model("SELECT * FROM T WHERE E = 5 AND B = 1", "B E", case=case).units for case in Case)
    assert low < expected < high


# Prices

BEFORE, AFTER = Cost(pages=20_000, rows=1_000_000), Cost(pages=10, random_pages=10, rows=100)


def test_price_shrinks_each_part_and_keeps_the_rest() -> None:
    left = price(BEFORE, AFTER, Measured(1_000, cpu_ms=300, read_ms=500, rows_read=1_000_000, rows_used=5))
    assert left.share == pytest.approx((200 + 500 * 40 / 20_000 + 300 * 100 / 1_000_000) / 1_000)
    assert (left.confidence, left.reasons) == (Confidence.MEDIUM, ())


def test_price_keeps_the_time_of_returned_rows() -> None:
    left = price(BEFORE, AFTER, Measured(1_000, 1_000, 0, rows_read=1_000_000, rows_used=400_000))
    assert left.share == pytest.approx(0.4)


def test_price_keeps_the_time_of_an_execution() -> None:
    left = price(BEFORE, AFTER, Measured(10, 10, 0, rows_read=1_000_000, rows_used=5), execution_ms=0.5)
    assert left.share == pytest.approx((0.5 + 9.5 * 100 / 1_000_000) / 10)


def test_price_bounds_the_time_of_rows_and_pages() -> None:
    before, after = Cost(rows=100, visits=8), Cost(rows=1, visits=2)
    left = price(before, after, Measured(3, 3, 0, rows_read=100, rows_used=1))
    assert left.share > 1 - (100 * 0.005 + 8 * 0.05) / 3


def test_price_of_found_rows_saves_only_reads_from_disk() -> None:
    before, after = Cost(pages=4, rows=5, visits=4), Cost(pages=2, covered=5)
    assert price(before, after, Measured(3, 3, 0, rows_read=5, rows_used=5)).share == 1
    assert price(before, after, Measured(3, 1, 2, rows_read=5, rows_used=5)).share < 0.7


def test_cold_pages_lower_the_saving() -> None:
    before, after = Cost(pages=100, rows=10_000), Cost(pages=90, random_pages=90, rows=500)
    measured = Measured(10, 10, 0, rows_read=10_000, rows_used=500)
    left = price(before, after, measured)
    assert chill(left, before, after, measured, page_ms=0.01).share > left.share
    assert chill(left, before, after, measured, page_ms=10).share > 1


def test_price_of_screened_rows_counts_their_entries() -> None:
    screened = Cost(pages=300, rows=10, entries=1_000_000)
    left = price(screened, AFTER, Measured(10, 10, 0, rows_read=10, rows_used=10))
    assert left.share < 0.01


def test_price_without_parts_has_low_confidence() -> None:
    left = price(BEFORE, AFTER, Measured(1_000))
    assert 0.1 < left.share < 0.11
    assert left.confidence is Confidence.LOW


def test_price_without_reads_sells_the_known_time() -> None:
    left = price(BEFORE, AFTER, Measured(1_000, cpu_ms=300, rows_read=1_000_000, rows_used=5))
    assert left.share == pytest.approx(0.7, abs=0.01)
    assert left.confidence is Confidence.LOW


def test_price_without_cpu_time_sells_the_known_reads() -> None:
    left = price(BEFORE, AFTER, Measured(1_000, read_ms=500, rows_read=1_000_000, rows_used=5))
    assert left.reads == pytest.approx(0.5, abs=0.01)
    assert left.share == pytest.approx(0.05, abs=0.01)
    assert left.confidence is Confidence.LOW


def test_price_of_other_measured_rows_claims_less() -> None:
    left = price(BEFORE, AFTER, Measured(1, cpu_ms=0.8, read_ms=0, rows_read=200))
    assert left.confidence is Confidence.LOW
    assert left.share == pytest.approx(0.2 + 0.8 * 100 / 200)
    assert "1,000,000" in left.reasons[0]
    assert "200" in left.reasons[0]


def test_price_of_parallel_agents_stays_in_the_measured_time() -> None:
    assert 0 <= price(BEFORE, AFTER, Measured(100, cpu_ms=300, read_ms=300, rows_read=1_000_000)).share <= 1


@given(
    times=st.tuples(*[st.floats(0, 1e6)] * 4),
    rows=st.floats(0, 1e9),
    costs=st.lists(st.builds(Cost, *[st.floats(0, 1e9)] * 9), min_size=2, max_size=2),
)
def test_price_is_a_share(times: tuple[float, ...], rows: float, costs: list[Cost]) -> None:
    left = price(costs[0], costs[1], Measured(*times, rows_read=rows))
    assert -1e-9 <= left.share <= 1 + 1e-9


# Write cost


def test_write_cost_counts_keys_reads_and_splits() -> None:
    path = build_path(candidate("A"), table())
    writes = Writes(inserted=1_000, deleted=500, updated=200, by_column={"A": 100, "B": 100})
    found = write_ms(candidate("A"), path, table(), writes, System(page_ms=2.0, miss=0.1))
    keys = 1_000 + 500 + 2 * 100 + 2 * 100 * 1 / 6  # the other 100 updates change one of six columns
    splits = (keys - 500) / (0.5 * ROWS / path.leaf_pages)
    assert found == pytest.approx(keys * KEY_MS + 2.0 * (keys * 0.1 + 3 * splits))


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_write_cost_grows_with_rows(few: int, more: int) -> None:
    path = build_path(candidate("A B"), table())
    costs = [write_ms(candidate("A B"), path, table(), Writes(rows, rows, rows)) for rows in sorted((few, more))]
    assert costs == sorted(costs)


# Properties

_CASES = [case for case in load_cases() if case.get("candidates")]


@pytest.mark.parametrize("case", _CASES, ids=lambda case: str(case["name"]))
def test_more_indexes_never_raise_the_cost(case: dict[str, str]) -> None:
    statement = read_statement(case["sql"], SHOP, case.get("schema", "SHOP"))
    given_indexes: list[Candidate] = []
    before = Plan(statement, SHOP).cost()
    for added in propose(statement, SHOP).candidates:
        given_indexes.append(added)
        after = Plan(statement, SHOP).cost(given_indexes)
        assert after.units <= before.units
        before = after


@st.composite
def tables(draw: st.DrawFn) -> Table:
    rows = draw(st.integers(1, 10**8))
    columns = tuple(
        Column(name, "INTEGER", distinct=draw(st.integers(1, rows)), nulls=0, average_length=4) for name in "ABCD"
    )
    pages = ceil(rows * draw(st.integers(40, 400)) / 4000)
    return table(rows=rows, pages=pages, columns=columns)


_SQL = st.sampled_from([
    "SELECT C FROM T WHERE A = ?",
    "SELECT C FROM T WHERE A = ? AND B > ?",
    "SELECT B, C FROM T WHERE A IN (1, 2, 3)",
    "SELECT C FROM T WHERE A = ? ORDER BY B",
    "SELECT A, COUNT(*) FROM T GROUP BY A",
])  # fmt: skip


@settings(max_examples=300)
@given(tables(), _SQL, st.permutations("ABCD"), st.permutations("ABC"))
def test_any_index_never_raises_the_cost(of: Table, sql: str, one: list[str], other: list[str]) -> None:
    catalog = {("S", "T"): of}
    statement = read_statement(sql, catalog, "S")
    both = [candidate(" ".join(one)), candidate(" ".join(other))]
    assert (
        Plan(statement, catalog).cost(both).units
        <= Plan(statement, catalog).cost(both[:1]).units
        <= Plan(statement, catalog).cost().units
    )


@settings(max_examples=300)
@given(tables(), st.sampled_from(["SELECT C FROM T WHERE A = ?", "SELECT C FROM T WHERE A = ? AND B > ?"]))
def test_covering_index_reads_no_more_than_its_prefix(of: Table, sql: str) -> None:
    assert model(sql, "A B C", of).units <= model(sql, "A B", of).units + ROW  # a level more, a row less


# Statistics


def advice(where: str, of: Table | None = None) -> list[tuple[bool, tuple[str, ...], tuple[tuple[str, ...], ...]]]:
    catalog = {("S", "T"): of or table()}
    uses = read_statement(f"SELECT * FROM T WHERE {where}", catalog, "S").tables
    return [(row.comes_first, row.distribution, row.groups) for row in advise_statistics(uses, catalog)]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("ID = ?", []),
        ("C = ?", []),
        ("D > ?", [(False, ("D",), ())]),
        ("A = ? AND B = ?", [(False, (), (("A", "B"),))]),
        ("E = ?", [(True, (), ())]),
    ],
)
def test_predicates_need_statistics(where: str, expected: list[object]) -> None:
    assert advice(where) == expected


def test_known_statistics_need_no_runstats() -> None:
    columns = (*COLUMNS[:4], replace(COLUMNS[4], has_distribution=True))
    assert advice("A = ? AND B = ? AND D > ?", table(index("B A", distinct=90_000), columns=columns)) == []
    assert advice("A = ? AND B = ?", table(index("A B C", first_distinct=(100, 90_000)))) == []


def test_stale_table_comes_first() -> None:
    assert advice("C = ?", replace(table(), rows_changed=300_000)) == [(True, (), ())]


def test_runstats_command_names_columns_and_groups() -> None:
    catalog = {("S", "T"): table()}
    uses = read_statement("SELECT * FROM T WHERE A = ? AND B = ? AND D > ?", catalog, "S").tables
    [row] = advise_statistics(uses, catalog)
    assert row.command == (
        'RUNSTATS ON TABLE "S"."T" ON ALL COLUMNS AND COLUMNS (("A", "B")) WITH DISTRIBUTION ON COLUMNS ("D") '
        "AND SAMPLED DETAILED INDEXES ALL ALLOW WRITE ACCESS"
    )
