"""PostgreSQL's catalog and measurements as rows of the sources that db2tune collects from Db2."""

from collections.abc import Iterable, Mapping
from typing import Any

from tools.trials.engine.cases import Text
from tools.trials.engine.engine import Engine, Run

Row = dict[str, Any]
PAGE, SPACE = 8192, "DATA"
_TYPES = {"int4": "INTEGER", "int8": "BIGINT", "varchar": "VARCHAR", "bpchar": "CHARACTER", "date": "DATE"}
_TYPES |= {"numeric": "DECIMAL", "timestamp": "TIMESTAMP"}
_LENGTHS = {"INTEGER": 4, "BIGINT": 8, "DATE": 4, "TIMESTAMP": 10}
_NUMBERS = ("INTEGER", "BIGINT", "DECIMAL")
_HEADER = 4  # of a varying value: the length of the value in a key, as AVGCOLLEN includes it
_COUNTERS = {"INSERT": "ROWS_INSERTED", "UPDATE": "ROWS_UPDATED", "DELETE": "ROWS_DELETED"}
_SCANS = ("Seq Scan", "Index Scan", "Bitmap Heap Scan")

_TABLE_ROWS = """
SELECT upper(n.nspname) AS tabschema, upper(c.relname) AS tabname, c.reltuples::bigint AS card, c.relpages AS npages
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = current_schema() AND c.relkind = 'r' AND c.relname <> 'yardstick' ORDER BY c.relname
"""
_COLUMN_ROWS = """
SELECT upper(n.nspname) AS tabschema, upper(c.relname) AS tabname, upper(a.attname) AS colname, a.attnum - 1 AS colno,
       t.typname, a.atttypmod, c.reltuples, s.null_frac, s.n_distinct, s.avg_width, s.most_common_freqs[1] AS frequency,
       coalesce(cardinality(s.most_common_freqs), 0) AS nmostfreq, s.most_common_vals::text::text[] AS frequent,
       s.histogram_bounds::text::text[] AS bounds
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = a.attname
WHERE n.nspname = current_schema() AND c.relkind = 'r' AND c.relname <> 'yardstick' ORDER BY c.relname, a.attnum
"""
_INDEX_ROWS = """
SELECT upper(n.nspname) AS schema, upper(c.relname) AS tabname, upper(i.relname) AS indname, x.indisprimary, x.indisunique,
       i.reltuples, i.relpages, x.indrelid, k.seq, upper(a.attname) AS colname, (x.indoption[k.seq - 1] & 1) = 1 AS descending,
       s.correlation
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL unnest(x.indkey::integer[]) WITH ORDINALITY AS k (attnum, seq)
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = a.attname
WHERE n.nspname = current_schema() ORDER BY i.relname, k.seq
"""


def read_tables(engine: Engine) -> list[Row]:
    """Return rows of SYSCAT.TABLES."""
    rows = [_upper(row) for row in engine.select(_TABLE_ROWS)]
    return [row | {"TABLEORG": "R", "TBSPACE": SPACE, "INDEX_TBSPACE": SPACE} for row in rows]


def read_columns(engine: Engine) -> list[Row]:
    """Return rows of SYSCAT.COLUMNS."""
    return [_column(row) for row in engine.select(_COLUMN_ROWS)]


def read_keys(engine: Engine) -> list[Row]:
    """Return rows of SYSCAT.INDEXCOLUSE."""
    return [
        _index_name(row)
        | {"COLSEQ": row["seq"], "COLNAME": row["colname"], "COLORDER": "D" if row["descending"] else "A"}
        for row in engine.select(_INDEX_ROWS)
    ]


def read_indexes(engine: Engine, columns: Iterable[Row]) -> list[Row]:
    """Return rows of SYSCAT.INDEXES."""
    distinct = {(row["TABNAME"], row["COLNAME"]): row["COLCARD"] for row in columns}
    found: dict[str, Row] = {}
    for row in engine.select(_INDEX_ROWS):
        cards = found[row["indname"]]["cards"] if row["indname"] in found else []
        before = cards[-1] if cards else 1
        cards.append(min(int(row["reltuples"]), before * max(1, distinct[row["tabname"], row["colname"]])))
        found.setdefault(row["indname"], row | {"cards": cards})
    return [_index(row) for row in found.values()]


def read_statements(engine: Engine, runs: Mapping[str, Run]) -> list[Row]:
    """Return rows of MON_GET_PKG_CACHE_STMT, with the names of the statements as EXECUTABLE_ID."""
    found = []
    for text in engine.texts:
        run = runs[text.name]
        read = count_rows_read(engine.explain(text, "ANALYZE", "BUFFERS", "TIMING OFF"))
        changes = not text.sql.startswith("SELECT")
        found.append(
            {
                "EXECUTABLE_ID": text.name,
                "STMT_TEXT": text.sql,
                "NUM_EXECUTIONS": text.executions,
                "STMT_EXEC_TIME": text.executions * run.ms,
                "TOTAL_CPU_TIME": 1000 * text.executions * max(0.0, run.ms - run.read_ms),
                "POOL_READ_TIME": text.executions * run.read_ms,
                "ROWS_READ": text.executions * read,
                "ROWS_RETURNED": 0 if changes else text.executions * run.rows,
                "ROWS_MODIFIED": text.executions * run.rows if changes else 0,
            }
        )
    return found


