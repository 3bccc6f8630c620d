-- Changed settings between runs, and what they changed.

-- name: change_span
-- The two snapshots between which this session's run looks for changed settings: the end of the previous run on the
-- same database, or for the first run the begin of its interval, and the end of this run. So each change between two
-- runs is entered exactly once.
SELECT COALESCE(MAX(P.SNAP_ID), MAX(R.BEGIN_ID), MAX(R.QUIET_ID)) AS PREVIOUS_ID, R.END_ID
FROM TUNE.RUN AS R
INNER JOIN TUNE.SNAPSHOT AS E ON R.END_ID = E.SNAP_ID
LEFT JOIN TUNE.RUN AS B ON R.RUN_ID > B.RUN_ID AND R.END_ID > B.END_ID AND B.FINISHED_AT IS NOT NULL
LEFT JOIN TUNE.SNAPSHOT AS P
    ON B.END_ID = P.SNAP_ID AND E.INSTANCE_NAME = P.INSTANCE_NAME AND E.DB_NAME = P.DB_NAME
WHERE R.RUN_ID = COALESCE(TUNE.THIS_RUN, (SELECT MAX(X.RUN_ID) FROM TUNE.RUN AS X)) -- noqa: RF01
GROUP BY R.END_ID

-- name: change_ledger
-- The change ledger for people: each change with the time when it was detected (UTC) and, if an earlier run advised it,
-- the rule and the last run that did.
WITH ENTRY AS (
    SELECT
        C.*,
        CASE C.SCOPE
            WHEN 'DB' THEN 'DBCFG:' || UPPER(C.NAME)
            WHEN 'DBM' THEN 'DBMCFG:' || UPPER(C.NAME)
            WHEN 'REG' THEN 'REGISTRY:' || C.NAME
            ELSE C.NAME
        END AS TARGET
    FROM TUNE.CHANGE AS C
),
ADVISED AS (
    SELECT R.RUN_ID, R.END_ID, F.RULE, F.TARGET, F.PROPOSED_VALUE
    FROM TUNE.RUN AS R
    INNER JOIN TUNE.M_ADVICE AS A ON R.RUN_ID = A.RUN_ID
    INNER JOIN TUNE.M_FINDING AS F
        ON
            A.RUN_ID = F.RUN_ID AND A.RULE = F.RULE AND A.OBJECT_TYPE = F.OBJECT_TYPE
            AND A.OBJECT_NAME = F.OBJECT_NAME
    WHERE A.POSITION IS NOT NULL
)
SELECT
    E.SNAP_ID,
    S.TAKEN_AT,
    E.SCOPE,
    E.MEMBER,
    E.NAME,
    E.OLD_VALUE,
    E.NEW_VALUE,
    MIN(A.RULE) AS CARRIES_OUT,
    MAX(A.RUN_ID) AS ADVISED_IN_RUN
FROM ENTRY AS E
LEFT JOIN TUNE.SNAPSHOT AS S ON E.SNAP_ID = S.SNAP_ID
LEFT JOIN ADVISED AS A
    ON
        A.TARGET IN (E.TARGET, E.TARGET || ':' || CAST(E.MEMBER AS VARCHAR(11)))
        AND E.NEW_VALUE = A.PROPOSED_VALUE
        AND E.SNAP_ID > A.END_ID
GROUP BY E.SNAP_ID, S.TAKEN_AT, E.SCOPE, E.MEMBER, E.NAME, E.OLD_VALUE, E.NEW_VALUE

