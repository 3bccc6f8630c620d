-- The prefetchers of the database, one row. The parts refer to the prefetchers of the member on which they are busiest;
-- they are NULL if times are not measured.
--
-- PREFETCHERS: number that NUM_IOSERVERS allows on a member, the least of them
-- AUTOMATIC: 1 if Db2 sets it
-- PENDING: 1 if another value is pending
-- DIFFERS: 1 if members differ
-- PARALLEL_READS: reads of the largest prefetch
-- ENOUGH: number that Db2 would start: one for each of PARALLEL_READS or for each hardware thread of the member's part
--   of the host, at least 12; before 10.5 without the threads, at least 3
-- BUSIEST_MEMBER: the member on which most of them read, or most agents wait for one; NULL with one member
-- READING: average number of its prefetchers that read
-- WAITING: average number of agents that wait there for a prefetcher
-- WAITS: waits of agents
-- WAIT_MS: time of such a wait, milliseconds
WITH NEED AS (
    SELECT MAX(PARALLEL_READS) AS PARALLEL_READS
    FROM TUNE.PREFETCHING
    WHERE ASYNC_READS > 0
),
READ_BY AS (
    SELECT PAGEREADS.MEMBER, SUM(PAGEREADS.ASYNC_READ_MS) AS ASYNC_READ_MS
    FROM TUNE.TABLESPACE_READS AS PAGEREADS
    INNER JOIN TUNE.TABLESPACE AS SPACE ON PAGEREADS.TBSP_NAME = SPACE.TBSP_NAME
    GROUP BY PAGEREADS.MEMBER
),
USED AS (
    SELECT
        SPENT.MEMBER,
        CONFIG.NUM AS PREFETCHERS,
        CASE
            WHEN R.ASYNC_READ_MS > 0
                THEN CAST(R.ASYNC_READ_MS AS DOUBLE) / NULLIF(1000 * DBTIME.SECONDS, 0)
        END AS READING,
        CAST(SPENT.PREFETCH_WAIT_TIME AS DOUBLE) / NULLIF(1000 * DBTIME.SECONDS, 0) AS WAITING
    FROM TUNE.MEMBER_TIME AS SPENT
    CROSS JOIN TUNE.DATABASE_TIME AS DBTIME
    INNER JOIN TUNE.CONFIG AS CONFIG
        ON SPENT.MEMBER = CONFIG.MEMBER AND CONFIG.SCOPE = 'DB' AND CONFIG.NAME = 'num_ioservers'
    LEFT JOIN READ_BY AS R ON SPENT.MEMBER = R.MEMBER
),
BUSIEST AS (
    -- a mean over the members would hide one whose prefetchers never rest
    SELECT
        USED.*,
        COUNT(*) OVER () AS MEMBERS,
        ROW_NUMBER() OVER (
            ORDER BY
                GREATEST(COALESCE(READING, 0), COALESCE(WAITING, 0)) / CAST(NULLIF(PREFETCHERS, 0) AS DOUBLE) DESC
                NULLS LAST,
                MEMBER
        ) AS PLACE
    FROM USED
),
THREADS AS (
    SELECT
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
        B.READING,
        B.WAITING,
        CASE WHEN B.MEMBERS > 1 THEN B.MEMBER END AS BUSIEST_MEMBER,
        COALESCE(B.PREFETCHERS, SETTING.NUM) AS MEMBER_PREFETCHERS,
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
    LEFT JOIN BUSIEST AS B ON B.PLACE = 1
    CROSS JOIN THREADS AS H
    CROSS JOIN TUNE.DATABASE_TIME AS DBTIME
    CROSS JOIN TUNE.RUN_DATABASE AS DB
    WHERE SETTING.SCOPE = 'DB' AND SETTING.NAME = 'num_ioservers'
)
SELECT
    C.*,
    CAST(C.READING AS DOUBLE) / NULLIF(C.MEMBER_PREFETCHERS, 0) AS READING_PART,
    CAST(C.WAITING AS DOUBLE) / NULLIF(C.MEMBER_PREFETCHERS, 0) AS WAITING_PART
FROM COUNTED AS C
