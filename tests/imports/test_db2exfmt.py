"""Output of ``db2exfmt``: operators, their rows, and objects without statistics."""

from tests.imports.reading import reading
from tests.support.paths import FIXTURES

TEXT = (FIXTURES / "imports" / "db2exfmt.txt").read_text(encoding="utf-8")
LOOP = """\
Access Plan:
-----------
\tTotal Cost: \t\t900

             Rows
            RETURN
            (   1)
             Cost
              I/O
               |
              20
            ^NLJOIN
            (   2)
              900
              40
         /-----+-----\\
       20              1
     IXSCAN         TBSCAN
     (   3)         (   4)
       10             45
        2              2

Plan Details:
-------------
\t2) NLJOIN: (Nested Loop Join)
\t\tInput Streams:
\t\t-------------
\t\t\t2) From Operator #3

\t\t\t4) From Operator #4

\t4) TBSCAN: (Table Scan)
\t\tInput Streams:
\t\t-------------
\t\t\t3) From Object SHOP.STATES

\t\t\t\tEstimated number of rows: \t4000
"""


def operators(text: str) -> dict[str, dict[str, str]]:
    return {row["OPERATOR_ID"]: row for row in reading(text).rows["plan_operator"]}


def test_graph_gives_estimated_and_actual_rows() -> None:
    scan = operators(TEXT)["5"]
    assert (scan["ROWS_ESTIMATED"], scan["ROWS_ACTUAL"], scan["TABLE_ROWS"]) == ("410.2", "28214", "4100000")
    assert (scan["OPERATOR_TYPE"], scan["TABSCHEMA"], scan["TABNAME"]) == ("TBSCAN", "SHOP", "ORDERS")


def test_graph_without_actuals_gives_only_estimates() -> None:
    found = operators(LOOP)
    assert {number: row.get("ROWS_ESTIMATED") for number, row in found.items()} == {
        **{"1": None, "2": "20", "3": "20", "4": "1"}
    }
    assert not any("ROWS_ACTUAL" in row for row in found.values())


def test_inner_side_of_loop_is_marked() -> None:
    found = operators(LOOP)
    assert {number for number, row in found.items() if row.get("IN_LOOP") == "1"} == {"4"}
    assert found["4"]["TABLE_ROWS"] == "4000"


def test_sort_has_its_spilled_pages() -> None:
    assert operators(TEXT)["3"]["SPILLED_PAGES"] == "2210"


def test_diagnostics_name_objects_without_statistics() -> None:
    found = operators(TEXT)
    assert (found["10000"]["TABNAME"], found["10001"]["INDNAME"]) == ("CUSTOMERS", "CUSTOMERS_EMAIL")
    assert "TABNAME" not in found["10001"]


def test_column_without_statistics_names_its_table() -> None:
    column = 'EXP0021W  Table column has no statistics.  The column "STATE" of table "SHOP"."ORDERS" has not had runstats run on it.'
    text = TEXT.replace("Plan Details:", f"Diagnostic Details: {column}\n\nPlan Details:", 1)
    assert operators(text)["10002"]["TABNAME"] == "ORDERS"


def test_two_plans_are_kept_apart() -> None:
    other = TEXT.replace("14.31.07.114902", "14.40.00.000000")
    times = {row["EXPLAIN_TIME"] for row in reading(TEXT + other).rows["plan_operator"]}
    assert times == {"2026-03-02-14.31.07.114902", "2026-03-02-14.40.00.000000"}


def test_report_belongs_to_the_formatted_database() -> None:
    assert {report.database for report in reading(TEXT).reports} == {"SHOP"}


def test_text_after_the_plan_is_read() -> None:
    after = "          Database Configuration for Database SHOP\n\n Log file size (4KB)                         (LOGFILSIZ) = 1024\n"
    assert reading(TEXT + after).rows["dbcfg"]


def test_graph_of_long_lines_is_cut() -> None:
    def read_wide(lines: int) -> str | None:
        wide = (" " * 59_999 + "|\n") * lines
        return operators(LOOP.replace("   |\n", f"   |\n{wide}", 1)).get("3", {}).get("ROWS_ESTIMATED")

    assert (read_wide(100), read_wide(200)) == ("20", None)
