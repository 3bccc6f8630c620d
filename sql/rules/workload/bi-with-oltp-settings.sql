-- rule:      workload.bi-with-oltp-settings
-- title:     Analysis runs with settings of transaction processing
-- area:      workload
-- lane:      H
-- effect:    RA
-- applies:   workload=bi
-- evidence:  load
-- needs:     dbcfg.VALUE, cat_tablespace.PREFETCHSIZE, tablespace.TBSP_EXTENT_SIZE, cat_table.TABLEORG
-- threshold: min_items = 2 -- [prop] one setting can have its reason, two are a pattern
-- threshold: sortheap_pages = 256 -- [prop] 1 MB for each sort, fixed by hand: the default of long ago
-- threshold: extent_pages = 2 -- [prop] extents of so few pages make no scan
-- threshold: query_class = 3 -- [prop] optimization classes up to it leave out what complex queries need
-- source:    contrast of 000_9a1c354496f94ea4.txt (analysis) and 001_518820f6be7b57c0.txt (transactions), and of
--            appendices A and B of 002_e991ec30bbd9209f.txt
-- why:       A configuration for transactions avoids prefetching, large sorts and costly plans. Long queries need all
--            three; taken together it explains more than each setting alone.
-- not-if:    The class is not BI with 80 %; fewer than two such settings; column-organized tables; a table space is
--            hardly read; what Db2 sets itself (AUTOMATIC) is no item.
-- note:      This only groups and explains: it claims nothing, and each setting has a rule of its own that weighs it by
--            what was measured. Appendix A itself has prefetch sizes of 0: alone, that is no pattern.
WITH SPACES AS (
    SELECT
        SUM(CASE WHEN T.PREFETCHSIZE = 0 THEN 1 ELSE 0 END) AS NOT_PREFETCHED,
        SUM(CASE WHEN T.TBSP_EXTENT_SIZE <= O.EXTENT_PAGES THEN 1 ELSE 0 END) AS SMALL_EXTENTS
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.O_WORKLOAD_BI_WITH_OLTP_SETTINGS AS O
    WHERE
        T.BUSY = 1 AND T.CLASS = 'BI' AND T.TBSP_NAME <> 'SYSCATSPACE'
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
),
SETTINGS AS (
    SELECT
        MAX(CASE WHEN NAME = 'sortheap' AND FIXED = 1 THEN NUM END) AS SORTHEAP,
        MAX(CASE WHEN NAME = 'seqdetect' AND FIXED = 1 AND VALUE = 'NO' THEN 1 ELSE 0 END) AS UNDETECTED,
        MAX(CASE WHEN NAME = 'dft_queryopt' AND FIXED = 1 THEN NUM END) AS QUERY_CLASS
    FROM TUNE.SETTING
),
ITEM AS (
    SELECT
        CASE WHEN COALESCE(P.NOT_PREFETCHED, 0) > 0 THEN 1 ELSE 0 END AS I1,
        COALESCE(S.UNDETECTED, 0) AS I2,
        CASE WHEN S.SORTHEAP <= O.SORTHEAP_PAGES THEN 1 ELSE 0 END AS I3,
        COALESCE(R.NO_HASH_JOIN, 0) AS I4,
        CASE WHEN COALESCE(P.SMALL_EXTENTS, 0) > 0 THEN 1 ELSE 0 END AS I5,
        CASE WHEN S.QUERY_CLASS <= O.QUERY_CLASS THEN 1 ELSE 0 END AS I6,
        P.NOT_PREFETCHED,
        P.SMALL_EXTENTS,
        S.SORTHEAP,
        S.QUERY_CLASS,
        K.P_BI,
        D.DB_NAME
    FROM SPACES AS P
    CROSS JOIN SETTINGS AS S
    CROSS JOIN (
        SELECT MAX(CASE WHEN UPPER(VALUE) IN ('OFF', 'NO', 'N', '0') THEN 1 ELSE 0 END) AS NO_HASH_JOIN
        FROM TUNE.CONFIG
        WHERE SCOPE = 'REG' AND NAME = 'DB2_HASH_JOIN'
    ) AS R
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_WORKLOAD_BI_WITH_OLTP_SETTINGS AS O
    WHERE
        K.CLASS = 'BI'
        AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TABLEORG = 'C')
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
            THEN CHR(10) || '-- no prefetching (table spaces: ' || CAST(I.NOT_PREFETCHED AS VARCHAR(20))
                || '): ALTER TABLESPACE <name> PREFETCHSIZE <extent size x containers>'
        ELSE ''
    END
    || CASE
        WHEN I.I2 = 1 THEN CHR(10) || '-- SEQDETECT NO: UPDATE DB CFG FOR ' || I.DB_NAME || ' USING SEQDETECT YES'
        ELSE ''
    END
    || CASE
        WHEN I.I3 = 1
            THEN CHR(10) || '-- SORTHEAP ' || CAST(I.SORTHEAP AS VARCHAR(20)) || ': UPDATE DB CFG FOR ' || I.DB_NAME
                || ' USING SORTHEAP <pages>'
        ELSE ''
    END
    || CASE WHEN I.I4 = 1 THEN CHR(10) || '-- DB2_HASH_JOIN is off: db2set DB2_HASH_JOIN=' ELSE '' END
    || CASE
        WHEN I.I5 = 1
            THEN CHR(10) || '-- very small extents (table spaces: ' || CAST(I.SMALL_EXTENTS AS VARCHAR(20))
                || '): move their tables to larger ones'
        ELSE ''
    END
    || CASE
        WHEN I.I6 = 1
            THEN CHR(10) || '-- DFT_QUERYOPT ' || CAST(I.QUERY_CLASS AS VARCHAR(20)) || ': UPDATE DB CFG FOR '
                || I.DB_NAME || ' USING DFT_QUERYOPT 5'
        ELSE ''
    END AS ACTION_TEXT,
    '-- each as its own advice says' AS UNDO_TEXT,
    'items=' || CAST(I.I1 + I.I2 + I.I3 + I.I4 + I.I5 + I.I6 AS VARCHAR(20))
    || '; p_bi=' || CAST(CAST(ROUND(I.P_BI, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'The work is analysis, but ' || CAST(I.I1 + I.I2 + I.I3 + I.I4 + I.I5 + I.I6 AS VARCHAR(20))
    || ' settings are those of transaction processing.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM ITEM AS I
CROSS JOIN TUNE.O_WORKLOAD_BI_WITH_OLTP_SETTINGS AS O
WHERE I.I1 + I.I2 + I.I3 + I.I4 + I.I5 + I.I6 >= O.MIN_ITEMS
