-- rule:       tablespace.legacy-or-mistuned
-- title:      User data in SMS, or disk speeds that are far from what is measured
-- area:       tablespace
-- lane:       P
-- effect:     OB
-- risk:       medium
-- applies:    not=managed,purescale
-- judged-by:  load
-- claims:     POOL_READ
-- recover:    0.02, 0.05, 0.1
-- confidence: 0.3
-- exclusive:  rebuild
-- needs:      tablespace.TBSP_TYPE, cat_tablespace.OVERHEAD, cat_tablespace.TRANSFERRATE, cat_table.TBSPACE,
--             workload.POOL_READ_TIME
-- threshold:  min_gb = 1 -- [prop] a smaller table space is not worth a move
-- threshold:  min_async_part = 0.3 -- [prop] scans gain most from containers that Db2 lays out itself
-- threshold:  max_factor = 3 -- [prop] both speeds must be off by more than three times
-- threshold:  min_sync_reads = 5000 -- [prop] fewer pages make no average
-- threshold:  min_async_pages = 10000 -- [prop] fewer pages make no average
-- object:     TABLESPACE {TBSP_NAME:text}
-- undo-by-hand: when SMS = 0: Rebind the packages again.
-- set:        when SMS = 0: OVERHEAD: {OVERHEAD:6} -> {MS_PER_READ:2} (ms); TRANSFERRATE: {TRANSFERRATE:6} ->
--             {MS_PER_PAGE:2} (ms)
-- by-hand:    when SMS = 0: Rebind the packages of static SQL, so that they are planned with the new speeds.
-- set:        when SMS = 1: TYPE: SMS -> automatic storage
-- set:        when SMS = 1 AND MOVE_NUMBER = 1: TABLESPACE {NEW_SPACE:text} EXISTS: missing -> there
-- do:         when SMS = 1 AND MOVE_NUMBER = 1: CREATE TABLESPACE {NEW_SPACE:name}[ IN {PARTITION_GROUP:name}] PAGESIZE
--             {TBSP_PAGE_SIZE} MANAGED BY AUTOMATIC STORAGE EXTENTSIZE {TBSP_EXTENT_SIZE} PREFETCHSIZE AUTOMATIC[
--             BUFFERPOOL {BPNAME:name}]
-- undo:       DROP TABLESPACE {NEW_SPACE:name}
-- include:    table-move
-- finding:    when SMS = 1: User data of {GB} GB that scans read lies in an SMS table space, which is deprecated for
--             it.
-- finding:    else: The optimizer reckons with {OVERHEAD:2} ms for a random read and {TRANSFERRATE:2} ms for a page of
--             a sequential one; measured are {MS_PER_READ:2} and {MS_PER_PAGE:2} ms.
-- evidence:   when SMS = 1: TBSP_TYPE:text, TBSP_USED_PAGES=TBSP_USED_PAGES_ALL, prefetched_part=ASYNC_PART:2
-- evidence:   else: OVERHEAD:6, TRANSFERRATE:6, ms_per_synchronous_read=MS_PER_READ:2,
--             ms_per_prefetched_page=MS_PER_PAGE:2
-- source:     000_9a1c354496f94ea4.txt (DMS preferred; overhead and transferrate in the DDL); IBM: SMS and DMS are
--             deprecated for user data since 10.1
-- why:        SMS leaves the layout to the file system. OVERHEAD and TRANSFERRATE tell the optimizer what a random
--             and what a sequential read costs: far from the truth, it picks the wrong access paths.
-- not-if:     Temporary or catalog table spaces; OVERHEAD or TRANSFERRATE are inherited; only one of them is off.
-- note:       The moves are advised from 9.7 on, with automatic storage for the new table space; a paper of 8.1
--             takes DMS. Speeds are housekeeping: what better plans save is not measured. Sites that keep
--             their access paths on purpose leave the speeds alone.
WITH MEASURED AS (
    SELECT
        T.*,
        CASE WHEN T.TBSP_TYPE = 'SMS' THEN 1 ELSE 0 END AS SMS,
        CAST(T.SYNC_READ_MS AS DOUBLE) / NULLIF(T.SYNC_READS, 0) AS READ_MS,
        CAST(T.ASYNC_READ_MS AS DOUBLE) / NULLIF(T.ASYNC_READS, 0) AS PAGE_MS
    FROM TUNE.TABLESPACE AS T
    WHERE T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP') AND T.TBSP_NAME <> 'SYSCATSPACE'
)
SELECT
    T.TBSP_NAME,
    T.TBSP_TYPE,
    T.SMS,
    T.TBSP_PAGE_SIZE,
    T.TBSP_EXTENT_SIZE,
    T.TBSP_USED_PAGES_ALL,
    CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE / CAST(1073741824 AS DOUBLE) AS GB,
    T.BPNAME,
    T.ASYNC_PART,
    T.OVERHEAD,
    T.TRANSFERRATE,
    GREATEST(0.01, COALESCE(T.READ_MS, 0)) AS MS_PER_READ,
    GREATEST(0.01, COALESCE(T.PAGE_MS, 0)) AS MS_PER_PAGE,
    T.TBSP_NAME || '_N' AS NEW_SPACE,
    CASE WHEN T.SMS = 1 THEN M.WAY END AS WAY,
    M.TABSCHEMA,
    M.TABNAME,
    M.DATA_SPACE,
    M.INDEX_SPACE,
    M.LONG_SPACE,
    M.PARTITION_GROUP,
    M.MOVE_NUMBER,
    CASE WHEN M.DATA_SPACE = T.TBSP_NAME THEN T.TBSP_NAME || '_N' ELSE M.DATA_SPACE END AS TO_DATA,
    CASE WHEN M.INDEX_SPACE = T.TBSP_NAME THEN T.TBSP_NAME || '_N' ELSE M.INDEX_SPACE END AS TO_INDEX,
    CASE WHEN M.LONG_SPACE = T.TBSP_NAME THEN T.TBSP_NAME || '_N' ELSE M.LONG_SPACE END AS TO_LONG,
    CASE WHEN T.SMS = 1 THEN T.SCAN_PCT END AS CLAIM_POOL_READ
FROM MEASURED AS T
INNER JOIN TUNE.TABLE_MOVE AS M ON T.TBSP_NAME = M.TBSP_NAME AND (T.SMS = 1 OR M.MOVE_NUMBER = 1)
CROSS JOIN TUNE.RUN_DATABASE AS B
CROSS JOIN TUNE.O_TABLESPACE_LEGACY_OR_MISTUNED AS O
WHERE
    T.ASYNC_READS >= O.MIN_ASYNC_PAGES
    AND (
        (
            T.SMS = 1
            AND B.DB2_LEVEL >= 9070000
            AND T.ASYNC_PART >= O.MIN_ASYNC_PART
            AND CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE >= O.MIN_GB * 1073741824
            AND NOT EXISTS (SELECT 1 FROM TUNE.TABLESPACE AS N WHERE N.TBSP_NAME = T.TBSP_NAME || '_N')
        )
        OR (
            T.SMS = 0
            AND T.OVERHEAD > 0 AND T.TRANSFERRATE > 0
            AND T.READ_MS > 0 AND T.PAGE_MS > 0
            AND T.SYNC_READS >= O.MIN_SYNC_READS
            AND (T.READ_MS > O.MAX_FACTOR * T.OVERHEAD OR O.MAX_FACTOR * T.READ_MS < T.OVERHEAD)
            AND (T.PAGE_MS > O.MAX_FACTOR * T.TRANSFERRATE OR O.MAX_FACTOR * T.PAGE_MS < T.TRANSFERRATE)
        )
    )
