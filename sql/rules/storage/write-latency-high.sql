/*---
rule: storage.write-latency-high
title: Slow writes by page cleaners
lane: performance
severity: low
takes_effect: host change
applies: {quiet: true}
steps_need: disks
judged_by: rates
needs: [tablespace.POOL_DATA_WRITES, tablespace.POOL_WRITE_TIME, tablespace.POOL_ASYNC_WRITE_TIME]
needs_timed: [workload.POOL_WRITE_TIME, container.CONTAINER_NAME]
asks: [host.device]
object: DATABASE
claims: {POOL_WRITE: {events: AGENT_WRITES, cost_ms: EXCESS_MS}}
recover: [0.3, 0.6, 1.0]
confidence: CONFIDENCE
thresholds:
  min_pages: {default: 5000, from: own, why: too few pages written by page cleaners for an average}
  slow_ms: {default: 20, from: own, why: 'per page, for rotating disks'}
  slow_flash_ms: {default: 5, from: own, why: 'per page, for flash'}
  slow_unknown_ms: {default: 10, from: own, why: 'per page, unknown medium; a write cache answers in one or two ms'}
actions:
  - when: RAID_LEVEL IS NOT NULL
    manual: >-
      Put the most-written data of {DEVICE:text} on RAID 10, or behind more write cache: a small write to RAID
      {RAID_LEVEL:text} reads and writes data and parity.
  - manual: >-
      Check the write cache of the storage (enabled, protected by battery or NVRAM, large enough), and move the
      most-written data to faster disks.
finding:
  - >-
    Page cleaners take {MS_PER_PAGE:1} ms to write a page, most for {TBSP_NAME:text}; the normal maximum is
    {NORMAL_MS:1} ms. Slow table spaces: {SLOW_SPACES}.
  - choose:
      - {when: POOL_WRITE_PCT IS NOT NULL, text: 'Agents wait for writes {POOL_WRITE_PCT:2} % of the time.'}
      - >-
        Agents wrote {AGENT_WRITES} pages of them themselves; their waits' share of database time is unknown.
query: >-
  SELECT TBSP_NAME, POOL_WRITE_TIME, POOL_ASYNC_WRITE_TIME, POOL_DATA_WRITES, POOL_INDEX_WRITES, POOL_ASYNC_DATA_WRITES,
  POOL_ASYNC_INDEX_WRITES FROM TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T
evidence: [ms_per_page_of_cleaners=MS_PER_PAGE:1, pages_written_by_cleaners=ASYNC_WRITES, tablespace=TBSP_NAME:text,
  'POOL_WRITE_TIME_pct=POOL_WRITE_PCT:2?', 'raid_level=RAID_LEVEL:text?']
references:
  - system-z, more non-volatile storage for writes
  - vmware-netapp, section 5.2, RAID-DP with NVRAM
why: >-
  Page cleaners write in the background. Only if they fall behind do agents wait for writes, because they find no clean
  page. A non-volatile write cache answers at once and writes in order.
not_if: Writes are normal for the medium of their table space; agents hardly wait for writes
  (2 % of database time, or of the interval if database time is unknown); a utility ran.
note: >-
  Each table space is judged by its medium, at lower confidence if it is unknown. The claim is the agents' own
  writes to slow table spaces times the excess over half of the normal maximum. More cleaners do not make a slow disk
  faster: their rules count how often cleaners are triggered, this one measures their time.
---*/
WITH WRITE_TIME AS (
    SELECT
        T.TBSP_NAME,
        T.ASYNC_WRITES,
        T.ROTATIONAL,
        T.WRITES - T.ASYNC_WRITES AS AGENT_WRITES,
        T.SYNC_WRITE_MS,
        CAST(T.ASYNC_WRITE_MS AS DOUBLE) / NULLIF(T.ASYNC_WRITES, 0) AS MS_PER_PAGE,
        CASE T.ROTATIONAL WHEN 0 THEN O.SLOW_FLASH_MS WHEN 1 THEN O.SLOW_MS ELSE O.SLOW_UNKNOWN_MS END AS NORMAL_MS
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.O_STORAGE_WRITE_LATENCY_HIGH AS O
),
SLOW AS (
    SELECT
        W.*,
        COUNT(*) OVER () AS SLOW_SPACES,
        SUM(ASYNC_WRITES) OVER () AS ALL_WRITES,
        SUM(AGENT_WRITES) OVER () AS ALL_AGENT_WRITES,
        SUM(SYNC_WRITE_MS) OVER () AS ALL_WRITE_MS,
        SUM(AGENT_WRITES * NORMAL_MS) OVER () AS ALL_NORMAL_MS,
        ROW_NUMBER() OVER (ORDER BY ASYNC_WRITES DESC, TBSP_NAME) AS PLACE
    FROM WRITE_TIME AS W
    WHERE MS_PER_PAGE > NORMAL_MS
),
PARITY AS (
    -- the first of their arrays whose parity turns a small write into four or more
    SELECT
        V.RAID_LEVEL,
        V.DEVICE,
        ROW_NUMBER() OVER (ORDER BY S.PLACE, V.HOST, V.DEVICE) AS PLACE
    FROM SLOW AS S
    INNER JOIN TUNE.CONTAINER AS C ON S.TBSP_NAME = C.TBSP_NAME
    INNER JOIN TUNE.HOST AS H ON C.MEMBER = H.MEMBER
    INNER JOIN TUNE.DATA_DEVICE AS V ON H.HOST_NAME = V.HOST AND C.DEVICE = V.DEVICE
    WHERE V.RAID_LEVEL IN ('5', '5E', '6', '50', '60')
)
SELECT
    P.RAID_LEVEL,
    P.DEVICE,
    S.TBSP_NAME,
    S.SLOW_SPACES,
    S.MS_PER_PAGE,
    S.NORMAL_MS,
    S.ALL_WRITES AS ASYNC_WRITES,
    S.ALL_AGENT_WRITES AS AGENT_WRITES,
    CAST(S.ALL_WRITE_MS - CONST.MEDIUM_PART * S.ALL_NORMAL_MS AS DOUBLE) / NULLIF(S.ALL_AGENT_WRITES, 0) AS EXCESS_MS,
    CASE WHEN S.ROTATIONAL IS NULL THEN 0.3 ELSE 0.6 END AS CONFIDENCE,
    T.POOL_WRITE_PCT
FROM SLOW AS S
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.JUDGED_TIME AS J
CROSS JOIN TUNE.O_STORAGE_WRITE_LATENCY_HIGH AS O
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
LEFT JOIN PARITY AS P ON P.PLACE = 1
WHERE
    J.RULE = 'storage.write-latency-high'
    AND S.PLACE = 1
    AND S.ALL_WRITES >= O.MIN_PAGES
    AND (
        T.POOL_WRITE_PCT >= SITE.SMALL_PCT
        OR (J.DBT_MS IS NULL AND S.ALL_WRITE_MS >= 10 * SITE.SMALL_PCT * T.SECONDS)
    )
