"""Tables read from the rows of collected sources."""

from typing import Any

from advisor.indexes.catalog import Column, Definition, Index, Key
from advisor.indexes.rows import build_catalog
from advisor.indexes.selectivity import equal_share
from advisor.indexes.statement import Equal

ORDERS = {"TABSCHEMA": "SHOP", "TABNAME": "ORDERS"}


def column(name: str, **more: Any) -> dict[str, Any]:
    facts = {"COLNO": 0, "TYPENAME": "INTEGER", "LENGTH": 4, "COLCARD": 50, "NUMNULLS": 0, "AVGCOLLEN": 4}
    unknown = {"NMOSTFREQ": -1, "NQUANTILES": -1, "LOW2KEY": None, "HIGH2KEY": None, "FREQUENT_ROWS": None}
    return ORDERS | {"COLNAME": name} | facts | unknown | more


def key(index: str, place: int, name: str, order: str = "A", card: int | None = None) -> dict[str, Any]:
    return ORDERS | {
        "INDSCHEMA": "SHOP", "INDNAME": index, "COLSEQ": place, "COLNAME": name, "COLORDER": order, "GROUP_CARD": card,
    }  # fmt: skip


def read(**rows: list[dict[str, Any]]) -> Any:
    table = ORDERS | {"CARD": 1000, "NPAGES": 40, "TABLEORG": "R", "TBSPACE": "DATA", "INDEX_TBSPACE": "IX"}
    return build_catalog({"cat_table": [table], "cat_column": [column("ID")]} | rows)["SHOP", "ORDERS"]


def test_table_size_and_pages_are_read() -> None:
    changes = [ORDERS | {"STATS_ROWS_MODIFIED": 30}, ORDERS | {"STATS_ROWS_MODIFIED": 12}]
    table = read(table=changes, cat_tablespace=[{"TBSPACE": "IX", "PAGESIZE": 8192}])
    assert (table.rows, table.pages, table.page_size, table.rows_changed) == (1000, 40, 8192, 42)


def test_columns_keep_table_order_and_statistics() -> None:
    rows = [column("NAME", COLNO=1, COLCARD=-1, LOW2KEY="'A'"), column("ID", NMOSTFREQ=10, NQUANTILES=20)]
    assert list(read(cat_column=rows).columns.values()) == [
        Column("ID", "INTEGER", 4, 50, 0, 4, has_distribution=True),
        Column("NAME", "INTEGER", 4, None, 0, 4, "'A'", has_distribution=False),
    ]


def test_index_keys_includes_and_groups_differ() -> None:
    facts = ORDERS | {"INDSCHEMA": "SHOP", "INDNAME": "I", "UNIQUERULE": "U", "SYSTEM_REQUIRED": 0, "NLEAF": 9}
    table = read(
        cat_key_column=[key("I", 3, "C", "I"), key("I", 2, "B", "D"), key("I", 1, "A"), key("7", 1, "A", "G", 12),
                        key("7", 2, "B", "G", 12)],
        index=[facts | {"FULLKEYCARD": 1000, "FIRSTKEYCARD": 50, "FIRST2KEYCARD": -1, "CLUSTERRATIO": 80}],
    )  # fmt: skip
    keys = (Key("A"), Key("B", descending=True))
    assert table.indexes == (
        Index("SHOP", "I", keys, ("C",), "U", False, None, 9, 1000, (50, None, None, None), 0.8),
    )  # fmt: skip
    assert table.groups == {frozenset("AB"): 12}


def test_unknown_index_counts_as_required() -> None:
    assert read(cat_key_column=[key("I", 1, "A")]).indexes[0].is_required


def test_index_on_expression_keeps_its_expression_only() -> None:
    facts = ORDERS | {"INDSCHEMA": "SHOP", "INDNAME": "I", "PLAIN_KEY": 0}
    table = read(cat_key_column=[key("I", 1, "K00") | {"DEFINITION": "UPPER(A)"}], index=[facts])
    assert (table.indexes, table.expressions) == ((), (("I", "UPPER(A)"),))


def test_views_and_aliases_have_definitions() -> None:
    base = {"BASE_SCHEMA": "SHOP", "BASE_NAME": "ORDERS", "DEFINITION": None}
    view = {"BASE_SCHEMA": "SHOP", "BASE_NAME": None, "DEFINITION": "CREATE VIEW V AS SELECT ID FROM ORDERS"}
    others = [key("A", 0, "-", "O") | {"TABNAME": "A1"} | base, key("V", 0, "-", "O") | {"TABNAME": "V1"} | view]
    found = build_catalog({"cat_key_column": others})
    assert found["SHOP", "A1"].definition == Definition("A", ("SHOP", "ORDERS"))
    assert found["SHOP", "V1"].definition == Definition("V", None, "SHOP", view["DEFINITION"])


def test_random_index_is_left_out() -> None:
    assert read(cat_key_column=[key("I", 1, "A", "R")]).indexes == ()


def test_frequent_value_bounds_the_share() -> None:
    skewed = Column("STATUS", distinct=5, nulls=0, frequent=990)
    low, expected, high = equal_share(skewed, 1000, Equal("STATUS"))
    assert (round(low, 4), expected, high) == (0.0025, 0.2, 0.99)


def test_unknown_page_size_and_pages_follow_from_the_rows() -> None:
    wide = [column("NOTE", TYPENAME="CHARACTER", LENGTH=200, AVGCOLLEN=200)]
    assert read(cat_column=wide).page_size == 8192  # 25 rows on each of 40 pages
    table = ORDERS | {"CARD": 1000, "TABLEORG": "R"}
    assert read(cat_table=[table], cat_column=wide).pages == 49
