-- The statements by which a change is judged one by one, the thirty that take most time: executions in the interval,
-- milliseconds by all agents, rows read, access plan, and the beginning of the text if it was collected. STATEMENT
-- (text and environment) stays the same when the statement is compiled again and when the database is activated again.
-- PLANID is NULL if sections with different plans ran, because their times are not separate.
SELECT
    STMT.STATEMENT,
    WORDING.SHORT_TEXT,
    STMT.EXECUTIONS,
    STMT.ACT_MS,
    STMT.TIME_PCT,
    STMT.ROWS_READ,
    STMT.PLANID
FROM TUNE.STATEMENT AS STMT
LEFT JOIN TUNE.STATEMENT_TEXT AS WORDING ON STMT.STATEMENT = WORDING.STATEMENT
WHERE STMT.TIME_PLACE <= 30 AND STMT.ACT_MS > 0
