-- rule:      log.commit-pattern
-- title:     Too many small transactions, or grouped commits
-- area:      log
-- lane:      P
-- effect:    ON
-- applies:   workload=oltp,mixed,bi
-- evidence:  config
-- claims:    LOG_DISK
-- needs:     workload.TOTAL_APP_COMMITS, workload.ROWS_MODIFIED, workload.LOG_DISK_WAIT_TIME,
--            transaction_log.LOG_WRITE_TIME, dbcfg.VALUE
-- threshold: min_log_pct = 10 -- [prop] below 10 % of database time a change of applications does not pay
-- threshold: max_rows = 2 -- [prop] rows changed per commit: a loop that commits row by row
-- threshold: min_commit_part = 0.2 -- [prop] a workload with fewer of the commits is not the cause
-- threshold: flash_ms = 1 -- [prop] slower flash is the cause itself, see log.disk-latency-high
-- threshold: array_ms = 3 -- [prop] a slower array is the cause itself
-- threshold: disk_ms = 8 -- [prop] a slower disk is the cause itself
-- source:    001_518820f6be7b57c0.txt, "Avoid many small database requests"; 002_e991ec30bbd9209f.txt, MINCOMMIT 1;
--            IBM documentation of mincommit (r0000244)
-- why:       Each commit waits for a write of the log. Where the writes are as fast as the device allows,
--            only fewer of them help. MINCOMMIT above 1 holds commits back for up to a second.
-- not-if:    Writes are slow for the medium; MINCOMMIT is 1 or about to be.
-- note:      The application is a WLM workload, the only grouping that is collected; with the default workload
--            alone the advice is for all applications together. Which transactions must stay single is for the
--            application to say. MINCOMMIT is deprecated from 10.1, and ignored on AIX.
WITH SPLIT AS (
    SELECT
        WORKLOAD_NAME,
        SUM(COALESCE(TOTAL_APP_COMMITS, 0)) AS COMMITS,
        SUM(COALESCE(ROWS_MODIFIED, 0)) AS CHANGED,
        SUM(COALESCE(LOG_DISK_WAIT_TIME, 0)) AS WAIT_MS
    FROM TUNE.D_WORKLOAD
    GROUP BY WORKLOAD_NAME
),
SLOW AS (
    SELECT COUNT(*) AS MEMBERS
    FROM TUNE.LOG AS G
    CROSS JOIN TUNE.O_LOG_COMMIT_PATTERN AS O
    WHERE
        G.MS_PER_WRITE
        > CASE G.MEDIUM WHEN 'flash' THEN O.FLASH_MS WHEN 'array' THEN O.ARRAY_MS ELSE O.DISK_MS END
),
SMALL AS (
    SELECT
        S.*,
        100 * CAST(S.WAIT_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0) AS WAIT_PCT,
        T.LOG_DISK_PCT,
        ROW_NUMBER() OVER (ORDER BY S.WAIT_MS DESC, S.WORKLOAD_NAME) AS N
    FROM SPLIT AS S
    CROSS JOIN SLOW
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.O_SITE AS I
    CROSS JOIN TUNE.O_LOG_COMMIT_PATTERN AS O
    WHERE
        W.USABLE = 1 AND T.ACTIVE_SESSIONS >= I.IDLE_SESSIONS
        AND T.LOG_DISK_PCT >= O.MIN_LOG_PCT
        AND SLOW.MEMBERS = 0
        AND S.COMMITS >= O.MIN_COMMIT_PART * T.TOTAL_APP_COMMITS
        AND S.CHANGED > 0 AND S.CHANGED <= O.MAX_ROWS * S.COMMITS
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    D.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    S.WAIT_PCT AS CLAIMED_PCT,
    CAST(0.2 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.5 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.8 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    CAST(NULL AS VARCHAR(400)) AS TARGET,
    CAST(CAST(ROUND(S.CHANGED / CAST(NULLIF(S.COMMITS, 0) AS DOUBLE), 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        AS CURRENT_VALUE,
    '100 to 1000' AS PROPOSED_VALUE,
    'rows per commit' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    '-- in the applications of workload "' || REPLACE(S.WORKLOAD_NAME, '"', '""')
    || '": commit every 100 to 1000 rows where rows are changed in a loop' AS ACTION_TEXT,
    '-- commit as often as before' AS UNDO_TEXT,
    'workload=' || S.WORKLOAD_NAME
    || '; TOTAL_APP_COMMITS=' || CAST(S.COMMITS AS VARCHAR(20))
    || '; ROWS_MODIFIED=' || CAST(S.CHANGED AS VARCHAR(20))
    || '; LOG_DISK_WAIT_TIME_pct=' || CAST(CAST(ROUND(S.WAIT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'Workload ' || S.WORKLOAD_NAME || ' changes '
    || CAST(CAST(ROUND(S.CHANGED / CAST(NULLIF(S.COMMITS, 0) AS DOUBLE), 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || ' rows per commit and waits for the log for '
    || CAST(CAST(ROUND(S.WAIT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || ' % of database time, although the device is fast.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM SMALL AS S
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE S.N = 1
UNION ALL
SELECT
    'DATABASE',
    D.DB_NAME,
    CAST(NULL AS SMALLINT),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0.3 AS DOUBLE),
    'DBCFG:MINCOMMIT',
    CAST(M.MINCOMMIT AS VARCHAR(20)),
    '1',
    'commits',
    CAST(0 AS BIGINT),
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING MINCOMMIT 1',
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING MINCOMMIT ' || CAST(M.MINCOMMIT AS VARCHAR(20)),
    'MINCOMMIT=' || CAST(M.MINCOMMIT AS VARCHAR(20)),
    'MINCOMMIT ' || CAST(M.MINCOMMIT AS VARCHAR(20))
    || ' holds commits back to write them together, for up to a second.',
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE)
FROM (
    SELECT
        MIN(NUM) AS MINCOMMIT,
        MAX(NUM) AS MAX_MINCOMMIT,
        MAX(PENDING) AS PENDING
    FROM TUNE.CONFIG
    WHERE SCOPE = 'DB' AND NAME = 'mincommit'
) AS M
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE M.MINCOMMIT > 1 AND M.MAX_MINCOMMIT = M.MINCOMMIT AND M.PENDING = 0
