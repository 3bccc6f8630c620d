"""Indexes for the statements of a run: proposed before the rules, which rank them with everything else."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from advisor.catalogue.rules import Rule
from advisor.indexes.rows import SOURCES

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables
    from advisor.indexes.advice import IndexAdvice

RULE = "sql.missing-index"

_STATEMENTS = """\
SELECT S.STATEMENT, T.STMT_TEXT, T.STMT_TEXT_LENGTH, S.EXECUTIONS, S.ACT_MS, S.CPU_MS, S.READ_MS, S.PREFETCH_WAIT_MS,
    S.SORT_MS, S.ROWS_READ, S.ROWS_USED, D.TOTAL_ACT_TIME
FROM TUNE.STATEMENT AS S
INNER JOIN (
    SELECT COALESCE(STMT_KEY, EXECUTABLE_ID) AS STATEMENT, MAX(STMT_TEXT) AS STMT_TEXT,
        MAX(STMT_TEXT_LENGTH) AS STMT_TEXT_LENGTH
    FROM TUNE.L_STATEMENT WHERE STMT_TEXT IS NOT NULL GROUP BY COALESCE(STMT_KEY, EXECUTABLE_ID)
) AS T ON S.STATEMENT = T.STATEMENT
CROSS JOIN TUNE.DATABASE_TIME AS D
WHERE S.ACT_MS > 0 AND EXISTS (SELECT 1 FROM TUNE.D_CAT_COLUMN)
ORDER BY S.ACT_MS DESC, S.STATEMENT"""
_WRITES = """\
SELECT TABSCHEMA, TABNAME, SUM(ROWS_INSERTED) AS INSERTED, SUM(ROWS_UPDATED) AS UPDATED, SUM(ROWS_DELETED) AS DELETED
FROM TUNE.D_TABLE GROUP BY TABSCHEMA, TABNAME"""
_SYSTEM = """\
SELECT B.*, (SELECT MAX(NUM) FROM TUNE.CONFIG WHERE SCOPE = 'DB' AND NAME = 'sortheap') AS SORTHEAP
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


def propose_indexes(tables: "Tables", rules: Iterable[Rule]) -> "IndexAdvice | None":
    """Fill PROPOSED_INDEX; return the advice if the state has statement texts and column statistics."""
    statements = tables.records(_STATEMENTS) if index_queries(rules) else []
    if not statements:
        return None
    from advisor.judgement.proposing import Proposal  # parses SQL, which takes 0.2 s to import

    proposal = Proposal.from_rows(statements, {name: tables.records(sql) for name, sql in _QUERIES.items()})
    tables.fill(proposal.rows())
    return proposal.advice
