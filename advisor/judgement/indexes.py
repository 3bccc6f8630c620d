"""Indexes for the statements of a run: proposed before the rules, which rank them with everything else."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from advisor.catalogue.rules import Rule
from advisor.indexes.rows import SOURCES
from advisor.judgement.periods import Period

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables
    from advisor.indexes.advice import IndexAdvice

RULE = "sql.missing-index"

_STATEMENTS = """\
SELECT S.STATEMENT, T.STMT_TEXT, T.STMT_TEXT_LENGTH, T.CACHED_S, S.EXECUTIONS, S.ACT_MS, S.CPU_MS, S.READ_MS,
    S.PREFETCH_WAIT_MS, S.SORT_MS, S.ROWS_READ, S.ROWS_USED, D.TOTAL_ACT_TIME,
    (
        SELECT LEAST(MAX(W.SECONDS), COALESCE(MAX(L.CACHED_S), MAX(W.SECONDS)))
        FROM TUNE.L_STATEMENT AS L CROSS JOIN TUNE.RUN_WINDOW AS W
    ) AS SECONDS
FROM TUNE.STATEMENT AS S
LEFT JOIN (
    SELECT COALESCE(STMT_KEY, EXECUTABLE_ID) AS STATEMENT, MAX(STMT_TEXT) AS STMT_TEXT,
        MAX(STMT_TEXT_LENGTH) AS STMT_TEXT_LENGTH, MIN(CACHED_S) AS CACHED_S
    FROM TUNE.L_STATEMENT WHERE STMT_TEXT IS NOT NULL GROUP BY COALESCE(STMT_KEY, EXECUTABLE_ID)
) AS T ON S.STATEMENT = T.STATEMENT
CROSS JOIN TUNE.DATABASE_TIME AS D
CROSS JOIN TUNE.IDLE_WINDOW AS I
WHERE S.ACT_MS > 0 AND COALESCE(I.IDLE, 0) = 0 AND EXISTS (SELECT 1 FROM TUNE.D_CAT_COLUMN)
ORDER BY S.ACT_MS DESC, S.STATEMENT"""
_WRITES = """\
SELECT TABSCHEMA, TABNAME, SUM(ROWS_INSERTED) AS INSERTED, SUM(ROWS_UPDATED) AS UPDATED, SUM(ROWS_DELETED) AS DELETED
FROM TUNE.D_TABLE GROUP BY TABSCHEMA, TABNAME"""
_SYSTEM = """\
SELECT B.*, C.*, SITE.INDEX_PREFIX
FROM (
    SELECT
        MAX(CASE WHEN NAME = 'sortheap' THEN NUM END) AS SORTHEAP,
        MAX(CASE WHEN NAME = 'logindexbuild' THEN VALUE END) AS LOGINDEXBUILD,
        MAX(CASE WHEN NAME = 'hadr_db_role' THEN VALUE END) AS HADR_DB_ROLE,
        4096 * MAX(CASE WHEN NAME = 'logfilsiz' THEN NUM END) * (
            MAX(CASE WHEN NAME = 'logprimary' THEN NUM END)
            + MAX(CASE WHEN NAME = 'logsecond' AND NUM > 0 THEN NUM ELSE 0 END)
        ) AS LOG_BYTES
    FROM TUNE.CONFIG WHERE SCOPE = 'DB'
) AS C CROSS JOIN TUNE.O_SITE AS SITE CROSS JOIN (
    SELECT SUM(POOL_READ_TIME) AS READ_MS, SUM(POOL_DATA_P_READS + POOL_INDEX_P_READS) AS READS,
        SUM(POOL_INDEX_P_READS) AS INDEX_READS, SUM(POOL_INDEX_L_READS) AS INDEX_REQUESTS,
        SUM(POOL_DATA_L_READS + POOL_INDEX_L_READS) AS REQUESTS, SUM(BP_CUR_BUFFSZ) AS PAGES
    FROM TUNE.D_BUFFERPOOL
) AS B"""
_ROOM = """\
SELECT TBSP_NAME, MIN(
    USABLE_BYTES - USED_BYTES + CASE WHEN GROWS = 1
        THEN COALESCE(LEAST(MAX_BYTES - TOTAL_BYTES, FREE_BYTES), MAX_BYTES - TOTAL_BYTES, FREE_BYTES) ELSE 0 END
) AS ROOM
FROM TUNE.TABLESPACE_SPACE GROUP BY TBSP_NAME"""
_QUERIES = {"writes": _WRITES, "system": _SYSTEM, "room": _ROOM} | {
    name: f"SELECT * FROM TUNE.D_{name.upper()}" for name in SOURCES
}


def index_queries(rules: Iterable[Rule]) -> tuple[str, ...]:
    """Return the queries that ``propose_indexes`` will run for these rules."""
    return (_STATEMENTS, *_QUERIES.values()) if any(rule.name == RULE for rule in rules) else ()


def propose_indexes(tables: "Tables", rules: Iterable[Rule], factor: float = 1.0) -> "IndexAdvice | None":
    """Fill PROPOSED_INDEX; return the advice if the state has statement texts and column statistics.

    ``factor`` is the measured saving of earlier indexes of this database, as a part of the expected saving.
    """
    statements = tables.records(_STATEMENTS) if index_queries(rules) else []
    if all(row["STMT_TEXT"] is None for row in statements):
        return None
    from advisor.judgement.proposing import Proposal  # parses SQL, which takes 0.2 s to import

    given = {name: tables.records(sql) for name, sql in _QUERIES.items()}
    proposal = Proposal.from_period(Period.from_rows(statements, given), factor)
    tables.fill(proposal.rows())
    return proposal.advice


def read_period(tables: "Tables", end: str, catalog: bool) -> Period:
    """Return the statements and writes of an interval, with the catalog if it is the newest one."""
    names = _QUERIES if catalog else ("writes",)
    return Period.from_rows(tables.records(_STATEMENTS), {name: tables.records(_QUERIES[name]) for name in names}, end)
