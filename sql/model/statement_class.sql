-- The statements by which a change is judged one by one, the thirty that take most time: executions in the interval,
-- milliseconds by all agents, rows read, and the beginning of the text if it was collected. STATEMENT (text and
-- environment) stays the same when the statement is compiled again and when the database is activated again.
SELECT
    S.STATEMENT,
    T.SHORT_TEXT,
    S.EXECUTIONS,
    S.ACT_MS,
    S.TIME_PCT,
    S.ROWS_READ
FROM TUNE.STATEMENT AS S
LEFT JOIN TUNE.STATEMENT_TEXT AS T ON S.STATEMENT = T.STATEMENT
WHERE S.TIME_PLACE <= 30 AND S.ACT_MS > 0