def read_writes(engine: Engine, text: Text, run: Run) -> Row | None:
    """Return the rows that a data change changes in an hour, as MON_GET_TABLE counts them."""
    kind, *words = text.sql.split()
    if kind not in _COUNTERS:
        return None
    table = next(word for word in words if word in engine.tables)
    counted = dict.fromkeys(_COUNTERS.values(), 0.0) | {_COUNTERS[kind]: text.executions * run.rows}
    return {"TABSCHEMA": engine.case.name.upper(), "TABNAME": table.upper(), **counted}


def count_rows_read(plan: Mapping[str, Any]) -> float:
    """Return the table rows that a plan read, as ROWS_READ counts them: an index-only scan reads none."""
    loops = float(plan.get("Actual Loops", 1))
    rows = 0.0
    if plan["Node Type"] in _SCANS:
        removed = plan.get("Rows Removed by Filter", 0) + plan.get("Rows Removed by Index Recheck", 0)
        rows = loops * (plan["Actual Rows"] + removed)
    rows += plan.get("Heap Fetches", 0)
    return float(rows + sum(count_rows_read(child) for child in plan.get("Plans", ())))


def _column(row: Row) -> Row:
    kind = _TYPES[row["typname"]]
    rows = max(0.0, row["reltuples"])
    share = row["n_distinct"]
    distinct = -1 if share is None else round(-share * rows if share < 0 else share)
    low, high = _second_values([*(row["frequent"] or ()), *(row["bounds"] or ())], kind)
    return {
        **{name: row[name.lower()] for name in ("TABSCHEMA", "TABNAME", "COLNAME", "COLNO", "NMOSTFREQ")},
        "TYPENAME": kind,
        "LENGTH": _length(kind, row["atttypmod"]),
        "COLCARD": distinct,
        "NUMNULLS": round((row["null_frac"] or 0) * rows),
        "AVGCOLLEN": _average(kind, row),
        "LOW2KEY": low,
        "HIGH2KEY": high,
        "NQUANTILES": len(row["bounds"] or ()),
        "FREQUENT_ROWS": round(row["frequency"] * rows) if row["frequency"] else None,
        "FREQUENT_VALUE": _literal((row["frequent"] or [None])[0], kind),
    }


def _length(kind: str, modifier: int) -> int:
    """Return LENGTH: the precision of a decimal number, or bytes."""
    if kind == "DECIMAL":
        return (modifier - 4) >> 16
    return _LENGTHS.get(kind, modifier - 4)


def _average(kind: str, row: Row) -> int:
    if kind == "VARCHAR":
        return max(1, (row["avg_width"] or 1) - 1 + _HEADER)
    length = _length(kind, row["atttypmod"])
    return length // 2 + 1 if kind == "DECIMAL" else length


def _second_values(values: list[str], kind: str) -> tuple[str | None, str | None]:
    """Return LOW2KEY and HIGH2KEY: the second lowest and second highest known value."""
    known = sorted(set(values), key=float if kind in _NUMBERS else str)
    if not known:
        return None, None
    return _literal(known[min(1, len(known) - 1)], kind), _literal(known[max(0, len(known) - 2)], kind)


def _literal(value: str | None, kind: str) -> str | None:
    return value if value is None or kind in _NUMBERS else f"'{value}'"


def _index_name(row: Row) -> Row:
    named = {"TABSCHEMA": row["schema"], "INDSCHEMA": row["schema"]}
    return named | {"TABNAME": row["tabname"], "INDNAME": row["indname"]}


def _index(row: Row) -> Row:
    cards = row["cards"]
    first = {f"FIRST{number if number > 1 else ''}KEYCARD": card for number, card in enumerate(cards[:4], 1)}
    rule = "P" if row["indisprimary"] else "U" if row["indisunique"] else "D"
    return {
        **_index_name(row),
        **{"FIRST2KEYCARD": -1, "FIRST3KEYCARD": -1, "FIRST4KEYCARD": -1},
        **first,
        "INDEXTYPE": "REG",
        "UNIQUERULE": rule,
        "SYSTEM_REQUIRED": int(row["indisprimary"]),
        "NLEVELS": 1 if row["relpages"] < 3 else 2 if row["relpages"] < 300 else 3,
        "NLEAF": max(1, row["relpages"] - 1),
        "FULLKEYCARD": int(row["reltuples"]) if rule != "D" else cards[-1],
        "CLUSTERRATIO": round(100 * abs(row["correlation"] or 0.0)),
        "CLUSTERFACTOR": -1.0,
    }


def _upper(row: Row) -> Row:
    return {name.upper(): value for name, value in row.items()}
