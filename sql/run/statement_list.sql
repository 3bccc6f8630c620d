-- The top statements of every run for people, most time first: the share of all statements' time and of processor time
-- in percent, the figures per execution and in total, the beginning of the text, and the call that shows the plan.
-- TUNE.TOP_STATEMENT has all columns, with the text. Decimals are made of whole numbers: Db2 truncates a DOUBLE.
SELECT
    T.RUN_ID,
    CAST(T.TIME_PLACE AS INTEGER) AS PLACE,
    CAST(CAST(ROUND(10 * LEAST(T.TIME_PCT, 9999), 0) AS BIGINT) * 0.1 AS DECIMAL(5, 1)) AS TIME_PCT,
    CAST(CAST(ROUND(10 * LEAST(T.CPU_PCT, 9999), 0) AS BIGINT) * 0.1 AS DECIMAL(5, 1)) AS PROCESSOR_PCT,
    T.EXECUTIONS,
    CAST(CAST(ROUND(100 * LEAST(T.MS_PER_EXECUTION, 9E12), 0) AS BIGINT) * 0.01 AS DECIMAL(15, 2)) AS MS_PER_EXECUTION,
    CAST(CAST(ROUND(LEAST(T.ROWS_PER_EXECUTION, 9E17), 0) AS BIGINT) AS DECIMAL(18, 0))
        AS ROWS_READ_PER_EXECUTION,
    CAST(CAST(ROUND(10 * LEAST(T.ROWS_PER_ROW, 9E16), 0) AS BIGINT) * 0.1 AS DECIMAL(18, 1)) AS ROWS_READ_PER_ROW_USED,
    T.READS AS PAGES_READ,
    T.SPILLS,
    CAST(T.SHORT_TEXT AS VARCHAR(200)) AS STATEMENT_TEXT,
    T.TABLE_NAMES,
    T.SEE_PLAN,
    T.STATEMENT
FROM TUNE.M_TOP_STATEMENT AS T
