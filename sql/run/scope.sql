-- The scope of a run: its database, its two snapshots and what they contain.

-- name: identity
-- The database and the server's clock: the instance, the level as VVRRMMFF, the platform, and whether there are several
-- members and of which kind. TAKEN_AT is UTC, so the change to summer time does not count. A part of the level that is
-- not a number counts as 0. The time zone is hours, minutes and seconds in digits: a database with date_compat would
-- take the number itself for days. pureScale is recognized by the counts of the instance, several members and one
-- partition; the other ways to detect it are documented for pureScale alone. With one member it counts as single, since
-- no other member shares data.
WITH ZONE AS (
    SELECT CAST(CURRENT TIMEZONE AS INTEGER) AS HHMMSS FROM SYSIBM.SYSDUMMY1
),
CLOCK AS (
    SELECT CURRENT TIMESTAMP - (HHMMSS / 10000) HOURS - (MOD(HHMMSS, 10000) / 100) MINUTES AS NOW_UTC FROM ZONE
),
INSTANCE AS (
    SELECT
        I.INST_NAME,
        I.NUM_DBPARTITIONS,
        I.NUM_MEMBERS,
        SUBSTR(I.SERVICE_LEVEL, LOCATE(' v', LOWER(I.SERVICE_LEVEL)) + 2) || '.0.0.0.' AS PARTS
    FROM SYSIBMADM.ENV_INST_INFO AS I
),
DOT1 AS (
    SELECT INSTANCE.*, LOCATE('.', PARTS) AS D1
    FROM INSTANCE
),
DOT2 AS (
    SELECT DOT1.*, LOCATE('.', PARTS, D1 + 1) AS D2
    FROM DOT1
),
DOT3 AS (
    SELECT DOT2.*, LOCATE('.', PARTS, D2 + 1) AS D3
    FROM DOT2
),
DOT4 AS (
    SELECT DOT3.*, LOCATE('.', PARTS, D3 + 1) AS D4
    FROM DOT3
),
TOKEN (FACTOR, SAID) AS (
    SELECT 1000000, SUBSTR(PARTS, 1, D1 - 1) FROM DOT4
    UNION ALL
    SELECT 10000, SUBSTR(PARTS, D1 + 1, D2 - D1 - 1) FROM DOT4
    UNION ALL
    SELECT 100, SUBSTR(PARTS, D2 + 1, D3 - D2 - 1) FROM DOT4
    UNION ALL
    SELECT 1, SUBSTR(PARTS, D3 + 1, D4 - D3 - 1) FROM DOT4
),
VERSION AS (
    SELECT
        CAST(SUM(
            FACTOR * CASE
                WHEN
                    LENGTH(SAID) BETWEEN 1 AND 2
                    AND REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
                        'x' || SAID, '0', ''
                    ), '1', ''), '2', ''), '3', ''), '4', ''), '5', ''), '6', ''), '7', ''), '8', ''), '9', '') = 'x'
                    THEN CAST(SAID AS INTEGER)
                ELSE 0
            END
        ) AS INTEGER) AS DB2_LEVEL
    FROM TOKEN
)
SELECT
    C.NOW_UTC AS TAKEN_AT,
    CAST(DAYS(C.NOW_UTC) - DAYS(DATE('1970-01-01')) AS DOUBLE) * 86400 + MIDNIGHT_SECONDS(C.NOW_UTC)
    + CAST(MICROSECOND(C.NOW_UTC) AS DOUBLE) / 1000000 AS EPOCH_S,
    CAST(RTRIM(CURRENT SERVER) AS VARCHAR(128)) AS DB_NAME,
    S.HOST_NAME,
    L.INST_NAME AS INSTANCE_NAME,
    V.DB2_LEVEL,
    CAST(CASE
        WHEN UPPER(S.OS_NAME) LIKE 'AIX%' THEN 'AIX'
        WHEN UPPER(S.OS_NAME) LIKE 'WIN%' THEN 'Windows'
        WHEN UPPER(S.OS_NAME) LIKE 'HP%' THEN 'HP-UX'
        WHEN UPPER(S.OS_NAME) LIKE 'SUN%' OR UPPER(S.OS_NAME) LIKE 'SOL%' THEN 'Solaris'
        ELSE 'Linux'
    END AS VARCHAR(20)) AS PLATFORM,
    CAST(CASE
        WHEN L.NUM_DBPARTITIONS > 1 THEN 'dpf'
        WHEN L.NUM_MEMBERS > 1 THEN 'purescale'
        ELSE 'single'
    END AS VARCHAR(20)) AS TOPOLOGY
