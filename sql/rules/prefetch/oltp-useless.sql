/*---
rule: prefetch.oltp-useless
title: Prefetching hurts random reads
lane: performance
takes_effect: immediately
applies: {workload: [oltp, mixed], quiet: true}
steps_need: no_prefetch
judged_by: load
needs: [cat_tablespace.PREFETCHSIZE, tablespace.UNREAD_PREFETCH_PAGES, workload.PREFETCH_WAIT_TIME,
  workload.SELECT_SQL_STMTS, cat_table.TABLEORG, tablespace.POOL_READ_TIME]
object: TABLESPACE {TBSP_NAME:text}
claims: {PREFETCH_WAIT: {events: SAVED_WAITS, cost_ms: WAIT_MS}, POOL_READ: {events: SAVED_READS, cost_ms: RANDOM_MS}}
recover: [LEAST_PART, LIKELY_PART, MOST_PART]
confidence: CONFIDENCE
exclusive: prefetch
thresholds:
  max_rows_per_select: {default: 10, from: own, why: 'with more rows per SELECT, scans are part of the work'}
  min_async_part: {default: 0.15, from: own, why: 'below 15 % of the pages, prefetching does no harm'}
  min_unread_part: {default: 0.1, from: own, why: a tenth of the prefetched pages leaves the pool unread}
  wasted_part:
    default: 0.8
    from: model
    why: at this part of unread pages prefetching is useless, even with AUTOMATIC
actions:
  - set: {name: PREFETCHSIZE, from: '{OLD_SIZE:text}', to: '0', unit: pages}
finding: >-
  Prefetchers read {ASYNC_PCT} % of the pages of this table space, which has random reads; {UNREAD_PCT} % of them were
  never used[; a SELECT returns {ROWS_PER_SELECT:1} rows]. Agents waited {PREFETCH_WAITS} times, {WAIT_MS:1} ms each;
  their own reads take {RANDOM_MS:1} ms.
evidence: [pages_prefetched=ASYNC_READS, physical_reads=PHYSICAL_READS, UNREAD_PREFETCH_PAGES,
  PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2, 'rows_per_select=ROWS_PER_SELECT:2?']
references:
  - 'system-z, milestones and "Read-ahead setup" (prefetch and read-ahead off: +43 %)'
why: >-
  Transactions read single pages at random. Neighbouring pages from prefetchers are seldom used, but keep the disks busy
  and push needed pages out of the buffer pool.
not_if: >-
  All prefetched pages are used; the agents' own reads would take longer than their waits, even if four fifths of the
  pages are never used, as with runs of a few pages; prefetchers read most pages; prefetch is already off, or AUTOMATIC
  (unless four fifths of the pages are never used); analytics or temporary table space; column-organized tables; a
  utility ran.
note: >-
  Without prefetching, agents do not wait for it, they read each used page themselves, and unused pages take no space in
  the pool: the claim is the sum of these three effects. If four fifths are unused, the pool gains the space of these
  pages; the saving is calculated by Zipf's law. One interval does not show a nightly batch that scans the same table
  space: check a whole day. SEQDETECT NO is a milder change, for index scans only. IBM's manual allows prefetch size 0
  (dft_prefetch_sz) without describing its effect; the paper states that it stops prefetching. Since 10.1 Db2 also
  prefetches adaptively (smart prefetching), which 0 may not stop: low confidence.
---*/
WITH ROOM AS (
    -- the pages that a pool holds and finds, without the part that unread pages occupy
    SELECT
        BP_NAME,
        LEAST(1, CAST(BP_CUR_BUFFSZ AS DOUBLE) / NULLIF(USED_PAGES, 0)) AS HELD_PART,
        1 - LEAST(0.999, UNREAD_READS / CAST(NULLIF(PHYSICAL_READS, 0) AS DOUBLE)) AS USEFUL_PART,
        (LOGICAL_READS - TEMP_LOGICAL_READS - PHYSICAL_READS + TEMP_PHYSICAL_READS + UNREAD_READS)
        / CAST(NULLIF(LOGICAL_READS - TEMP_LOGICAL_READS, 0) AS DOUBLE) AS HIT_PART
    FROM TUNE.BUFFERPOOL
    WHERE PHYSICAL_READS > 0 AND USED_PAGES > 0
),
FREED AS (
    SELECT
        BP_NAME,
        (
            POWER(HELD_PART, CAST(LN(HIT_PART) AS DOUBLE) / NULLIF(LN(USEFUL_PART * HELD_PART), 0)) - HIT_PART
        ) / CAST(NULLIF(1 - HIT_PART, 0) AS DOUBLE) AS SAVED_PART
    FROM ROOM
    WHERE HIT_PART > 0 AND HIT_PART < 1 AND USEFUL_PART < 1
),
SPACE AS (
    SELECT
        T.*,
        COALESCE(F.SAVED_PART, 0) AS SAVED_PART,
        CASE WHEN T.UNREAD_PART >= O.WASTED_PART THEN 1 ELSE 0 END AS WASTED,
        -- in milliseconds: the pages that agents would have to read themselves, less the evicted ones
        GREATEST(0, T.USED_READS - T.UNREAD_READS) * T.RANDOM_MS AS MORE_MS,
        -- reads that the pool saves with the space of the unread pages, less the used pages
        COALESCE(F.SAVED_PART, 0) * (T.SYNC_READS + T.USED_READS) - T.USED_READS AS NET_READS
    FROM TUNE.PREFETCHING AS T
    CROSS JOIN TUNE.O_PREFETCH_OLTP_USELESS AS O
    LEFT JOIN FREED AS F ON T.BPNAME = F.BP_NAME
    WHERE
        (T.PREFETCHSIZE > 0 OR (T.PREFETCH_AUTOMATIC = 1 AND T.UNREAD_PART >= O.WASTED_PART))
        AND (T.CLASS <> 'BI' OR T.UNREAD_PART >= O.WASTED_PART)
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
        AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TBSPACE = T.TBSP_NAME AND C.TABLEORG = 'C')
)
SELECT
    S.TBSP_NAME,
    CASE WHEN S.PREFETCHSIZE > 0 THEN CAST(S.PREFETCHSIZE AS VARCHAR(20)) ELSE 'AUTOMATIC' END AS OLD_SIZE,
    S.ASYNC_READS,
    S.PHYSICAL_READS,
    S.UNREAD_READS AS UNREAD_PREFETCH_PAGES,
    S.PREFETCH_WAIT_PCT,
    S.PREFETCH_WAITS,
    100 * S.ASYNC_PART AS ASYNC_PCT,
    100 * S.UNREAD_PART AS UNREAD_PCT,
    K.ROWS_PER_SELECT,
    CASE WHEN B.DB2_LEVEL < 10010000 THEN 0.6 ELSE 0.3 END AS CONFIDENCE,
    -- if all prefetching is waste, the pool's other table spaces gain, too, and the queues of the disks shrink
    CASE WHEN S.WASTED = 1 THEN 0.4 ELSE 0.5 END AS LEAST_PART,
    CASE WHEN S.WASTED = 1 THEN 1 ELSE 0.9 END AS LIKELY_PART,
    CASE WHEN S.WASTED = 1 THEN 4 ELSE 1 END AS MOST_PART,
    CAST(FLOOR(ROUND(CASE
        WHEN S.WASTED = 1
            THEN GREATEST(0, S.PREFETCH_WAITS + COALESCE(
                LEAST(0, S.NET_READS) * S.RANDOM_MS / CAST(NULLIF(S.WAIT_MS, 0) AS DOUBLE), 0
            ))
        ELSE
            S.P_OLTP
            * GREATEST(0, S.PREFETCH_WAITS - COALESCE(S.MORE_MS / CAST(NULLIF(S.WAIT_MS, 0) AS DOUBLE), 0))
    END, 6)) AS BIGINT) AS SAVED_WAITS,
    S.WAIT_MS,
    CAST(FLOOR(ROUND(CASE
        WHEN S.WASTED = 1 THEN GREATEST(0, S.NET_READS)
        ELSE S.P_OLTP * GREATEST(0, S.UNREAD_READS - S.USED_READS)
    END, 6)) AS BIGINT) AS SAVED_READS,
    S.RANDOM_MS
FROM SPACE AS S
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.RUN_DATABASE AS B
CROSS JOIN TUNE.O_PREFETCH_OLTP_USELESS AS O
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    S.ASYNC_READS >= CONST.ENOUGH_PAGES
    AND S.ASYNC_PART >= O.MIN_ASYNC_PART
    AND (
        (S.WASTED = 1 AND S.PREFETCH_WAITS * S.WAIT_MS + S.NET_READS * S.RANDOM_MS > 0)
        OR (
            S.WASTED = 0
            AND (K.CLASS = 'OLTP' OR S.CLASS = 'OLTP')
            AND K.ROWS_PER_SELECT < O.MAX_ROWS_PER_SELECT
            AND S.ASYNC_PART <= CONST.ONLY_SCANS_PART
            AND S.UNREAD_PART >= O.MIN_UNREAD_PART
            AND (S.UNREAD_READS > S.USED_READS OR S.PREFETCH_WAITS * S.WAIT_MS > S.MORE_MS)
        )
    )
