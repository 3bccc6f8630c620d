-- rule:      memory.sort-threshold-exceeded
-- title:     Sorts get less memory than SORTHEAP because all sorts together reach their threshold
-- area:      memory
-- lane:      P
-- effect:    ON
-- evidence:  load
-- claims:    SORT, POOL_READ
-- needs:     workload.TOTAL_SECTION_SORT_PROC_TIME, workload.SORT_OVERFLOWS, workload.TOTAL_HASH_JOINS,
--            workload.POST_THRESHOLD_SORTS, workload.POST_SHRTHRESHOLD_SORTS, database.SORT_HEAP_TOP,
--            database.SORT_SHRHEAP_TOP, dbcfg.VALUE, dbmcfg.VALUE, system.MEMORY_FREE
-- threshold: min_operations = 500 -- [prop] fewer sorts and hash joins give no ratio
-- threshold: min_pct = 1 -- [prop] of sorts and hash joins; fewer are a rare peak
-- threshold: room = 1.3 -- [prop] above the most that sorts ever held together
-- source:    002_e991ec30bbd9209f.txt, appendix A, SHEAPTHRES 96 times SORTHEAP; IBM documentation of sheapthres_shr
--            (r0006014), sheapthres (r0000260) and post_shrthreshold_sorts (r0021660)
-- why:       When all sorts and hash joins together hold as much as SHEAPTHRES_SHR (SHEAPTHRES in the private model)
--            allows, the next ones are given less than SORTHEAP, down to the least that they can work with, and
--            spill to temporary tables.
-- not-if:    The threshold is AUTOMATIC, pending, or differs between members; nothing spilled; a fixed threshold has
--            room already above the most that sorts ever held; DB2_WORKLOAD is ANALYTICS.
-- note:      Only operations that were both held back and spilled can gain, so the smaller of the two parts is
--            claimed. A high water mark at the threshold alone (SORT_SHRHEAP_TOP) is no finding: it may be months
--            old, and costs nothing while nobody is held back. AUTOMATIC is advised where self-tuning is at work and
--            may size sorts: not with WLM_ADMISSION_CTRL (Db2 refuses it, SQL1668N) and not with private sorts; it
--            makes SORTHEAP AUTOMATIC too. SHEAPTHRES changes at once between two values that are not 0, and is for
--            all databases of the instance; from 11.1 on private sort memory is deprecated.
WITH SETTING AS (
    SELECT
        MAX(CASE WHEN NAME = 'sheapthres' AND FIXED = 1 THEN NUM END) AS SHEAPTHRES,
        MAX(CASE WHEN NAME = 'sheapthres_shr' AND FIXED = 1 THEN NUM END) AS SHEAPTHRES_SHR,
        MAX(CASE WHEN NAME = 'sortheap' AND FIXED = 1 THEN NUM END) AS SORTHEAP,
        MAX(CASE WHEN NAME = 'sortheap' AND AUTOMATIC = 1 THEN 1 ELSE 0 END) AS SORT_AUTOMATIC,
        MAX(CASE WHEN NAME = 'wlm_admission_ctrl' AND VALUE LIKE 'Y%' THEN 1 ELSE 0 END) AS ADMISSION
    FROM TUNE.SETTING
),
TEMPORARY AS (
    SELECT COALESCE(SUM(SHARE_PCT), 0) AS SHARE_PCT
    FROM TUNE.TABLESPACE
    WHERE TBSP_CONTENT_TYPE = 'SYSTEMP'
),
HELD AS (
    SELECT
        COALESCE(MAX(SORT_HEAP_TOP), 0) AS PRIVATE_TOP,
        COALESCE(MAX(SORT_SHRHEAP_TOP), 0) AS SHARED_TOP
    FROM TUNE.D_DATABASE
),
WORK AS (
    SELECT
        S.*,
        H.PRIVATE_TOP,
        H.SHARED_TOP,
        CASE WHEN S.SHEAPTHRES > 0 AND T.POST_THRESHOLD >= T.POST_SHRTHRESHOLD THEN 1 ELSE 0 END AS PRIVATE_SORTS,
        GREATEST(T.POST_THRESHOLD, T.POST_SHRTHRESHOLD) AS HELD_BACK,
        T.SORT_OVERFLOWS + T.HASH_JOIN_OVERFLOWS AS OVERFLOWS,
        T.TOTAL_SORTS + T.TOTAL_HASH_JOINS AS OPERATIONS,
        T.SORT_PCT,
        P.SHARE_PCT AS TEMP_PCT
    FROM SETTING AS S
    CROSS JOIN HELD AS H
    CROSS JOIN TEMPORARY AS P
    CROSS JOIN TUNE.DATABASE_TIME AS T
),
SIZED AS (
    SELECT
        W.*,
        CAST(LEAST(W.HELD_BACK, W.OVERFLOWS) AS DOUBLE) / NULLIF(W.OPERATIONS, 0) AS PART,
        -- of the reads of spilled data, what spilled because it was held back
        CAST(LEAST(W.HELD_BACK, W.OVERFLOWS) AS DOUBLE) / NULLIF(W.OVERFLOWS, 0) AS SPILL_PART,
        CASE
            WHEN W.PRIVATE_SORTS = 0 AND M.ACTIVE = 1 AND COALESCE(W.SHEAPTHRES, 0) = 0 AND W.ADMISSION = 0 THEN 1
            ELSE 0
        END AS SELF_TUNED,
        CASE WHEN W.PRIVATE_SORTS = 1 THEN 'SHEAPTHRES' ELSE 'SHEAPTHRES_SHR' END AS NAME,
        CASE WHEN W.PRIVATE_SORTS = 1 THEN W.SHEAPTHRES ELSE W.SHEAPTHRES_SHR END AS PAGES,
        CASE WHEN W.PRIVATE_SORTS = 1 THEN W.PRIVATE_TOP ELSE W.SHARED_TOP END AS TOP_PAGES,
        CAST(CEIL(ROUND(
            O.ROOM * CASE WHEN W.PRIVATE_SORTS = 1 THEN W.PRIVATE_TOP ELSE W.SHARED_TOP END, 6
        )) AS BIGINT) AS NEW_PAGES,
        CASE
            WHEN W.PRIVATE_SORTS = 1 THEN 'UPDATE DBM CFG USING SHEAPTHRES '
            ELSE 'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING SHEAPTHRES_SHR '
        END AS COMMAND,
        D.DB_NAME
    FROM WORK AS W
    CROSS JOIN TUNE.STMM AS M
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_MEMORY_SORT_THRESHOLD_EXCEEDED AS O
    WHERE
        M.ANALYTICS = 0
        AND W.OPERATIONS >= O.MIN_OPERATIONS
        AND 100 * W.HELD_BACK >= O.MIN_PCT * W.OPERATIONS
        AND W.OVERFLOWS > 0
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    S.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    S.SORT_PCT * S.PART + S.TEMP_PCT * S.SPILL_PART AS CLAIMED_PCT,
    CAST(0.2 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.5 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.8 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    CASE WHEN S.PRIVATE_SORTS = 1 THEN 'DBMCFG:' ELSE 'DBCFG:' END || S.NAME AS TARGET,
    CAST(S.PAGES AS VARCHAR(20)) AS CURRENT_VALUE,
    CASE WHEN S.SELF_TUNED = 1 THEN 'AUTOMATIC' ELSE CAST(S.NEW_PAGES AS VARCHAR(20)) END AS PROPOSED_VALUE,
    '4 KB pages' AS UNIT,
    CASE
        WHEN S.SELF_TUNED = 1 THEN CAST(0 AS BIGINT)
        ELSE CAST(4 * (S.NEW_PAGES - S.PAGES) AS BIGINT)
    END AS MEMORY_DELTA_KB,
    S.COMMAND || CASE
        WHEN S.SELF_TUNED = 0 THEN CAST(S.NEW_PAGES AS VARCHAR(20))
        WHEN S.SORT_AUTOMATIC = 1 THEN 'AUTOMATIC'
        ELSE 'AUTOMATIC SORTHEAP AUTOMATIC'
    END AS ACTION_TEXT,
    S.COMMAND || CAST(S.PAGES AS VARCHAR(20)) || CASE
        WHEN S.SELF_TUNED = 0 OR S.SORT_AUTOMATIC = 1 THEN ''
        ELSE ' SORTHEAP ' || CAST(S.SORTHEAP AS VARCHAR(20))
    END AS UNDO_TEXT,
    S.NAME || '=' || CAST(S.PAGES AS VARCHAR(20))
    || '; post_threshold_operations=' || CAST(S.HELD_BACK AS VARCHAR(20))
    || '; overflows=' || CAST(S.OVERFLOWS AS VARCHAR(20))
    || '; sorts_and_hash_joins=' || CAST(S.OPERATIONS AS VARCHAR(20))
    || CASE WHEN S.PRIVATE_SORTS = 1 THEN '; SORT_HEAP_TOP=' ELSE '; SORT_SHRHEAP_TOP=' END
    || CAST(S.TOP_PAGES AS VARCHAR(20))
    || '; TOTAL_SECTION_SORT_PROC_TIME_pct=' || CAST(CAST(ROUND(S.SORT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; temporary_reads_pct=' || CAST(CAST(ROUND(S.TEMP_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    CAST(S.HELD_BACK AS VARCHAR(20)) || ' of ' || CAST(S.OPERATIONS AS VARCHAR(20))
    || ' sorts and hash joins were given less memory than SORTHEAP, because all of them together reached '
    || S.NAME || ' ' || CAST(S.PAGES AS VARCHAR(20)) || '; ' || CAST(S.OVERFLOWS AS VARCHAR(20)) || ' spilled.'
        AS FINDING,
    S.TEMP_PCT * S.SPILL_PART AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM SIZED AS S
WHERE
    (S.SELF_TUNED = 0 AND S.NEW_PAGES > S.PAGES)
    OR (S.SELF_TUNED = 1 AND S.PAGES > 0 AND (S.SORT_AUTOMATIC = 1 OR S.SORTHEAP IS NOT NULL))
