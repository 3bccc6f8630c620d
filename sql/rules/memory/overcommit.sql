-- rule:      memory.overcommit
-- title:     Host has less memory than it was made to promise
-- area:      memory
-- lane:      S
-- severity:  high
-- effect:    ON
-- applies:   not=managed
-- evidence:  config
-- needs:     system.MEMORY_TOTAL
-- threshold: leave_part = 0.1 -- [seed 002] a tenth of the host's memory stays with the operating system
-- source:    002_e991ec30bbd9209f.txt, "Memory"; 003_ca7f1162fd1d3e57.txt, caution on pages that are pinned and not
--            used; IBM documentation of instance_memory (r0005544) and database_memory (r0006017)
-- why:       A page of a buffer pool that the operating system has swapped out costs more to read than the page of
--            the table on disk. Every area that is given more memory then makes the others slower.
-- not-if:    The limit of a control group or zone counts instead of the host's memory where it is less. Little free
--            memory alone is no sign: the system fills it with page cache, so only what is available counts, and
--            only where the host told it. A setting waits, or members differ: then it is not judged.
-- note:      From when on a host has too little is an option of the site (swap_pages_per_s, promised_pct,
--            available_pct), because nothing that takes memory is advised from there on (TUNE.MEMORY_BUDGET). Swapping
--            has no wait counter, so no database time is claimed: it comes before all performance advice. One
--            interval is judged, so a rate of pages swapped out is asked for, not a single one.
--            INSTANCE_MEMORY AUTOMATIC sets no limit and promises nothing. A limit below what Db2 holds already
--            would make it fail, so there the work is a person's. Other instances on the host are not seen.
WITH ROOM AS (
    SELECT
        P.*,
        O.LEAVE_PART,
        -- one value for all members, so the tightest host decides
        MIN(CAST(FLOOR(
            CAST((1 - O.LEAVE_PART) * P.BOUND_KB AS DOUBLE) / NULLIF(4 * P.MEMBERS, 0)
        ) AS BIGINT)) OVER () AS PAGES,
        CAST(COALESCE(P.COMMITTED_KB, P.BOUND_KB) AS DOUBLE) / NULLIF(P.MEMBERS, 0) AS HELD_KB
    FROM TUNE.MEMORY_PRESSURE AS P
    CROSS JOIN TUNE.O_MEMORY_OVERCOMMIT AS O
),
JUDGED AS (
    SELECT
        R.*,
        CASE
            WHEN R.OVER_PROMISED = 0 OR 4 * R.PAGES < R.HELD_KB OR 4 * R.PAGES < COALESCE(R.POOLS_KB, 0) THEN 'person'
            WHEN R.INSTANCE_KB IS NOT NULL THEN 'INSTANCE_MEMORY'
            WHEN R.DATABASE_KB IS NOT NULL THEN 'DATABASE_MEMORY'
            ELSE 'person'
        END AS REMEDY,
        CASE
            WHEN R.INSTANCE_KB IS NOT NULL THEN 'UPDATE DBM CFG USING INSTANCE_MEMORY '
            ELSE 'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING DATABASE_MEMORY '
        END AS COMMAND,
        CAST(FLOOR(CAST(COALESCE(R.INSTANCE_KB, R.DATABASE_KB) AS DOUBLE) / 4) AS BIGINT) AS OLD_PAGES,
        CAST(CAST(ROUND(CAST(R.BOUND_KB AS DOUBLE) / 1024) AS BIGINT) AS VARCHAR(20)) AS BOUND_MB,
        CAST(CAST(ROUND(CAST(R.PROMISED_KB AS DOUBLE) / 1024) AS BIGINT) AS VARCHAR(20)) AS PROMISED_MB,
        COALESCE(CAST(CAST(ROUND(CAST(R.COMMITTED_KB AS DOUBLE) / 1024) AS BIGINT) AS VARCHAR(20)), 'not known')
            AS COMMITTED_MB,
        COALESCE(CAST(CAST(ROUND(CAST(R.AVAILABLE_KB AS DOUBLE) / 1024) AS BIGINT) AS VARCHAR(20)), 'not known')
            AS AVAILABLE_MB,
        COALESCE(CAST(CAST(ROUND(R.SWAP_OUT_PER_S, 1) AS DECIMAL(15, 1)) AS VARCHAR(20)), 'not known') AS SWAP_RATE
    FROM ROOM AS R
    CROSS JOIN TUNE.RUN_DATABASE AS D
    WHERE R.SWAPS = 1 OR R.FULL_UP = 1 OR R.OVER_PROMISED = 1
)
SELECT
    'HOST' AS OBJECT_TYPE,
    J.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CASE WHEN J.SWAPS = 1 OR J.FULL_UP = 1 THEN CAST(0.6 AS DOUBLE) ELSE CAST(0.3 AS DOUBLE) END AS CONFIDENCE,
    CASE J.REMEDY
        WHEN 'INSTANCE_MEMORY' THEN 'DBMCFG:INSTANCE_MEMORY'
        WHEN 'DATABASE_MEMORY' THEN 'DBCFG:DATABASE_MEMORY'
    END AS TARGET,
    CASE WHEN J.REMEDY = 'person' THEN J.COMMITTED_MB ELSE CAST(J.OLD_PAGES AS VARCHAR(20)) END AS CURRENT_VALUE,
    CASE WHEN J.REMEDY <> 'person' THEN CAST(J.PAGES AS VARCHAR(20)) END AS PROPOSED_VALUE,
    CASE WHEN J.REMEDY = 'person' THEN 'MB' ELSE '4 KB pages' END AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN J.REMEDY = 'person'
            THEN '-- on host ' || J.HOST_NAME || ' make buffer pools or sort memory smaller, or move other work away:'
                || ' Db2 holds ' || J.COMMITTED_MB || ' MB of ' || J.BOUND_MB || ' MB'
        ELSE J.COMMAND || CAST(J.PAGES AS VARCHAR(20))
    END AS ACTION_TEXT,
    CASE
        WHEN J.REMEDY = 'person' THEN '-- set the old sizes again'
        ELSE J.COMMAND || CAST(J.OLD_PAGES AS VARCHAR(20))
    END AS UNDO_TEXT,
    'SWAP_PAGES_OUT_per_s=' || J.SWAP_RATE
    || '; available_mb=' || J.AVAILABLE_MB
    || '; bound_mb=' || J.BOUND_MB
    || '; promised_mb=' || J.PROMISED_MB
    || '; MEMORY_SET_COMMITTED_mb=' || J.COMMITTED_MB
    || '; members=' || CAST(J.MEMBERS AS VARCHAR(20)) AS EVIDENCE,
    CASE
        WHEN J.SWAPS = 1 THEN 'Host ' || J.HOST_NAME || ' swaps out ' || J.SWAP_RATE || ' pages a second. '
        ELSE ''
    END
    || CASE
        WHEN J.FULL_UP = 1
            THEN 'Only ' || J.AVAILABLE_MB || ' MB of its memory can be given out without swapping. '
        ELSE ''
    END
    || CASE
        WHEN J.OVER_PROMISED = 1 THEN 'Db2 is promised ' || J.PROMISED_MB || ' MB of ' || J.BOUND_MB || ' MB. '
        ELSE ''
    END
    || 'Until that is cleared nothing that takes memory is advised.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM JUDGED AS J
