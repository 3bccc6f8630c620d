"""A schema and its measured statements as a capture, and as text that a DBA pastes."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from advisor.catalogue.sources import all_sources
from tests.imports.printers.listing import listing
from tests.support.states import State, filled, state_of, write_capture
from tools.trials.engine import rows as source
from tools.trials.engine.engine import Engine, Run

HOUR_S = 3600
USERS = 50  # sessions that run the statements: with one, the database is idle
BUFFER_PAGES, SORT_PAGES = 131_072, 16_384  # shared_buffers and work_mem

# Columns of the listings that docs/text-formats.md asks for.
_STATEMENT = (
    "EXECUTABLE_ID NUM_EXECUTIONS STMT_EXEC_TIME TOTAL_ACT_TIME TOTAL_CPU_TIME POOL_READ_TIME PREFETCH_WAIT_TIME"
)
_STATEMENT += " ROWS_READ ROWS_RETURNED ROWS_MODIFIED STMT_TEXT"
_TEXTS = ("HIGH2KEY", "LOW2KEY")
_COLUMNS = ("COLCARD", "NUMNULLS", *_TEXTS, "AVGCOLLEN")
_DISTRIBUTION = ("COLVALUE", "VALCOUNT", "COLNAME", "TABNAME", "TABSCHEMA", "TYPE", "SEQNO")
_INDEX = ("NLEAF", "NLEVELS", "FIRSTKEYCARD", "FIRST2KEYCARD", "FIRST3KEYCARD", "FIRST4KEYCARD", "FULLKEYCARD")

Row = Mapping[str, Any]


def key_of(number: int) -> str:
    """Return the EXECUTABLE_ID of a statement."""
    return f"{number:064X}"


def read_state(engine: Engine, runs: Mapping[str, Run]) -> State:
    """Return an hour of the statements in the sources of db2tune."""
    columns = source.read_columns(engine)
    statements = [_statement(number, row) for number, row in enumerate(source.read_statements(engine, runs))]
    changes: dict[str, dict[str, Any]] = {}
    for text in engine.texts:
        if row := source.read_writes(engine, text, runs[text.name]):
            have = changes.setdefault(row["TABNAME"], {})
            have.update({name: have.get(name, 0) + round(USERS * row[name]) for name in row if "ROWS" in name})
    total = sum(row["TOTAL_ACT_TIME"] for row in statements)
    read = sum(row["ROWS_READ"] for row in statements)
    tables = source.read_tables(engine)
    cpu = sum(row["TOTAL_CPU_TIME"] for row in statements)
    work = {"TOTAL_RQST_TIME": total, "TOTAL_ACT_TIME": total, "TOTAL_CPU_TIME": cpu, "ROWS_READ": read}
    pool = {"BP_NAME": "IBMDEFAULTBP", "BP_CUR_BUFFSZ": BUFFER_PAGES, "POOL_INDEX_L_READS": 10 * read}
    rows: dict[str, Any] = {
        "seconds": HOUR_S,
        "config": {"sortheap": SORT_PAGES},
        "workload": [work],
        "bufferpool": [pool],
        "statement": statements,
        "table": [
            {name: row[name] for name in ("TABSCHEMA", "TABNAME")}
            | {"ROWS_READ": read}
            | changes.get(row["TABNAME"], {})
            for row in tables
        ],
        "cat_table": tables,
        "cat_tablespace": [{"TBSPACE": source.SPACE, "PAGESIZE": source.PAGE}],
        "cat_column": columns,
        "cat_key_column": source.read_keys(engine),
        "index": [row | {"IID": place} for place, row in enumerate(source.read_indexes(engine, columns), 1)],
    }
    return filled(state_of(rows))


def write(state: State, folder: Path) -> list[str]:
    """Write the state as a capture; return the arguments that name it."""
    return ["--capture", str(write_capture(state, folder / "capture"))]


def write_text(state: State, folder: Path) -> list[str]:
    """Write what db2look -e -m and the listing of the package cache print; return the file names."""
    look, statements = folder / "look.sql", folder / "statements.txt"
    look.write_text("\n".join(_look(state.sources)) + "\n", encoding="utf-8")
    named = {column.name: column for column in all_sources()["statement"].columns}
    pairs = [(name, named[name]) for name in _STATEMENT.split()]
    text = "\n".join(listing(pairs, state.sources["statement"]))
    statements.write_text(f"db2 => connect to {state.database['name']}\n\n{text}\n", encoding="utf-8")
    return [str(look), str(statements)]


def _statement(number: int, row: Row) -> dict[str, Any]:
    """Return a statement of all users in the whole numbers of Db2."""
    counted = {name: round(USERS * value) for name, value in row.items() if name not in ("EXECUTABLE_ID", "STMT_TEXT")}
    text = row["STMT_TEXT"]
    facts = {"EXECUTABLE_ID": key_of(number), "STMT_TEXT": text, "STMT_TEXT_LENGTH": len(text)}
    return facts | counted | {"TOTAL_ACT_TIME": counted["STMT_EXEC_TIME"], "TOTAL_SECTION_SORT_TIME": None}


def _look(sources: Mapping[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Yield the DDL of tables and indexes, and the updates of their statistics."""
    for table in sources["cat_table"]:
        name = f'"{table["TABSCHEMA"]}"."{table["TABNAME"]}"'
        columns = _of(sources["cat_column"], table)
        yield f"CREATE TABLE {name} ("
        yield ",\n".join(f'  "{column["COLNAME"]}" {_type(column)}' for column in columns) + ' ) IN "DATA" ;\n'
        for index in _of(sources["index"], table):
            keys = [row for row in sources["cat_key_column"] if row["INDNAME"] == index["INDNAME"]]
            listed = ", ".join(f'"{row["COLNAME"]}"' + (" DESC" if row["COLORDER"] == "D" else "") for row in keys)
            kind = "UNIQUE INDEX" if index["UNIQUERULE"] != "D" else "INDEX"
            yield f'CREATE {kind} "{index["INDSCHEMA"]}"."{index["INDNAME"]}" ON {name} ({listed});\n'
            if index["UNIQUERULE"] == "P":
                yield f"ALTER TABLE {name} ADD PRIMARY KEY ({listed});\n"
        yield _update("TABLES", table, ("CARD", "NPAGES"), "TABNAME", "TABSCHEMA")
        for column in columns:
            yield _update("COLUMNS", column, _COLUMNS, "COLNAME", "TABNAME", "TABSCHEMA")
            if column.get("FREQUENT_ROWS"):
                frequent = column | {"TYPE": "F", "SEQNO": 1, "VALCOUNT": column["FREQUENT_ROWS"]}
                frequent["COLVALUE"] = column["FREQUENT_VALUE"]
                yield _update("COLDIST", frequent, _DISTRIBUTION[:2], *_DISTRIBUTION[2:])
        for index in _of(sources["index"], table):
            yield _update("INDEXES", index, _INDEX, "INDNAME", "INDSCHEMA", "TABNAME", "TABSCHEMA")


def _of(rows: Iterable[dict[str, Any]], table: Row) -> list[dict[str, Any]]:
    return [row for row in rows if row["TABNAME"] == table["TABNAME"]]


def _type(column: Row) -> str:
    size = {"DECIMAL": "({},2)", "VARCHAR": "({})", "CHARACTER": "({})"}.get(column["TYPENAME"], "")
    return str(column["TYPENAME"]) + size.format(column["LENGTH"])


def _update(view: str, row: Row, values: Iterable[str], *where: str) -> str:
    changed = ",\n    ".join(f"{name}={_literal(row[name])}" for name in values if row.get(name) is not None)
    return (
        f"UPDATE SYSSTAT.{view}\nSET {changed}\nWHERE "
        + " AND ".join(f"{name} = {_literal(row[name])}" for name in where)
        + ";\n"
    )


def _literal(value: Any) -> str:
    return str(value) if isinstance(value, (int, float)) else "'" + str(value).replace("'", "''") + "'"
