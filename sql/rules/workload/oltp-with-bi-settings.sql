-- rule:      workload.oltp-with-bi-settings
-- title:     Transaction processing runs with settings of a warehouse
-- area:      workload
-- lane:      H
-- effect:    RA
-- applies:   workload=oltp
-- evidence:  load
-- needs:     dbcfg.VALUE, dbmcfg.VALUE, cat_tablespace.PREFETCHSIZE, tablespace.TBSP_PAGE_SIZE
-- threshold: min_items = 2 -- [prop] one setting can have its reason, two are a pattern
-- threshold: sortheap_pages = 2048 -- [prop] 8 MB for each sort of a transaction, fixed by hand
-- threshold: prefetch_extents = 2 -- [prop] a prefetch size, fixed by hand, of at least so many extents
-- source:    contrast of 000_9a1c354496f94ea4.txt (analysis) and 001_518820f6be7b57c0.txt (transactions), and of
--            appendices A and B of 002_e991ec30bbd9209f.txt
-- why:       A configuration that was copied from a warehouse reads ahead, sorts and splits work for long queries.
--            Short transactions pay for each of that and gain from none; taken together it explains more than each
--            alone.
-- not-if:    The class is not OLTP with 80 %; fewer than two such settings; a table space is hardly read; what Db2 sets
--            itself (AUTOMATIC) is no item.
-- note:      This only groups and explains: it claims nothing, and each setting has a rule of its own that weighs it by
--            what was measured. A LOCKTIMEOUT of -1 is Db2's default, so it needs a second item beside it.
WITH SPACES AS (
    SELECT
        SUM(CASE WHEN T.PREFETCHSIZE >= O.PREFETCH_EXTENTS * T.TBSP_EXTENT_SIZE THEN 1 ELSE 0 END) AS PREFETCHED,
        SUM(CASE WHEN T.TBSP_PAGE_SIZE = 32768 THEN 1 ELSE 0 END) AS LARGE_PAGES
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.O_WORKLOAD_OLTP_WITH_BI_SETTINGS AS O
    WHERE
        T.BUSY = 1 AND T.CLASS = 'OLTP' AND T.TBSP_NAME <> 'SYSCATSPACE'
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
),
SETTINGS AS (
    SELECT
        MAX(CASE WHEN NAME = 'sortheap' AND FIXED = 1 THEN NUM END) AS SORTHEAP,
        MAX(CASE WHEN NAME = 'locktimeout' AND FIXED = 1 AND NUM = -1 THEN 1 ELSE 0 END) AS WAITS_FOR_EVER,
        MAX(CASE WHEN NAME = 'intra_parallel' AND FIXED = 1 AND VALUE = 'YES' THEN 1 ELSE 0 END) AS PARALLEL
    FROM TUNE.SETTING
),
ITEM AS (
    SELECT
        CASE WHEN COALESCE(P.PREFETCHED, 0) > 0 THEN 1 ELSE 0 END AS I1,
        CASE WHEN S.SORTHEAP > O.SORTHEAP_PAGES THEN 1 ELSE 0 END AS I2,
        COALESCE(S.PARALLEL, 0) AS I3,
        COALESCE(R.ANALYTICS, 0) AS I4,
        CASE WHEN COALESCE(P.LARGE_PAGES, 0) > 0 THEN 1 ELSE 0 END AS I5,
        COALESCE(S.WAITS_FOR_EVER, 0) AS I6,
        P.PREFETCHED,
        P.LARGE_PAGES,
        S.SORTHEAP,
        K.P_OLTP,
        D.DB_NAME
    FROM SPACES AS P
    CROSS JOIN SETTINGS AS S
    CROSS JOIN (
        SELECT MAX(CASE WHEN VALUE = 'ANALYTICS' THEN 1 ELSE 0 END) AS ANALYTICS
        FROM TUNE.CONFIG
        WHERE SCOPE = 'REG' AND NAME = 'DB2_WORKLOAD'
    ) AS R
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_WORKLOAD_OLTP_WITH_BI_SETTINGS AS O
    WHERE K.CLASS = 'OLTP'
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    I.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    CAST(NULL AS VARCHAR(400)) AS TARGET,
    CAST(NULL AS VARCHAR(1024)) AS CURRENT_VALUE,
    CAST(NULL AS VARCHAR(1024)) AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    '-- One change at a time, each where its own advice says so:'
    || CASE
        WHEN I.I1 = 1
            THEN CHR(10) || '-- large prefetch sizes (table spaces: ' || CAST(I.PREFETCHED AS VARCHAR(20))
                || '): ALTER TABLESPACE <name> PREFETCHSIZE 0'
        ELSE ''
    END
    || CASE
        WHEN I.I2 = 1
            THEN CHR(10) || '-- SORTHEAP ' || CAST(I.SORTHEAP AS VARCHAR(20)) || ': UPDATE DB CFG FOR ' || I.DB_NAME
                || ' USING SORTHEAP <pages>'
        ELSE ''
    END
    || CASE WHEN I.I3 = 1 THEN CHR(10) || '-- INTRA_PARALLEL YES: UPDATE DBM CFG USING INTRA_PARALLEL NO' ELSE '' END
    || CASE WHEN I.I4 = 1 THEN CHR(10) || '-- DB2_WORKLOAD=ANALYTICS: db2set DB2_WORKLOAD=' ELSE '' END
    || CASE
        WHEN I.I5 = 1
            THEN CHR(10) || '-- pages of 32 KB (table spaces: ' || CAST(I.LARGE_PAGES AS VARCHAR(20))
                || '): move their hot tables to pages of 4 or 8 KB'
        ELSE ''
    END
    || CASE
        WHEN I.I6 = 1
            THEN CHR(10) || '-- LOCKTIMEOUT -1: UPDATE DB CFG FOR ' || I.DB_NAME || ' USING LOCKTIMEOUT <seconds>'
        ELSE ''
    END AS ACTION_TEXT,
    '-- each as its own advice says' AS UNDO_TEXT,
    'items=' || CAST(I.I1 + I.I2 + I.I3 + I.I4 + I.I5 + I.I6 AS VARCHAR(20))
    || '; p_oltp=' || CAST(CAST(ROUND(I.P_OLTP, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'The work is transactions, but ' || CAST(I.I1 + I.I2 + I.I3 + I.I4 + I.I5 + I.I6 AS VARCHAR(20))
    || ' settings are those of a warehouse.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM ITEM AS I
CROSS JOIN TUNE.O_WORKLOAD_OLTP_WITH_BI_SETTINGS AS O
WHERE I.I1 + I.I2 + I.I3 + I.I4 + I.I5 + I.I6 >= O.MIN_ITEMS