FROM DOT4 AS L
CROSS JOIN VERSION AS V
CROSS JOIN SYSIBMADM.ENV_SYS_INFO AS S
CROSS JOIN CLOCK AS C

-- name: run_snapshot
-- The two snapshots of this session's run: the run that TUNE.THIS_RUN names, otherwise the last one. The day of the end
-- has no time of day, even if DATE is TIMESTAMP(0). QUIET_S is the length of an interval that had too little load.
SELECT
    R.BEGIN_ID,
    R.END_ID,
    B.EPOCH_S AS BEGIN_EPOCH,
    E.EPOCH_S AS END_EPOCH,
    CAST(
        E.TAKEN_AT - MIDNIGHT_SECONDS(E.TAKEN_AT) SECONDS - MICROSECOND(E.TAKEN_AT) MICROSECONDS AS DATE
    ) AS END_DATE,
    E.EPOCH_S - Q.EPOCH_S AS QUIET_S
FROM TUNE.RUN AS R
INNER JOIN TUNE.SNAPSHOT AS E ON R.END_ID = E.SNAP_ID
LEFT JOIN TUNE.SNAPSHOT AS B ON R.BEGIN_ID = B.SNAP_ID
LEFT JOIN TUNE.SNAPSHOT AS Q ON R.QUIET_ID = Q.SNAP_ID
WHERE R.RUN_ID = COALESCE(TUNE.THIS_RUN, (SELECT MAX(X.RUN_ID) FROM TUNE.RUN AS X)) -- noqa: RF01

-- name: run_database
-- The database that the run of this session judged.
SELECT
    E.DB_NAME,
    E.HOST_NAME,
    E.INSTANCE_NAME,
    E.DB2_LEVEL,
    E.PLATFORM,
    E.TOPOLOGY,
    CAST(NULL AS VARCHAR(10)) AS RUNS_ON
FROM TUNE.RUN_SNAPSHOT AS W
INNER JOIN TUNE.SNAPSHOT AS E ON W.END_ID = E.SNAP_ID

-- name: earlier_run
-- The finished runs before this session's: a run deletes their intermediate rows.
SELECT RUN_ID FROM TUNE.RUN WHERE FINISHED_AT IS NOT NULL AND RUN_ID < TUNE.THIS_RUN -- noqa: RF01

