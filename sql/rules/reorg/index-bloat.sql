-- rule:      reorg.index-bloat
-- title:     Indexes are full of deleted keys or empty pages
-- area:      reorg
-- lane:      P
-- effect:    ON
-- risk:      low
-- applies:   from=10.1; not=purescale
-- evidence:  load
-- claims:    POOL_READ
-- needs:     index.NUMRIDS_DELETED, index.NUM_EMPTY_LEAFS, index.INDCARD, index.NLEAF, index.OBJECT_INDEX_P_READS,
--            cat_table.TBSPACE, workload.POOL_READ_TIME
-- threshold: deleted_part = 0.2 -- [doc] formula F7 of REORGCHK: a fifth of the addresses belongs to deleted keys
-- threshold: empty_part = 0.2 -- [doc] formula F8 of REORGCHK: a fifth of the leaf pages is empty
-- threshold: min_share = 0.03 -- [prop] 3 % of all index pages read; an index that is read less gains nothing
-- threshold: min_leafs = 1000 -- [prop] a smaller index stays in the buffer pool as it is
-- source:    IBM documentation of REORGCHK (r0001971) and of REORG INDEXES (r0001966)
-- why:       Deleted keys and the pages that they leave stay in an index until they are cleaned up: a range scan
--            reads them, and they take buffer pool from others.
-- not-if:    Both parts are below a fifth; the index has less than 3 % of the index reads or 1,000 leaf pages; it
--            has no statistics; the table is range-partitioned or column-organized.
-- note:      F7 and F8 are as old as the statistics, so confidence is low and statistics are collected afterwards.
--            F4 (clustering) is left out: with detailed statistics CLUSTERRATIO is not kept, and how CLUSTERFACTOR is
--            normalized is not documented; F5 and F6 need record lengths that are not collected. REORG cleans all
--            indexes of a table, so they are one recommendation. Online reorganization of indexes is not possible on
--            pureScale (SQL1419N). The option CLEANUP reads as here from 10.1.
WITH EACH_INDEX AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        IID,
        MIN(INDNAME) AS INDNAME,
        MAX(INDCARD) AS INDCARD,
        MAX(NUMRIDS_DELETED) AS NUMRIDS_DELETED,
        MAX(NLEAF) AS NLEAF,
        MAX(NUM_EMPTY_LEAFS) AS NUM_EMPTY_LEAFS,
        SUM(OBJECT_INDEX_L_READS) AS LOGICAL_READS,
        SUM(OBJECT_INDEX_P_READS) AS PHYSICAL_READS
    FROM TUNE.D_INDEX
    GROUP BY TABSCHEMA, TABNAME, IID
),
TOTAL AS (
    SELECT SUM(LOGICAL_READS) AS LOGICAL_READS FROM EACH_INDEX
),
PHYSICAL AS (
    SELECT SUM(PHYSICAL_READS) AS PHYSICAL_READS FROM TUNE.TABLESPACE
),
PART AS (
    SELECT
        E.*,
        CAST(E.LOGICAL_READS AS DOUBLE) / NULLIF(TOTAL.LOGICAL_READS, 0) AS SHARE,
        CASE
            WHEN E.NUMRIDS_DELETED >= 0 AND E.INDCARD >= 0
                THEN CAST(E.NUMRIDS_DELETED AS DOUBLE) / NULLIF(E.NUMRIDS_DELETED + E.INDCARD, 0)
        END AS F7,
        CASE WHEN E.NUM_EMPTY_LEAFS >= 0 THEN CAST(E.NUM_EMPTY_LEAFS AS DOUBLE) / NULLIF(E.NLEAF, 0) END AS F8,
        T.POOL_READ_PCT * LEAST(1, CAST(E.PHYSICAL_READS AS DOUBLE) / NULLIF(PHYSICAL.PHYSICAL_READS, 0)) AS READ_PCT
    FROM EACH_INDEX AS E
    CROSS JOIN TOTAL
    CROSS JOIN PHYSICAL
    CROSS JOIN TUNE.DATABASE_TIME AS T
),
BLOATED AS (
    SELECT
        P.*,
        '"' || REPLACE(P.TABSCHEMA, '"', '""') || '"."' || REPLACE(P.TABNAME, '"', '""') || '"' AS QUOTED,
        GREATEST(COALESCE(P.F7, 0), COALESCE(P.F8, 0)) AS WASTE,
        COUNT(*) OVER (PARTITION BY P.TABSCHEMA, P.TABNAME) AS INDEXES,
        SUM(COALESCE(P.READ_PCT, 0) * LEAST(1, GREATEST(COALESCE(P.F7, 0), COALESCE(P.F8, 0))))
            OVER (PARTITION BY P.TABSCHEMA, P.TABNAME) AS CLAIMED_PCT,
        ROW_NUMBER() OVER (PARTITION BY P.TABSCHEMA, P.TABNAME ORDER BY P.LOGICAL_READS DESC, P.IID) AS PLACE
    FROM PART AS P
    INNER JOIN TUNE.D_CAT_TABLE AS C ON P.TABSCHEMA = C.TABSCHEMA AND P.TABNAME = C.TABNAME
    CROSS JOIN TUNE.O_REORG_INDEX_BLOAT AS O
    WHERE
        P.SHARE >= O.MIN_SHARE
        AND P.NLEAF >= O.MIN_LEAFS
        AND (P.F7 >= O.DELETED_PART OR P.F8 >= O.EMPTY_PART)
        AND C.TBSPACE IS NOT NULL
        AND C.TABLEORG = 'R'
)
SELECT
    'TABLE' AS OBJECT_TYPE,
    B.TABSCHEMA || '.' || B.TABNAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    B.CLAIMED_PCT,
    CAST(0.1 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.5 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.8 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'TABLE:' || B.TABSCHEMA || '.' || B.TABNAME || ':INDEXES' AS TARGET,
    CAST(NULL AS VARCHAR(200)) AS CURRENT_VALUE,
    CAST(NULL AS VARCHAR(200)) AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'REORG INDEXES ALL FOR TABLE ' || B.QUOTED || ' ALLOW WRITE ACCESS CLEANUP ALL' || CHR(10)
    || 'RUNSTATS ON TABLE ' || B.QUOTED || CASE
        WHEN C.STATS_PROFILE = 1 THEN ' USE PROFILE'
        ELSE ' WITH DISTRIBUTION AND SAMPLED DETAILED INDEXES ALL ALLOW WRITE ACCESS'
    END AS ACTION_TEXT,
    '-- A cleanup is not taken back.' AS UNDO_TEXT,
    'index=' || COALESCE(B.INDNAME, 'IID ' || CAST(B.IID AS VARCHAR(20)))
    || '; NUMRIDS_DELETED=' || CAST(COALESCE(B.NUMRIDS_DELETED, -1) AS VARCHAR(20))
    || '; INDCARD=' || CAST(COALESCE(B.INDCARD, -1) AS VARCHAR(20))
    || '; NUM_EMPTY_LEAFS=' || CAST(COALESCE(B.NUM_EMPTY_LEAFS, -1) AS VARCHAR(20))
    || '; NLEAF=' || CAST(B.NLEAF AS VARCHAR(20))
    || '; OBJECT_INDEX_L_READS=' || CAST(B.LOGICAL_READS AS VARCHAR(20))
    || '; index_reads_pct=' || CAST(CAST(ROUND(100 * B.SHARE, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; statistics_age_hours=' || COALESCE(CAST(C.STATS_AGE_H AS VARCHAR(20)), 'not known') AS EVIDENCE,
    'Of index ' || COALESCE(B.INDNAME, CAST(B.IID AS VARCHAR(20))) || ', '
    || CAST(CAST(ROUND(100 * COALESCE(B.F7, 0), 1) AS DECIMAL(9, 1)) AS VARCHAR(20)) || ' % of the addresses belong to '
    || 'deleted keys and '
    || CAST(CAST(ROUND(100 * COALESCE(B.F8, 0), 1) AS DECIMAL(9, 1)) AS VARCHAR(20)) || ' % of the leaf pages are empty'
    || CASE WHEN B.INDEXES > 1 THEN '; ' || CAST(B.INDEXES AS VARCHAR(20)) || ' indexes of the table are so' ELSE '' END
    || '.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM BLOATED AS B
INNER JOIN TUNE.D_CAT_TABLE AS C ON B.TABSCHEMA = C.TABSCHEMA AND B.TABNAME = C.TABNAME
WHERE B.PLACE = 1
