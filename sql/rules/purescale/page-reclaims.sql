/*---
rule: purescale.page-reclaims
title: Page reclaims between members
lane: performance
takes_effect: object rebuilt or moved
applies: {topology: purescale}
judged_by: load
needs: [workload.RECLAIM_WAIT_TIME, workload.SPACEMAPPAGE_RECLAIM_WAIT_TIME]
object: DATABASE
claims: {RECLAIM: {events: RECLAIM_WAIT_S, cost_ms: 1000}}
recover: [0.1, 0.3, 0.6]
confidence: 0.3
actions:
  - takes_effect: immediately
    manual: >-
      Find the tables and indexes: SELECT TABSCHEMA, TABNAME, OBJTYPE, SUM(PAGE_RECLAIMS_X + PAGE_RECLAIMS_S) AS
      RECLAIMS, SUM(RECLAIM_WAIT_TIME) AS MS, SUM(SPACEMAPPAGE_RECLAIM_WAIT_TIME) AS MAP_MS FROM
      TABLE(MON_GET_PAGE_ACCESS_INFO(NULL, NULL, -2)) AS T GROUP BY TABSCHEMA, TABNAME, OBJTYPE ORDER BY MS DESC
  - when: MAPS = 0
    manual: >-
      For a small table that all members change, store few rows per page (PCTFREE 99 and a REORG, or 4 KB pages). For an
      index with ascending keys, add a leading column with CURRENT MEMBER as its default, or use RANDOM order. Or direct
      each part of the application to one member.
  - when: MAPS = 1
    manual: >-
      Use a table space with larger extents, or a range-partitioned table, for tables with inserts on all members: both
      need fewer space map pages.
finding: >-
  Members waited {RECLAIM_PCT:1} % of database time for pages that another member had changed[, {MAP_PCT} % of it for
  space map pages].
evidence: [RECLAIM_WAIT_TIME_pct=RECLAIM_PCT:2, RECLAIM_WAIT_TIME=PAGE_MS, SPACEMAPPAGE_RECLAIM_WAIT_TIME=MAP_MS]
references:
  - IBM documentation of MON_GET_PAGE_ACCESS_INFO (r0056577)
  - IBM's db2mon (page reclaims)
why: >-
  A page that two members change moves between them through the group buffer pool, with a log write each time. If many
  changed rows are on few pages, these moves are most of the work.
not_if: Waits for reclaims take less than 5 % of database time.
note: >-
  db2tune does not collect reclaims by table: the query shows them. The measured waits are an upper bound for the saving
  of fewer rows per page.
---*/
WITH WAITED AS (
    SELECT
        SUM(RECLAIM_WAIT_TIME) AS PAGE_MS,
        COALESCE(SUM(SPACEMAPPAGE_RECLAIM_WAIT_TIME), 0) AS MAP_MS
    FROM TUNE.D_WORKLOAD
)
SELECT
    W.PAGE_MS,
    W.MAP_MS,
    CAST(W.PAGE_MS + W.MAP_MS AS DOUBLE) / 1000 AS RECLAIM_WAIT_S,
    100 * CAST(W.PAGE_MS + W.MAP_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0) AS RECLAIM_PCT,
    100 * CAST(W.MAP_MS AS DOUBLE) / NULLIF(W.PAGE_MS + W.MAP_MS, 0) AS MAP_PCT,
    CASE WHEN W.MAP_MS >= CONST.MAIN_PART * (W.PAGE_MS + W.MAP_MS) THEN 1 ELSE 0 END AS MAPS
FROM WAITED AS W
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    W.PAGE_MS + W.MAP_MS > 0
    AND 100 * (W.PAGE_MS + W.MAP_MS) >= SITE.HIGH_PCT * T.DBT_MS