-- name: quiet_interval
-- The seconds of the interval if it had too little load to judge and the time since activation did not; otherwise no
-- row. The run then judges the counters since activation. The interval is shorter than a minute, idle, or had less than
-- the option quiet_part of the average active sessions since activation. Since activation there was an hour or more,
-- and enough load. No member was activated or reset in between.
WITH SITE AS (
    SELECT
        MAX(CASE WHEN NAME = 'idle_sessions' THEN CAST(VALUE AS DOUBLE) END) AS IDLE_SESSIONS,
        MAX(CASE WHEN NAME = 'enough_s' THEN CAST(VALUE AS DOUBLE) END) AS ENOUGH_S,
        MAX(CASE WHEN NAME = 'quiet_part' THEN CAST(VALUE AS DOUBLE) END) AS QUIET_PART
    FROM TUNE.OPTION
    WHERE RULE = 'site'
),
LOAD AS (
    SELECT
        WORKLOAD.SNAP_ID,
        WORKLOAD.MEMBER,
        SUM(
            CAST(WORKLOAD.TOTAL_RQST_TIME AS DOUBLE) - COALESCE(WORKLOAD.FCM_RECV_WAIT_TIME, 0)
            - COALESCE(WORKLOAD.FCM_SEND_WAIT_TIME, 0)
        ) AS MS
    FROM TUNE.S_WORKLOAD AS WORKLOAD
    INNER JOIN TUNE.RUN_SNAPSHOT AS RUN ON WORKLOAD.SNAP_ID IN (RUN.BEGIN_ID, RUN.END_ID)
    GROUP BY WORKLOAD.SNAP_ID, WORKLOAD.MEMBER
),
SPAN AS (
    SELECT
        RUN.END_EPOCH - RUN.BEGIN_EPOCH AS SECONDS,
        MIN(E.UPTIME_S) AS UPTIME_S,
        SUM(AT_END.MS) / 1000 AS SINCE_S,
        SUM(AT_END.MS - AT_BEGIN.MS) / 1000 AS WORKED_S,
        SUM(
            CASE WHEN B.DB_CONN_TIME = E.DB_CONN_TIME AND AT_BEGIN.MS BETWEEN 0 AND AT_END.MS THEN 0 ELSE 1 END
        ) AS RESTARTED
    FROM TUNE.RUN_SNAPSHOT AS RUN
    INNER JOIN TUNE.S_DATABASE AS E ON RUN.END_ID = E.SNAP_ID
    LEFT JOIN TUNE.S_DATABASE AS B ON RUN.BEGIN_ID = B.SNAP_ID AND E.MEMBER = B.MEMBER
    LEFT JOIN LOAD AS AT_END ON E.SNAP_ID = AT_END.SNAP_ID AND E.MEMBER = AT_END.MEMBER
    LEFT JOIN LOAD AS AT_BEGIN ON B.SNAP_ID = AT_BEGIN.SNAP_ID AND B.MEMBER = AT_BEGIN.MEMBER
    GROUP BY RUN.BEGIN_EPOCH, RUN.END_EPOCH
)
SELECT SPAN.SECONDS
FROM SPAN
CROSS JOIN SITE
WHERE
    SITE.QUIET_PART > 0 AND SPAN.RESTARTED = 0 AND SPAN.SECONDS > 0 AND SPAN.UPTIME_S >= 3600
    AND SPAN.SINCE_S > SPAN.WORKED_S
    AND (SPAN.SINCE_S >= SITE.IDLE_SESSIONS * SPAN.UPTIME_S OR SPAN.SINCE_S >= SITE.ENOUGH_S)
    AND (
        SPAN.SECONDS < 60
        OR (SPAN.WORKED_S < SITE.IDLE_SESSIONS * SPAN.SECONDS AND SPAN.WORKED_S < SITE.ENOUGH_S)
        OR SPAN.WORKED_S * SPAN.UPTIME_S < SITE.QUIET_PART * SPAN.SINCE_S * SPAN.SECONDS
    )

-- name: not_collected
-- The sources that one of the run's snapshots lacks, with the reason: a source counts only if both snapshots have it.
SELECT S.SOURCE, MIN(S.REASON) AS REASON
FROM TUNE.RUN_SNAPSHOT AS W
INNER JOIN TUNE.SNAPSHOT_SOURCE AS S ON S.SNAP_ID IN (W.BEGIN_ID, W.END_ID)
WHERE S.REASON IS NOT NULL
GROUP BY S.SOURCE

-- name: source_column
-- The declared columns in the run's snapshots: columns of collected sources that this level of Db2 has.
SELECT C.SOURCE, C.COLUMN_NAME
FROM TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.COLLECT_COLUMN AS C
LEFT JOIN TUNE.NOT_COLLECTED AS X ON C.SOURCE = X.SOURCE
LEFT JOIN TUNE.COLUMN_ABSENT AS A
    ON D.DB2_LEVEL = A.DB2_LEVEL AND C.SOURCE = A.SOURCE AND C.COLUMN_NAME = A.COLUMN_NAME
WHERE X.SOURCE IS NULL AND A.SOURCE IS NULL

-- name: omitted_column
-- The columns that a snapshot omits because they contain data of tables: option statement_text of the site is OFF.
SELECT D.SOURCE, D.COLUMN_NAME
FROM TUNE.COLLECT_COLUMN AS D
CROSS JOIN TUNE.OPTION AS O
WHERE
    D.COLUMN_NAME IN ('STMT_TEXT', 'LOW2KEY', 'HIGH2KEY', 'FREQUENT_VALUE', 'DEFINITION')
    AND O.RULE = 'site' AND O.NAME = 'statement_text' AND UPPER(O.VALUE) = 'OFF'