-- name: comparison
-- Two runs metric by metric, each with the kept runs that are like it: before the change those since the previous
-- change, after it those up to the next one. Alike are runs with 0.67 to 1.5 times the load, a hundred activities,
-- within an hour of the same time of day (UTC), and of the same kind of day, but no runs that judged the time since
-- activation instead of a quiet interval. The difference is the difference of the means of logarithms. Its bounds use
-- the spread of each side by itself (Welch), with the quantile of Student's t for the number of runs of the smaller
-- side. Neighbours are taken to correlate by 0.3, which makes the error 1.36 times as large; the error of a run is at
-- least half a percent. The bounds are those of 95 percent; those of the four guards hold together. A side with fewer
-- than three runs has no bounds, as NOTE says. Values are geometric means. Shares are converted to decimals from whole
-- numbers, because Db2 truncates a DOUBLE. A value beyond any type (a thousandfold of next to nothing) is cut at the
-- maximum; no line is wider than a terminal.
WITH ENDED AS (
    SELECT
        R.RUN_ID,
        R.END_ID,
        CASE WHEN R.QUIET_ID IS NULL THEN 0 ELSE 1 END AS QUIET,
        S.INSTANCE_NAME,
        S.DB_NAME,
        S.EPOCH_S,
        CASE WHEN MOD(DAYS(S.TAKEN_AT), 7) IN (0, 6) THEN 1 ELSE 0 END AS WEEKEND,
        MAX(CASE WHEN M.LOW_IS_GOOD = 0 THEN M.VALUE END) AS LOAD_PER_S,
        MAX(CASE WHEN M.METRIC = 'database time per activity' THEN M.EVENTS END) AS ACTIVITIES
    FROM TUNE.RUN AS R
    INNER JOIN TUNE.SNAPSHOT AS S ON R.END_ID = S.SNAP_ID
    INNER JOIN TUNE.M_METRIC AS M ON R.RUN_ID = M.RUN_ID
    WHERE R.FINISHED_AT IS NOT NULL
    GROUP BY R.RUN_ID, R.END_ID, R.QUIET_ID, S.INSTANCE_NAME, S.DB_NAME, S.EPOCH_S, S.TAKEN_AT
),
PAIR AS (
    SELECT
        B.RUN_ID AS RUN_BEFORE,
        A.RUN_ID AS RUN_AFTER,
        B.END_ID AS BEFORE_ID,
        A.END_ID AS AFTER_ID,
        B.INSTANCE_NAME,
        B.DB_NAME,
        B.EPOCH_S,
        B.WEEKEND,
        B.LOAD_PER_S,
        CASE
            WHEN A.QUIET = 1 OR B.QUIET = 1 THEN 'load'
            WHEN A.LOAD_PER_S / NULLIF(B.LOAD_PER_S, 0) NOT BETWEEN 0.67 AND 1.5 THEN 'load'
            WHEN
                A.WEEKEND <> B.WEEKEND
                OR MOD(CAST(ABS(A.EPOCH_S - B.EPOCH_S) AS BIGINT), 86400) BETWEEN 3601 AND 82799
                THEN 'hour'
        END AS UNLIKE
    FROM ENDED AS B
    INNER JOIN ENDED AS A ON B.INSTANCE_NAME = A.INSTANCE_NAME AND B.DB_NAME = A.DB_NAME
),
SPAN AS (
    SELECT
        P.RUN_BEFORE,
        P.RUN_AFTER,
        MAX(CASE WHEN C.SNAP_ID <= P.BEFORE_ID THEN C.SNAP_ID ELSE 0 END) AS SINCE_ID,
        MIN(CASE WHEN C.SNAP_ID > P.AFTER_ID THEN C.SNAP_ID ELSE 2147483647 END) AS UNTIL_ID
    FROM PAIR AS P
    LEFT JOIN TUNE.CHANGE AS C ON P.BEFORE_ID >= C.SNAP_ID OR P.AFTER_ID < C.SNAP_ID
    GROUP BY P.RUN_BEFORE, P.RUN_AFTER
),
SIDED AS (
    SELECT
        P.RUN_BEFORE,
        P.RUN_AFTER,
        E.RUN_ID,
        CASE WHEN E.END_ID <= P.BEFORE_ID THEN 0 ELSE 1 END AS IS_AFTER
    FROM PAIR AS P
    INNER JOIN SPAN AS S ON P.RUN_BEFORE = S.RUN_BEFORE AND P.RUN_AFTER = S.RUN_AFTER
    INNER JOIN ENDED AS E ON P.INSTANCE_NAME = E.INSTANCE_NAME AND P.DB_NAME = E.DB_NAME
    WHERE
        P.BEFORE_ID < P.AFTER_ID
        AND (
            E.RUN_ID IN (P.RUN_BEFORE, P.RUN_AFTER)
            OR (
                (
                    (E.END_ID >= S.SINCE_ID AND E.END_ID < P.BEFORE_ID)
                    OR (E.END_ID > P.AFTER_ID AND E.END_ID < S.UNTIL_ID)
                )
                AND P.WEEKEND = E.WEEKEND
                AND MOD(CAST(ABS(E.EPOCH_S - P.EPOCH_S) AS BIGINT), 86400) NOT BETWEEN 3601 AND 82799
                AND E.QUIET = 0 AND E.ACTIVITIES >= 100
                AND E.LOAD_PER_S BETWEEN 0.67 * P.LOAD_PER_S AND 1.5 * P.LOAD_PER_S
            )
        )
),
LOGARITHM AS (
    SELECT
        S.RUN_BEFORE,
        S.RUN_AFTER,
        M.METRIC,
        M.UNIT,
        M.GUARD,
        M.TOO_LITTLE,
        S.IS_AFTER,
        CASE WHEN M.VALUE + M.TOO_LITTLE > 0 THEN LN(CAST(M.VALUE + M.TOO_LITTLE AS DOUBLE)) END AS LOG_VALUE
    FROM SIDED AS S
    INNER JOIN TUNE.M_METRIC AS M ON S.RUN_ID = M.RUN_ID
),
SIDE AS (
    SELECT
        RUN_BEFORE,
        RUN_AFTER,
        METRIC,
        UNIT,
        GUARD,
        TOO_LITTLE,
        IS_AFTER,
        COUNT(LOG_VALUE) AS RUNS,
        AVG(LOG_VALUE) AS MEAN,
        GREATEST(
            0.000025,
            (SUM(LOG_VALUE * LOG_VALUE) - SUM(LOG_VALUE) * AVG(LOG_VALUE)) / NULLIF(COUNT(LOG_VALUE) - 1, 0)
        ) / NULLIF(COUNT(LOG_VALUE), 0) AS SQUARE_OF_MEAN
    FROM LOGARITHM
    GROUP BY RUN_BEFORE, RUN_AFTER, METRIC, UNIT, GUARD, TOO_LITTLE, IS_AFTER
),
MOVED AS (
    SELECT
        B.RUN_BEFORE,
        B.RUN_AFTER,
        B.METRIC,
        B.UNIT,
        EXP(B.MEAN) - B.TOO_LITTLE AS VALUE_BEFORE,
        EXP(A.MEAN) - A.TOO_LITTLE AS VALUE_AFTER,
        B.RUNS AS RUNS_BEFORE,
        A.RUNS AS RUNS_AFTER,
        A.MEAN - B.MEAN AS MOVE,
        CASE
            WHEN LEAST(B.RUNS, A.RUNS) < 3 THEN NULL
            ELSE 1.36 * SQRT(B.SQUARE_OF_MEAN + A.SQUARE_OF_MEAN)
            * CASE
                WHEN B.GUARD = 1 THEN
                    CASE LEAST(B.RUNS, A.RUNS)
                        WHEN 3 THEN 8.86 WHEN 4 THEN 5.39 WHEN 5 THEN 4.31 WHEN 6 THEN 3.81 WHEN 7 THEN 3.52
                        WHEN 8 THEN 3.34 ELSE 3.21
                    END
                ELSE
                    CASE LEAST(B.RUNS, A.RUNS)
                        WHEN 3 THEN 4.30 WHEN 4 THEN 3.18 WHEN 5 THEN 2.78 WHEN 6 THEN 2.57 WHEN 7 THEN 2.45
                        WHEN 8 THEN 2.36 ELSE 2.31
                    END
            END
        END AS HALF_WIDTH
    FROM SIDE AS B
    INNER JOIN SIDE AS A ON B.RUN_BEFORE = A.RUN_BEFORE AND B.RUN_AFTER = A.RUN_AFTER AND B.METRIC = A.METRIC
    WHERE B.IS_AFTER = 0 AND A.IS_AFTER = 1
)
SELECT
    M.RUN_BEFORE,
    M.RUN_AFTER,
    M.METRIC,
    M.UNIT,
    CAST(CAST(ROUND(1000 * LEAST(M.VALUE_BEFORE, 9E6), 0) AS BIGINT) * 0.001 AS DECIMAL(10, 3)) AS VALUE_BEFORE,
    CAST(CAST(ROUND(1000 * LEAST(M.VALUE_AFTER, 9E6), 0) AS BIGINT) * 0.001 AS DECIMAL(10, 3)) AS VALUE_AFTER,
    CAST(
        CAST(ROUND(10 * LEAST(100 * (EXP(LEAST(M.MOVE, 20)) - 1), 9E5), 0) AS BIGINT) * 0.1 AS DECIMAL(7, 1)
    ) AS CHANGE_PCT,
    CAST(
        CAST(ROUND(10 * LEAST(100 * (EXP(LEAST(M.MOVE - M.HALF_WIDTH, 20)) - 1), 9E5), 0) AS BIGINT) * 0.1
        AS DECIMAL(7, 1)
    ) AS LOW_PCT,
    CAST(
        CAST(ROUND(10 * LEAST(100 * (EXP(LEAST(M.MOVE + M.HALF_WIDTH, 20)) - 1), 9E5), 0) AS BIGINT) * 0.1
        AS DECIMAL(7, 1)
    ) AS HIGH_PCT,
    M.RUNS_BEFORE,
    M.RUNS_AFTER,
    CAST(CASE
        WHEN M.MOVE IS NULL THEN 'not measured'
        WHEN P.UNLIKE IS NOT NULL THEN 'not comparable: ' || P.UNLIKE
        WHEN M.HALF_WIDTH IS NULL THEN 'too few runs'
    END AS VARCHAR(20)) AS NOTE
FROM MOVED AS M
INNER JOIN PAIR AS P ON M.RUN_BEFORE = P.RUN_BEFORE AND M.RUN_AFTER = P.RUN_AFTER
