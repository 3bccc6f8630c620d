/*---
rule: workload.oltp-with-bi-settings
title: Transaction processing runs with settings for a warehouse
lane: housekeeping
takes_effect: database reactivation
applies: {workload: [oltp]}
judged_by: load
needs: [dbcfg.VALUE, dbmcfg.VALUE, cat_tablespace.PREFETCHSIZE, tablespace.TBSP_PAGE_SIZE]
object: DATABASE
confidence: 0.6
thresholds:
  prefetch_extents: {default: 2, from: own, why: a manual prefetch size of at least this many extents}
actions:
  - manual: 'Make one change at a time, each as its own recommendation describes:'
    undo: {manual: Undo each change as its own recommendation describes.}
  - when: PREFETCHED > 0
    manual: 'Large prefetch sizes (table spaces: {PREFETCHED}): ALTER TABLESPACE <name> PREFETCHSIZE 0'
  - {when: SORTHEAP IS NOT NULL, manual: 'SORTHEAP {SORTHEAP}: UPDATE DB CFG FOR {DB_NAME:text} USING SORTHEAP <pages>'}
  - when: INTRA_PARALLEL IS NOT NULL
    manual: 'INTRA_PARALLEL {INTRA_PARALLEL:text}: UPDATE DBM CFG USING INTRA_PARALLEL NO'
  - {when: DB2_WORKLOAD IS NOT NULL, manual: 'DB2_WORKLOAD={DB2_WORKLOAD:text}: db2set DB2_WORKLOAD='}
  - when: LARGE_PAGES > 0
    manual: 'Pages of 32 KB (table spaces: {LARGE_PAGES}): move their hot tables to pages of 4 or 8 KB.'
  - when: LOCKTIMEOUT IS NOT NULL
    manual: 'LOCKTIMEOUT {LOCKTIMEOUT}: UPDATE DB CFG FOR {DB_NAME:text} USING LOCKTIMEOUT <seconds>'
finding: The workload is transaction processing, but {ITEMS} settings are for a warehouse.
evidence: [items=ITEMS, p_oltp=P_OLTP:2]
references:
  - x445 (analytics)
  - system-z (transactions)
  - vmware-netapp, appendices A and B
why: >-
  A configuration copied from a warehouse prefetches, sorts and splits work for long queries. Short transactions pay for
  all of this without a gain. Together these settings explain more than each alone.
not_if: >-
  The workload is not 80 % OLTP; fewer than two such settings; a table space is hardly read; settings that Db2 manages
  (AUTOMATIC) do not count.
note: >-
  This rule groups and explains: it claims nothing, and each setting has its own rule with a measured weight.
  LOCKTIMEOUT -1 is Db2's default, so it counts only with a second setting.
---*/
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
ITEM AS (
    SELECT
        S.PREFETCHED,
        S.LARGE_PAGES,
        H.NUM AS SORTHEAP,
        I.VALUE AS INTRA_PARALLEL,
        R.VALUE AS DB2_WORKLOAD,
        L.NUM AS LOCKTIMEOUT,
        CASE WHEN S.PREFETCHED > 0 THEN 1 ELSE 0 END + CASE WHEN S.LARGE_PAGES > 0 THEN 1 ELSE 0 END
        + CASE WHEN H.NUM IS NULL THEN 0 ELSE 1 END + CASE WHEN I.VALUE IS NULL THEN 0 ELSE 1 END
        + CASE WHEN R.VALUE IS NULL THEN 0 ELSE 1 END + CASE WHEN L.NUM IS NULL THEN 0 ELSE 1 END AS ITEMS
    FROM SPACES AS S
    CROSS JOIN TUNE.O_SITE AS SITE
    LEFT JOIN TUNE.SETTING AS H
        ON H.SCOPE = 'DB' AND H.NAME = 'sortheap' AND H.FIXED = 1 AND SITE.SORT_PAGES_OLTP < H.NUM
    LEFT JOIN TUNE.SETTING AS I ON I.SCOPE = 'DBM' AND I.NAME = 'intra_parallel' AND I.FIXED = 1 AND I.VALUE = 'YES'
    LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'REG' AND R.NAME = 'DB2_WORKLOAD' AND R.VALUE = 'ANALYTICS'
    LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'locktimeout' AND L.FIXED = 1 AND L.NUM = -1
)
SELECT
    I.*,
    K.P_OLTP,
    D.DB_NAME
FROM ITEM AS I
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_SITE AS SITE
WHERE I.ITEMS >= SITE.PATTERN_ITEMS AND K.CLASS = 'OLTP'
