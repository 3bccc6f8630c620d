"""Captures of an order table, one per night: its statements, and the indexes besides its primary key."""

from pathlib import Path
from typing import Any

from tests.support.states import BEGIN, Row, filled, state_of, write_capture

ORDERS = {"TABSCHEMA": "SHOP", "TABNAME": "ORDERS"}
BY_STATUS = "SELECT TOTAL FROM SHOP.ORDERS WHERE STATUS = '{}'"
BY_TOTAL = "SELECT STATUS FROM SHOP.ORDERS WHERE TOTAL = {}"
BY_ID = "SELECT STATUS FROM SHOP.ORDERS WHERE ID = {}"


def statement(text: str, ms: float, executions: int = 100, rows_read: int = 90_000_000, number: int = 1) -> Row:
    """Return a statement with milliseconds, all of them processor time, and rows read of all executions."""
    return {
        "EXECUTABLE_ID": f"{number:04X}",
        "STMT_KEY": f"{number}/1",
        "STMT_TEXT": text,
        "STMT_TEXT_LENGTH": len(text),
        "NUM_EXECUTIONS": executions,
        "STMT_EXEC_TIME": int(ms),
        "TOTAL_ACT_TIME": int(ms),
        "TOTAL_CPU_TIME": int(1000 * ms),
        "ROWS_READ": rows_read,
        "ROWS_RETURNED": 9 * executions,
    }


def orders(*statements: Row, indexes: dict[str, str] | None = None) -> dict[str, Any]:
    """Return a case with 900,000 orders; ``indexes`` are the columns by name."""
    known = {"PK": "ID"} | (indexes or {})
    cards = {"ID": 900_000, "STATUS": 9_000, "TOTAL": 90_000}
    rows = [
        ORDERS
        | {"INDSCHEMA": "SHOP", "INDNAME": name, "IID": place, "COLNAMES": f"+{column}", "INDCARD": 900_000}
        | {"UNIQUERULE": "P" if name == "PK" else "D", "AGE_D": 900 if name == "PK" else 0}
        for place, (name, column) in enumerate(known.items(), 1)
    ]
    return {
        "site": {"workload": "OLTP"},
        "statement": list(statements),
        "table": [ORDERS | {"ROWS_READ": 900_000_000, "TABLE_SCANS": 1000}],
        "cat_table": [ORDERS | {"CARD": 900_000, "NPAGES": 30_000}],
        "cat_column": [
            ORDERS | {"COLNAME": name, "COLNO": place, "COLCARD": card}
            for place, (name, card) in enumerate(cards.items())
        ],
        "cat_key_column": [
            ORDERS | {"INDSCHEMA": "SHOP", "INDNAME": name, "COLNAME": column, "COLSEQ": 1, "COLORDER": "A"}
            for name, column in known.items()
        ],
        "index": rows,
    }


def write_night(folder: Path, night: int, *statements: Row, indexes: dict[str, str] | None = None) -> Path:
    """Write the capture of a night, the first of which is 2026-03-02."""
    target = write_capture(filled(state_of(orders(*statements, indexes=indexes))), folder / f"night-{night}")
    manifest = target / "manifest.json"
    day = BEGIN.date().isoformat()
    dated = manifest.read_text(encoding="utf-8").replace(day, f"{day[:-2]}{BEGIN.day + night:02}")
    manifest.write_text(dated, encoding="utf-8")
    return target
