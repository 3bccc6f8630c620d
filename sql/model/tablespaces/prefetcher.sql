-- The prefetchers of the database, one row. The parts refer to all prefetchers; they are NULL if times are not
-- measured.
--
-- PREFETCHERS: number that NUM_IOSERVERS allows on a member, the least of them
-- AUTOMATIC: 1 if Db2 sets it
-- PENDING: 1 if another value is pending
-- DIFFERS: 1 if members differ
-- PARALLEL_READS: reads of the largest prefetch
-- ENOUGH: number that Db2 would start: one for each of PARALLEL_READS or for each hardware thread of the member's part
--   of the host, at least 12; before 10.5 without the threads, at least 3
-- READING: average number of all members' prefetchers that read
-- WAITING: average number of agents that wait for a prefetcher
-- WAITS: waits of agents
-- WAIT_MS: time of such a wait, milliseconds
WITH NEED AS (
    SELECT MAX(PARALLEL_READS) AS PARALLEL_READS
    FROM TUNE.PREFETCHING
    WHERE ASYNC_READS > 0
),
READ_BY AS (
    SELECT SUM(ASYNC_READ_MS) AS ASYNC_READ_MS
    FROM TUNE.TABLESPACE
),
THREADS AS (
    SELECT
        COUNT(*) AS MEMBER_COUNT,
        MIN(FLOOR(CPU_ONLINE / CAST(NULLIF(MEMBERS, 0) AS DOUBLE))) AS THREADS
    FROM TUNE.HOST
),
COUNTED AS (
    SELECT
        SETTING.NUM AS PREFETCHERS,
        SETTING.AUTOMATIC,
        SETTING.PENDING,
        SETTING.DIFFERS,
        N.PARALLEL_READS,
        GREATEST(
            COALESCE(N.PARALLEL_READS, 1),
            CASE WHEN DB.DB2_LEVEL >= 10050000 THEN GREATEST(12, COALESCE(H.THREADS, 1)) ELSE 3 END
        ) AS ENOUGH,
        CASE
            WHEN R.ASYNC_READ_MS > 0
                THEN CAST(R.ASYNC_READ_MS AS DOUBLE) / NULLIF(1000 * DBTIME.SECONDS, 0)
        END AS READING,
        CAST(DBTIME.PREFETCH_WAIT_TIME AS DOUBLE) / NULLIF(1000 * DBTIME.SECONDS, 0) AS WAITING,
        GREATEST(1, COALESCE(H.MEMBER_COUNT, 1)) * SETTING.NUM AS ALL_PREFETCHERS,
        DBTIME.PREFETCH_WAIT_PCT,
        CASE WHEN DBTIME.PREFETCH_WAITS > 0 THEN DBTIME.PREFETCH_WAITS ELSE DBTIME.PREFETCH_WAIT_TIME END AS WAITS,
        CASE
            WHEN
                DBTIME.PREFETCH_WAITS > 0
                THEN CAST(DBTIME.PREFETCH_WAIT_TIME AS DOUBLE) / NULLIF(DBTIME.PREFETCH_WAITS, 0)
            ELSE 1
        END AS WAIT_MS
    FROM TUNE.SETTING AS SETTING
    CROSS JOIN NEED AS N
    CROSS JOIN READ_BY AS R
    CROSS JOIN THREADS AS H
    CROSS JOIN TUNE.DATABASE_TIME AS DBTIME
    CROSS JOIN TUNE.RUN_DATABASE AS DB
    WHERE SETTING.SCOPE = 'DB' AND SETTING.NAME = 'num_ioservers'
)
SELECT
    C.*,
    CAST(C.READING AS DOUBLE) / NULLIF(C.ALL_PREFETCHERS, 0) AS READING_PART,
    CAST(C.WAITING AS DOUBLE) / NULLIF(C.ALL_PREFETCHERS, 0) AS WAITING_PART
FROM COUNTED AS C
