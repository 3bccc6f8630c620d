"""Output of ``reorgchk``: which rows are used."""

import re

from tests.imports.reading import reading
from tests.support.paths import FIXTURES

TEXT = (FIXTURES / "imports" / "reorgchk.txt").read_text(encoding="utf-8")


def flags(text: str) -> dict[tuple[str, str], str]:
    rows = reading(text).rows.get("reorg_check", [])
    return {(row["TABNAME"], row["INDNAME"]): row["FLAGS"] for row in rows}


def test_tables_and_indexes_have_their_flags() -> None:
    assert flags(TEXT) == {
        **{("COUNTRIES", "-"): "-**", ("ORDERS", "-"): "*-*", ("ORDER_LINES", "-"): "---"},
        **{("ORDERS", "ORDERS_PK"): "-----", ("ORDERS", "ORDERS_STATE"): "*--**"},
        **{("ORDER_LINES", "LINES_PK"): "*----", ("ORDER_LINES", "LINES_ITEM"): "*----"},
    }


def test_block_clustered_table_is_not_used() -> None:
    assert ("ORDERS", "-") not in flags(re.sub(r"141000     -", "141000   900", TEXT))


def test_partitioned_table_is_not_used() -> None:
    text = TEXT.replace("Table: SHOP.ORDERS\n  ", "Table: SHOP.ORDERS\nData Partition: PART0\n  ")
    assert ("ORDERS", "-") not in flags(text)


def test_wrapped_row_is_refused() -> None:
    found = reading(
        TEXT.replace("  88000 141000     -", "  88000\n141000     -").replace(" 88000 141000 ", "\n141000 ")
    )
    assert any((item.why or "").startswith("wrapped") for item in found.ranges)
    assert ("ORDERS", "-") not in {(row["TABNAME"], row["INDNAME"]) for row in found.rows["reorg_check"]}


def test_rows_without_full_names_are_not_used() -> None:
    old = TEXT.replace("SCHEMA.NAME", "SCHEMA NAME").replace("Table: SHOP.COUNTRIES\n", "SHOP COUNTRIES")
    assert ("COUNTRIES", "-") not in flags(old)
