/*---
rule: workload.bi-with-oltp-settings
title: Analytics runs with settings for transaction processing
lane: housekeeping
takes_effect: database reactivation
applies: {workload: [bi]}
judged_by: load
needs: [dbcfg.VALUE, cat_tablespace.PREFETCHSIZE, tablespace.TBSP_EXTENT_SIZE, cat_table.TABLEORG]
object: DATABASE
confidence: 0.6
thresholds:
  sortheap_pages: {default: 256, from: own, why: '1 MB per sort, set manually: an old default'}
  extent_pages: {default: 2, from: own, why: scans need larger extents}
  query_class: {default: 3, from: own, why: lower optimization classes omit what complex queries need}
actions:
  - manual: 'Make one change at a time, each as its own recommendation describes:'
    undo: {manual: Undo each change as its own recommendation describes.}
  - when: NOT_PREFETCHED > 0
    manual: >-
      No prefetching (table spaces: {NOT_PREFETCHED}): ALTER TABLESPACE <name> PREFETCHSIZE <extent size x containers>
  - when: SEQDETECT IS NOT NULL
    manual: 'SEQDETECT {SEQDETECT:text}: UPDATE DB CFG FOR {DB_NAME:text} USING SEQDETECT YES'
  - {when: SORTHEAP IS NOT NULL, manual: 'SORTHEAP {SORTHEAP}: UPDATE DB CFG FOR {DB_NAME:text} USING SORTHEAP <pages>'}
  - {when: HASH_JOIN IS NOT NULL, manual: 'DB2_HASH_JOIN is off: db2set DB2_HASH_JOIN='}
  - when: SMALL_EXTENTS > 0
    manual: 'Very small extents (table spaces: {SMALL_EXTENTS}): move their tables to larger ones.'
  - when: DFT_QUERYOPT IS NOT NULL
    manual: 'DFT_QUERYOPT {DFT_QUERYOPT}: UPDATE DB CFG FOR {DB_NAME:text} USING DFT_QUERYOPT 5'
finding: The workload is analytics, but {ITEMS} settings are for transaction processing.
evidence: [items=ITEMS, p_bi=P_BI:2]
references:
  - x445 (analytics)
  - system-z (transactions)
  - vmware-netapp, appendices A and B
why: >-
  A configuration for transactions avoids prefetching, large sorts and expensive plans. Long queries need all three.
  Together these settings explain more than each alone.
not_if: >-
  The workload is not 80 % analytics; fewer than two such settings; column-organized tables; a table space is hardly
  read; settings that Db2 manages (AUTOMATIC) do not count.
note: >-
  This rule groups and explains: it claims nothing, and each setting has its own rule with a measured weight. Appendix A
  itself contains prefetch sizes of 0: alone, that is not a pattern.
---*/
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
ITEM AS (
    SELECT
        S.NOT_PREFETCHED,
        S.SMALL_EXTENTS,
        E.VALUE AS SEQDETECT,
        H.NUM AS SORTHEAP,
        J.VALUE AS HASH_JOIN,
        Q.NUM AS DFT_QUERYOPT,
        CASE WHEN S.NOT_PREFETCHED > 0 THEN 1 ELSE 0 END + CASE WHEN S.SMALL_EXTENTS > 0 THEN 1 ELSE 0 END
        + CASE WHEN E.VALUE IS NULL THEN 0 ELSE 1 END + CASE WHEN H.NUM IS NULL THEN 0 ELSE 1 END
        + CASE WHEN J.VALUE IS NULL THEN 0 ELSE 1 END + CASE WHEN Q.NUM IS NULL THEN 0 ELSE 1 END AS ITEMS
    FROM SPACES AS S
    CROSS JOIN TUNE.O_WORKLOAD_BI_WITH_OLTP_SETTINGS AS O
    LEFT JOIN TUNE.SETTING AS E ON E.SCOPE = 'DB' AND E.NAME = 'seqdetect' AND E.FIXED = 1 AND E.VALUE = 'NO'
    LEFT JOIN TUNE.SETTING AS H
        ON H.SCOPE = 'DB' AND H.NAME = 'sortheap' AND H.FIXED = 1 AND O.SORTHEAP_PAGES >= H.NUM
    LEFT JOIN TUNE.SETTING AS J
        ON J.SCOPE = 'REG' AND J.NAME = 'DB2_HASH_JOIN' AND UPPER(J.VALUE) IN ('OFF', 'NO', 'N', '0')
    LEFT JOIN TUNE.SETTING AS Q
        ON Q.SCOPE = 'DB' AND Q.NAME = 'dft_queryopt' AND Q.FIXED = 1 AND O.QUERY_CLASS >= Q.NUM
)
SELECT
    I.*,
    K.P_BI,
    D.DB_NAME
FROM ITEM AS I
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_SITE AS SITE
WHERE
    I.ITEMS >= SITE.PATTERN_ITEMS
    AND K.CLASS = 'BI'
    AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TABLEORG = 'C')
