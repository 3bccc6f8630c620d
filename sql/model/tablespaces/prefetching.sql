-- The prefetching of every table space, one row over all members: the columns of TABLESPACE and more.
--
-- DISKS: disks that Db2 assumes for each container (DB2_PARALLEL_IO, otherwise 1)
-- NAMED: 1 if the variable names the table space or all
-- LATE_READS: pages that agents read themselves because a requested prefetch came later
-- UNREAD_READS: prefetched pages that left the pool unread
-- USED_READS: prefetched pages that were read
-- CROWDED: 1 if agents spend more time on their own reads than on waits for prefetchers: their reads would queue behind
--   longer requests
-- RANDOM_MS: time of a page that an agent reads itself, milliseconds
-- WHOLE_SIZE: prefetch size that reads all disks at once, pages, as AUTOMATIC does
-- PARALLEL_READS: reads of one prefetch
WITH LIST AS (
    SELECT CAST(',' || REPLACE(REPLACE(UPPER(VALUE), ' ', ''), 'ON', '*') || ',' AS VARCHAR(300)) AS ENTRIES
    FROM TUNE.PARALLEL_IO
    WHERE VALUE IS NOT NULL
),
PLACED AS (
    SELECT
        L.ENTRIES,
        CHARACTERS.PLACE + 1 AS FIRST_PLACE,
        LEAD(CHARACTERS.PLACE) OVER (ORDER BY CHARACTERS.PLACE) AS END_PLACE
    FROM LIST AS L
    INNER JOIN TUNE.CHARACTER_PLACE AS CHARACTERS ON SUBSTR(L.ENTRIES, CHARACTERS.PLACE, 1) = ','
),
ENTRY AS (
    SELECT
        CAST(SUBSTR(ENTRIES, FIRST_PLACE, COALESCE(END_PLACE, FIRST_PLACE) - FIRST_PLACE) AS VARCHAR(300)) AS ENTRY
    FROM PLACED
    WHERE END_PLACE > FIRST_PLACE
),
PARALLEL_DISK AS (
    -- The entries of DB2_PARALLEL_IO in force, one row for each; commas separate them. TBSP is the number of a table
    -- space, or * for all without an entry of their own. DISKS is the number of disks that Db2 assumes for each
    -- container: 6 if the entry names none, and NULL if it cannot be read.
    SELECT
        CASE
            WHEN ENTRY LIKE '%:_' THEN SUBSTR(ENTRY, 1, LENGTH(ENTRY) - 2)
            WHEN ENTRY LIKE '%:__' THEN SUBSTR(ENTRY, 1, LENGTH(ENTRY) - 3)
            ELSE ENTRY
        END AS TBSP,
        CASE
            WHEN ENTRY LIKE '%:_' AND SUBSTR(ENTRY, LENGTH(ENTRY)) BETWEEN '1' AND '9'
                THEN CAST(SUBSTR(ENTRY, LENGTH(ENTRY)) AS INTEGER)
            WHEN
                ENTRY LIKE '%:__' AND SUBSTR(ENTRY, LENGTH(ENTRY) - 1, 1) BETWEEN '1' AND '9'
                AND SUBSTR(ENTRY, LENGTH(ENTRY)) BETWEEN '0' AND '9'
                THEN CAST(SUBSTR(ENTRY, LENGTH(ENTRY) - 1, 2) AS INTEGER)
            WHEN ENTRY NOT LIKE '%:%' THEN 6
        END AS DISKS
    FROM ENTRY
),
LATE AS (
    SELECT
        TBSP_NAME,
        SUM(
            COALESCE(SKIPPED_PREFETCH_UOW_DATA_P_READS, 0) + COALESCE(SKIPPED_PREFETCH_UOW_INDEX_P_READS, 0)
            + COALESCE(SKIPPED_PREFETCH_UOW_XDA_P_READS, 0) + COALESCE(SKIPPED_PREFETCH_UOW_COL_P_READS, 0)
        ) AS LATE_READS
    FROM TUNE.D_TABLESPACE
    GROUP BY TBSP_NAME
),
AGENTS AS (
    SELECT SUM(SHARE_PCT) AS READ_PCT, SUM(PREFETCH_WAIT_PCT) AS WAIT_PCT
    FROM TUNE.TABLESPACE
    WHERE TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
),
READ_AHEAD AS (
    SELECT
        SPACE.*,
        CASE
            WHEN N.TBSP IS NOT NULL THEN N.DISKS
            WHEN A.TBSP IS NOT NULL THEN A.DISKS
            ELSE 1
        END AS DISKS,
        CASE WHEN N.TBSP IS NULL AND A.TBSP IS NULL THEN 0 ELSE 1 END AS NAMED,
        COALESCE(L.LATE_READS, 0) AS LATE_READS,
        LEAST(COALESCE(SPACE.ASYNC_READS, 0), COALESCE(SPACE.UNREAD_PREFETCH_PAGES, 0)) AS UNREAD_READS
    FROM TUNE.TABLESPACE AS SPACE
    LEFT JOIN PARALLEL_DISK AS N ON CAST(SPACE.TBSP_ID AS VARCHAR(20)) = N.TBSP
    LEFT JOIN PARALLEL_DISK AS A ON A.TBSP = '*'
    LEFT JOIN LATE AS L ON SPACE.TBSP_NAME = L.TBSP_NAME
)
SELECT
    S.*,
    S.ASYNC_READS - S.UNREAD_READS AS USED_READS,
    CAST(S.UNREAD_READS AS DOUBLE) / NULLIF(S.ASYNC_READS, 0) AS UNREAD_PART,
    CASE WHEN A.READ_PCT > A.WAIT_PCT THEN 1 ELSE 0 END AS CROWDED,
    COALESCE(S.READ_MS, S.WAIT_MS) AS RANDOM_MS,
    CAST(S.ASYNC_READS AS DOUBLE) / NULLIF(S.ASYNC_READ_REQS, 0) AS PAGES_PER_REQUEST,
    S.TBSP_EXTENT_SIZE * S.CONTAINERS * S.DISKS AS WHOLE_SIZE,
    CASE
        WHEN S.NAMED = 1 AND S.PREFETCHSIZE > 0
            THEN GREATEST(1, FLOOR(S.PREFETCHSIZE / CAST(NULLIF(S.TBSP_EXTENT_SIZE, 0) AS DOUBLE)))
        ELSE S.CONTAINERS * S.DISKS
    END AS PARALLEL_READS
FROM READ_AHEAD AS S
CROSS JOIN AGENTS AS A
