"""Output of ``db2advis``: its recommendations do not exist yet."""

from tests.imports.reading import reading
from tests.support.paths import FIXTURES

TEXT = (FIXTURES / "imports" / "db2advis.txt").read_text(encoding="utf-8")
LIST = TEXT[TEXT.index("-- index[1]") : TEXT.index("-- RECOMMENDED EXISTING")]
TABLE = 'CREATE TABLE "SHOP"."ORDERS" ("ID" INTEGER NOT NULL);\nCREATE INDEX "SHOP"."REAL" ON "SHOP"."ORDERS" ("ID");\n'


def names(text: str, source: str) -> list[str]:
    return [row["INDNAME"] for row in reading(text).rows.get(source, [])]


def test_recommended_indexes_are_no_existing_indexes() -> None:
    for text in (TEXT, LIST):
        assert names(text, "index") == []
        assert names(text, "index_advice")[:2] == ["IDX2603021420110", "IDX2603021420330"]


def test_statements_in_comments_are_read() -> None:
    lines = [f"-- {line.strip()}" if line.startswith("   ") else line for line in LIST.splitlines()]
    assert names("\n".join(lines), "index_advice") == ["IDX2603021420110", "IDX2603021420330"]


def test_ddl_after_the_end_defines_indexes() -> None:
    assert names(TEXT + TABLE, "index") == ["REAL"]


def test_index_without_schema_is_not_recommended() -> None:
    assert names("-- index[1], 1.0MB\nCREATE INDEX IDX1 ON ORDERS (ID);\n", "index_advice") == []


def test_index_with_a_column_twice_is_not_recommended() -> None:
    for columns in ("(ID, ID)", "(ID) INCLUDE (ID)"):
        text = f"-- index[1], 1.0MB\nCREATE INDEX SHOP.IDX1 ON SHOP.ORDERS {columns};\n"
        assert names(text, "index_advice") == []


def test_command_names_the_database() -> None:
    assert reading(TEXT).reports[0].database == "SHOP"


def test_index_keeps_its_kind_and_free_space() -> None:
    text = "-- index[1], 1.0MB\nCREATE INDEX SHOP.IDX1 ON SHOP.ORDERS (ID) CLUSTER PCTFREE 5 ALLOW REVERSE SCANS;\n"
    (row,) = reading(text).rows["index_advice"]
    assert (row["INDEXTYPE"], row["PCTFREE"]) == ("CLUS", "5")


def test_free_space_above_the_limit_is_not_used() -> None:
    text = "-- index[1], 1.0MB\nCREATE INDEX SHOP.IDX1 ON SHOP.ORDERS (ID) PCTFREE 100;\n"
    (row,) = reading(text).rows["index_advice"]
    assert (row["INDEXTYPE"], row.get("PCTFREE")) == ("REG", None)
