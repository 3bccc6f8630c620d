"""Indexes for the statements of a run: proposed before the rules, which rank them with everything else."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from advisor.catalogue.rules import Rule
from advisor.indexes.rows import SOURCES
from advisor.judgement.steps import Tables, fill

if TYPE_CHECKING:
    from advisor.indexes.advice import IndexAdvice

Row = dict[str, Any]
State = tuple[int, ...]

RULE = "sql.missing-index"

_STATEMENTS = """\
SELECT S.STATEMENT, T.STMT_TEXT, T.STMT_TEXT_LENGTH, S.EXECUTIONS, S.ACT_MS, S.CPU_MS, S.READ_MS, S.PREFETCH_WAIT_MS,
    S.SORT_MS, S.ROWS_READ, S.ROWS_USED, D.TOTAL_ACT_TIME
FROM TUNE.STATEMENT AS S
INNER JOIN (
    SELECT COALESCE(STMT_KEY, EXECUTABLE_ID) AS STATEMENT, MAX(STMT_TEXT) AS STMT_TEXT,
        MAX(STMT_TEXT_LENGTH) AS STMT_TEXT_LENGTH
    FROM TUNE.L_STATEMENT WHERE STMT_TEXT IS NOT NULL GROUP BY 1
) AS T ON S.STATEMENT = T.STATEMENT
CROSS JOIN TUNE.DATABASE_TIME AS D
WHERE S.ACT_MS > 0 AND EXISTS (SELECT 1 FROM TUNE.D_CAT_COLUMN)
ORDER BY S.ACT_MS DESC, S.STATEMENT"""
_WRITES = """\
SELECT TABSCHEMA, TABNAME, SUM(ROWS_INSERTED) AS INSERTED, SUM(ROWS_UPDATED) AS UPDATED, SUM(ROWS_DELETED) AS DELETED
FROM TUNE.D_TABLE GROUP BY TABSCHEMA, TABNAME"""
_SYSTEM = """\
SELECT B.*, (SELECT MAX(TRY_CAST(VALUE AS DOUBLE)) FROM TUNE.D_DBCFG WHERE NAME = 'sortheap') AS SORTHEAP
FROM (
    SELECT SUM(POOL_READ_TIME) AS READ_MS, SUM(POOL_DATA_P_READS + POOL_INDEX_P_READS) AS READS,
        SUM(POOL_INDEX_P_READS) AS INDEX_READS, SUM(POOL_INDEX_L_READS) AS INDEX_REQUESTS,
        SUM(BP_CUR_BUFFSZ) AS PAGES
    FROM TUNE.D_BUFFERPOOL
) AS B"""
_QUERIES = {"writes": _WRITES, "system": _SYSTEM} | {name: f"SELECT * FROM TUNE.D_{name.upper()}" for name in SOURCES}


def index_queries(rules: Iterable[Rule]) -> tuple[str, ...]:
    """Return the queries that ``propose_indexes`` will run for these rules."""
    return (_STATEMENTS, *_QUERIES.values()) if any(rule.name == RULE for rule in rules) else ()


def propose_indexes(tables: Tables, rules: Iterable[Rule]) -> "dict[State, IndexAdvice]":
    """Fill PROPOSED_INDEX; return the advice of each state that has statement texts and column statistics."""
    statements = _read_states(tables, _STATEMENTS) if index_queries(rules) else {}
    if not statements:
        return {}
    from advisor.judgement.proposing import Proposal  # parses SQL, which takes 0.2 s to import

    given = {name: _read_states(tables, sql) for name, sql in _QUERIES.items()}
    found = {}
    for state, rows in statements.items():
        proposal = Proposal.from_rows(rows, {name: by_state.get(state, []) for name, by_state in given.items()})
        fill(tables.connection, ((table, (*state, *values)) for table, values in proposal.rows()), tables.schema)
        found[state] = proposal.advice
    return found


def _read_states(tables: Tables, sql: str) -> dict[State, list[Row]]:
    """Return the rows of a query by state; that of a single state is empty."""
    cursor = tables.connection.execute(tables.select_states(sql))
    names = [column[0] for column in cursor.description]
    found: dict[State, list[Row]] = {}
    for values in cursor.fetchall():
        row = dict(zip(names, values, strict=True))
        state = (row.pop("OF_"),) if "OF_" in row else ()
        found.setdefault(state, []).append(row)
    return found
