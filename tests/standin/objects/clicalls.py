"""The catalogue calls of the driver: SYSIBM.SQLTABLES and SYSIBM.SQLCOLUMNS."""

from tests.standin.api import Executor, Outcome

# SYSCAT's type of a table: what SQLTables calls it
_TYPE = "CASE TYPE WHEN 'V' THEN 'VIEW' WHEN 'A' THEN 'ALIAS' ELSE 'TABLE' END"
# Db2's type name: number of the type in CLI
_NUMBERS = {
    "CHARACTER": 1,
    "DECIMAL": 3,
    "INTEGER": 4,
    "SMALLINT": 5,
    "REAL": 7,
    "DOUBLE": 8,
    "VARCHAR": 12,
    "BOOLEAN": 16,
    "DATE": 91,
    "TIME": 92,
    "TIMESTAMP": 93,
    "BIGINT": -5,
    "BINARY": -2,
    "VARBINARY": -3,
    "BLOB": -98,
    "CLOB": -99,
}
_CASES = " ".join(f"WHEN '{name}' THEN {number}" for name, number in _NUMBERS.items())

TABLES = f"""
    SELECT CAST(NULL AS VARCHAR(128)) AS TABLE_CAT, RTRIM(TABSCHEMA) AS TABLE_SCHEM, TABNAME AS TABLE_NAME,
        CAST({_TYPE} AS VARCHAR(128)) AS TABLE_TYPE, REMARKS
    FROM SYSCAT.TABLES
    WHERE TABSCHEMA LIKE ? AND TABNAME LIKE ? AND (CAST(? AS VARCHAR(4000)) = '' OR LOCATE('''' || {_TYPE} || '''', CAST(? AS VARCHAR(4000))) > 0)
    ORDER BY 4, 2, 3"""

COLUMNS = f"""
    SELECT CAST(NULL AS VARCHAR(128)) AS TABLE_CAT, RTRIM(TABSCHEMA) AS TABLE_SCHEM, TABNAME AS TABLE_NAME,
        COLNAME AS COLUMN_NAME, CAST(CASE TYPENAME {_CASES} ELSE 12 END AS SMALLINT) AS DATA_TYPE, TYPENAME AS TYPE_NAME,
        LENGTH AS COLUMN_SIZE, LENGTH AS BUFFER_LENGTH, SCALE AS DECIMAL_DIGITS,
        CAST(CASE WHEN TYPENAME IN ('SMALLINT', 'INTEGER', 'BIGINT', 'DECIMAL') THEN 10 END AS SMALLINT) AS NUM_PREC_RADIX,
        CAST(CASE NULLS WHEN 'Y' THEN 1 ELSE 0 END AS SMALLINT) AS NULLABLE, REMARKS,
        CAST("DEFAULT" AS VARCHAR(254)) AS COLUMN_DEF,
        CAST(CASE TYPENAME {_CASES} ELSE 12 END AS SMALLINT) AS SQL_DATA_TYPE, CAST(NULL AS SMALLINT) AS SQL_DATETIME_SUB,
        LENGTH AS CHAR_OCTET_LENGTH, COLNO + 1 AS ORDINAL_POSITION,
        CAST(CASE NULLS WHEN 'Y' THEN 'YES' ELSE 'NO' END AS VARCHAR(254)) AS IS_NULLABLE
    FROM SYSCAT.COLUMNS
    WHERE TABSCHEMA LIKE ? AND TABNAME LIKE ? AND COLNAME LIKE ?
    ORDER BY 2, 3, 17"""


def sql_tables(
    session: Executor,
    _catalog: str | None,
    schema: str | None,
    name: str | None,
    types: str | None,
    _options: str | None,
) -> Outcome:
    """Tables and views by patterns; ``types`` is a list like 'TABLE','VIEW'."""
    listed = ",".join("'" + one.strip().strip("'") + "'" for one in types.split(",")) if types else ""
    outcome = session.execute(TABLES, None, (schema or "%", name or "%", listed, listed))
    return _returned(outcome)


def sql_columns(
    session: Executor,
    _catalog: str | None,
    schema: str | None,
    name: str | None,
    column: str | None,
    _options: str | None,
) -> Outcome:
    return _returned(session.execute(COLUMNS, None, (schema or "%", name or "%", column or "%")))


def _returned(outcome: Outcome) -> Outcome:
    assert outcome.result is not None  # it was a query
    return Outcome(result_sets=[outcome.result])
