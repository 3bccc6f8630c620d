-- Notes to the list: its meaning, the interval, the workload, the rules that could not run and why, and questions.
SELECT
    0 AS NOTE_ORDER,
    'result' AS TOPIC,
    S.STATE AS SUBJECT,
    S.SAYS AS NOTE_TEXT
FROM TUNE.SILENCE AS S
UNION ALL
SELECT
    1 AS NOTE_ORDER,
    'interval' AS TOPIC,
    CASE WHEN W.SOURCE = 'DELTA' THEN 'between two snapshots' ELSE 'since activation' END AS SUBJECT,
    COALESCE(W.REASON, CAST(CAST(ROUND(W.SECONDS, 0) AS BIGINT) AS VARCHAR(20)) || ' s') AS NOTE_TEXT
FROM TUNE.RUN_WINDOW AS W
UNION ALL
SELECT
    2 AS NOTE_ORDER,
    'workload' AS TOPIC,
    C.CLASS AS SUBJECT,
    'transactions ' || CAST(CAST(ROUND(100 * C.P_OLTP, 0) AS BIGINT) AS VARCHAR(20))
    || ' %, analysis ' || CAST(CAST(ROUND(100 * C.P_BI, 0) AS BIGINT) AS VARCHAR(20)) || ' %'
    || CASE WHEN C.WINDOWS_DISAGREE = 1 THEN '; parts of the interval disagree' ELSE '' END AS NOTE_TEXT
FROM TUNE.WORKLOAD_CLASS AS C
UNION ALL
SELECT DISTINCT
    3 AS NOTE_ORDER,
    'could not run' AS TOPIC,
    N.RULE AS SUBJECT,
    N.REASON AS NOTE_TEXT
FROM TUNE.NOT_RUN AS N
UNION ALL
SELECT
    4 AS NOTE_ORDER,
    'question' AS TOPIC,
    Q.RULE AS SUBJECT,
    Q.QUESTION AS NOTE_TEXT
FROM TUNE.QUESTION AS Q
