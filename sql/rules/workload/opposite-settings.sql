/*---
rule: workload.opposite-settings
title: Settings suit the opposite kind of workload
lane: housekeeping
takes_effect: immediately
applies: {workload: [bi, oltp]}
judged_by: load
needs: [dbcfg.VALUE, dbmcfg.VALUE, cat_tablespace.PREFETCHSIZE, tablespace.TBSP_EXTENT_SIZE,
  tablespace.TBSP_PAGE_SIZE, cat_table.TABLEORG]
object: DATABASE
confidence: 0.6
thresholds:
  least_sortheap: {default: 256, from: own, why: '1 MB per sort of analytics, set manually: an old default'}
  extent_pages: {default: 2, from: own, why: scans need larger extents}
  query_class: {default: 3, from: own, why: lower optimization classes omit what complex queries need}
  prefetch_extents: {default: 2, from: own, why: a manual prefetch size of a transaction's table space}
actions:
  - manual: 'Make one change at a time, each as its own recommendation describes:'
    undo: {manual: Undo each change as its own recommendation describes.}
  - when: NOT_PREFETCHED > 0
    manual: >-
      No prefetching (table spaces: {NOT_PREFETCHED}), first ALTER TABLESPACE {NOT_PREFETCHED_NAME:name} PREFETCHSIZE
      AUTOMATIC
  - when: PREFETCHED > 0
    manual: >-
      Large prefetch sizes (table spaces: {PREFETCHED}), first ALTER TABLESPACE {PREFETCHED_NAME:name} PREFETCHSIZE 0
  - when: SEQDETECT IS NOT NULL
    manual: 'SEQDETECT {SEQDETECT:text}: UPDATE DB CFG FOR {DB_NAME:alias} USING SEQDETECT YES'
  - {when: SORTHEAP IS NOT NULL, manual: 'SORTHEAP {SORTHEAP}: set the size that {SORT_RULE:text} measures.'}
  - when: HASH_JOIN IS NOT NULL
    takes_effect: instance restart
    manual: 'DB2_HASH_JOIN is off: db2set DB2_HASH_JOIN='
  - when: INTRA_PARALLEL IS NOT NULL
    takes_effect: instance restart
    manual: 'INTRA_PARALLEL {INTRA_PARALLEL:text}: UPDATE DBM CFG USING INTRA_PARALLEL NO'
  - when: DB2_WORKLOAD IS NOT NULL
    takes_effect: instance restart
    manual: 'DB2_WORKLOAD={DB2_WORKLOAD:text}: db2set DB2_WORKLOAD='
  - when: SMALL_EXTENTS > 0
    takes_effect: object rebuilt or moved
    manual: 'Very small extents (table spaces: {SMALL_EXTENTS}): move their tables to larger ones.'
  - when: LARGE_PAGES > 0
    takes_effect: object rebuilt or moved
    manual: 'Pages of 32 KB (table spaces: {LARGE_PAGES}): move their hot tables to pages of 4 or 8 KB.'
  - when: DFT_QUERYOPT IS NOT NULL
    takes_effect: new connections
    manual: 'DFT_QUERYOPT {DFT_QUERYOPT}: UPDATE DB CFG FOR {DB_NAME:alias} USING DFT_QUERYOPT 5'
  - when: LOCKTIMEOUT IS NOT NULL
    takes_effect: database reactivation
    manual: 'LOCKTIMEOUT {LOCKTIMEOUT}: UPDATE DB CFG FOR {DB_NAME:alias} USING LOCKTIMEOUT {LOCK_TIMEOUT_S}'
finding:
  - choose:
      - {when: CLASS = 'BI', text: 'The workload is analytics, but {ITEMS} settings are for transaction processing.'}
      - 'The workload is transaction processing, but {ITEMS} settings are for a warehouse.'
evidence: [items=ITEMS, 'p_bi=P_BI:2?', 'p_oltp=P_OLTP:2?']
references:
  - x445 (analytics)
  - system-z (transactions)
  - vmware-netapp, appendices A and B
why: >-
  A configuration for transactions avoids prefetching, large sorts and expensive plans, which long queries need. A
  configuration for a warehouse has them, and short transactions pay for them without a gain. Together these settings
  explain more than each alone.
not_if: >-
  The workload is not 80 % analytics or 80 % OLTP; fewer than two such settings; analytics on column-organized tables;
  a table space is hardly read; settings that Db2 manages (AUTOMATIC) do not count.
note: >-
  This rule groups and explains: it claims nothing, and each setting has its own rule with a measured weight. Appendix A
  itself contains prefetch sizes of 0: alone, that is not a pattern. LOCKTIMEOUT -1 is Db2's default, so it counts only
  with a second setting.
---*/
WITH WRONG AS (
    SELECT
        S.NAME,
        CAST(S.VALUE AS VARCHAR(30)) AS VALUE, -- all are short, and a row must fit a page
        S.NUM
    FROM TUNE.SETTING AS S
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_WORKLOAD_OPPOSITE_SETTINGS AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        (
            K.CLASS = 'BI' AND S.FIXED = 1
            AND (
                (S.NAME = 'seqdetect' AND S.VALUE = 'NO')
                OR (S.NAME = 'sortheap' AND S.NUM <= O.LEAST_SORTHEAP)
                OR (S.NAME = 'dft_queryopt' AND S.NUM <= O.QUERY_CLASS)
            )
        )
        OR (K.CLASS = 'BI' AND S.NAME = 'DB2_HASH_JOIN' AND UPPER(S.VALUE) IN ('OFF', 'NO', 'N', '0'))
        OR (
            K.CLASS = 'OLTP' AND S.FIXED = 1
            AND (
                (S.NAME = 'sortheap' AND S.NUM > CONST.OLTP_SORT_PAGES)
                OR (S.NAME = 'intra_parallel' AND S.VALUE = 'YES')
                OR (S.NAME = 'locktimeout' AND S.NUM = -1)
            )
        )
        OR (K.CLASS = 'OLTP' AND S.NAME = 'DB2_WORKLOAD' AND S.VALUE = 'ANALYTICS')
),
SETTINGS AS (
    SELECT
        COUNT(*) AS ITEMS,
        MAX(CASE WHEN NAME = 'seqdetect' THEN VALUE END) AS SEQDETECT,
        MAX(CASE WHEN NAME = 'sortheap' THEN NUM END) AS SORTHEAP,
        MAX(CASE WHEN NAME = 'DB2_HASH_JOIN' THEN VALUE END) AS HASH_JOIN,
        MAX(CASE WHEN NAME = 'dft_queryopt' THEN NUM END) AS DFT_QUERYOPT,
        MAX(CASE WHEN NAME = 'intra_parallel' THEN VALUE END) AS INTRA_PARALLEL,
        MAX(CASE WHEN NAME = 'DB2_WORKLOAD' THEN VALUE END) AS DB2_WORKLOAD,
        MAX(CASE WHEN NAME = 'locktimeout' THEN NUM END) AS LOCKTIMEOUT
    FROM WRONG
),
SPACES AS (
    SELECT
        COALESCE(SUM(CASE WHEN T.CLASS = 'BI' AND T.PREFETCHSIZE = 0 THEN 1 END), 0) AS NOT_PREFETCHED,
        MIN(CASE WHEN T.CLASS = 'BI' AND T.PREFETCHSIZE = 0 THEN T.TBSP_NAME END) AS NOT_PREFETCHED_NAME,
        COALESCE(SUM(CASE WHEN T.CLASS = 'BI' AND T.TBSP_EXTENT_SIZE <= O.EXTENT_PAGES THEN 1 END), 0) AS SMALL_EXTENTS,
        COALESCE(SUM(CASE
            WHEN T.CLASS = 'OLTP' AND T.PREFETCHSIZE >= O.PREFETCH_EXTENTS * T.TBSP_EXTENT_SIZE THEN 1
        END), 0) AS PREFETCHED,
        MIN(CASE
            WHEN T.CLASS = 'OLTP' AND T.PREFETCHSIZE >= O.PREFETCH_EXTENTS * T.TBSP_EXTENT_SIZE THEN T.TBSP_NAME
        END) AS PREFETCHED_NAME,
        COALESCE(SUM(CASE WHEN T.CLASS = 'OLTP' AND T.TBSP_PAGE_SIZE = 32768 THEN 1 END), 0) AS LARGE_PAGES
    FROM TUNE.TABLESPACE AS T
    INNER JOIN TUNE.WORKLOAD_CLASS AS K ON T.CLASS = K.CLASS
    CROSS JOIN TUNE.O_WORKLOAD_OPPOSITE_SETTINGS AS O
    WHERE T.BUSY = 1 AND T.TBSP_NAME <> 'SYSCATSPACE' AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
),
COUNTED AS (
    SELECT
        W.*,
        S.NOT_PREFETCHED,
        S.NOT_PREFETCHED_NAME,
        S.SMALL_EXTENTS,
        S.PREFETCHED,
        S.PREFETCHED_NAME,
        S.LARGE_PAGES,
        LEAST(1, S.NOT_PREFETCHED) + LEAST(1, S.SMALL_EXTENTS) + LEAST(1, S.PREFETCHED) + LEAST(1, S.LARGE_PAGES)
            AS OF_SPACES
    FROM SETTINGS AS W
    CROSS JOIN SPACES AS S
)
SELECT
    C.ITEMS + C.OF_SPACES AS ITEMS,
    C.NOT_PREFETCHED,
    C.NOT_PREFETCHED_NAME,
    C.SMALL_EXTENTS,
    C.PREFETCHED,
    C.PREFETCHED_NAME,
    C.LARGE_PAGES,
    C.SEQDETECT,
    C.SORTHEAP,
    C.HASH_JOIN,
    C.DFT_QUERYOPT,
    C.INTRA_PARALLEL,
    C.DB2_WORKLOAD,
    C.LOCKTIMEOUT,
    SITE.LOCK_TIMEOUT_S,
    CASE WHEN K.CLASS = 'BI' THEN 'memory.sort-overflow' ELSE 'memory.sortheap-too-big-oltp' END AS SORT_RULE,
    K.CLASS,
    CASE WHEN K.CLASS = 'BI' THEN K.P_BI END AS P_BI,
    CASE WHEN K.CLASS = 'OLTP' THEN K.P_OLTP END AS P_OLTP,
    D.DB_NAME
FROM COUNTED AS C
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_SITE AS SITE
WHERE
    C.ITEMS + C.OF_SPACES >= 2 -- one may have a reason, two are a pattern
    AND (K.CLASS <> 'BI' OR NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS T WHERE T.TABLEORG = 'C'))
