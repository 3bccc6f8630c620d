/*---
rule: prefetch.wait-high
title: Agents wait for prefetchers
lane: performance
takes_effect: immediately
applies: {workload: [bi, mixed], not: [purescale], quiet: true}
judged_by: load
needs: [tablespace.TBSP_EXTENT_SIZE, cat_tablespace.PREFETCHSIZE, container.CONTAINER_NAME,
  workload.PREFETCH_WAIT_TIME, workload.PREFETCH_WAITS, registry.REG_VAR_VALUE]
object: TABLESPACE {TBSP_NAME:text}
claims: {PREFETCH_WAIT: {events: WAITS, cost_ms: WAIT_MS}}
recover: [0.1, 0.3, 0.6]
confidence: CONFIDENCE
exclusive: prefetch
defers_to:
  - {rule: prefetch.size-misaligned, within: object}
  - {rule: prefetch.parallel-io-unset, within: any}
  - {rule: prefetch.ioservers-low, within: any}
  - {rule: storage.io-latency-high, within: any, only_if_larger: true}
actions:
  - set: {name: PREFETCHSIZE, from: '{PREFETCHSIZE}', to: '{TWICE_ALL_DISKS}', unit: pages}
finding: >-
  Agents wait {WAIT_MS:1} ms for a prefetcher whose read takes {REQUEST_MS:1} ms. Requests queue: prefetch size
  {PREFETCHSIZE} is too short.
evidence: [PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2, PREFETCH_WAITS, ms_per_wait=WAIT_MS:2,
  ms_per_prefetch=REQUEST_MS:2, TBSP_EXTENT_SIZE, containers=CONTAINERS]
references:
  - x445, "Optimizing disk I/O"
why: >-
  Queued prefetch requests finish after the agent needs the pages. Requesting twice as much at a time keeps the
  prefetchers ahead of the scan.
not_if: >-
  The size is AUTOMATIC (prefetch.automatic-behind), 0, or twice what all disks read in parallel; one prefetch already
  uses every disk of the arrays (strip x disks x containers); transaction processing or temporary table space.
note: >-
  This is the last remedy: the rules for wrong sizes, DB2_PARALLEL_IO, the number of prefetchers and slow disks come
  first.
---*/
SELECT
    S.TBSP_NAME,
    S.PREFETCHSIZE,
    2 * S.WHOLE_SIZE AS TWICE_ALL_DISKS,
    S.TBSP_EXTENT_SIZE,
    S.CONTAINERS,
    S.REQUEST_MS,
    S.PREFETCH_WAITS,
    S.PREFETCH_WAIT_PCT,
    CAST(FLOOR(S.P_BI * S.PREFETCH_WAITS) AS BIGINT) AS WAITS,
    S.WAIT_MS,
    -- one prefetch may already use every disk of an unknown array
    CASE WHEN S.PREFETCH_STAR IS NULL THEN 0.3 ELSE 0.6 END AS CONFIDENCE
FROM TUNE.PREFETCHING AS S
CROSS JOIN TUNE.DATABASE_TIME AS D
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    S.CONTAINERS > 0
    AND S.CLASS <> 'OLTP'
    AND S.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND S.ASYNC_READS >= CONST.ENOUGH_PAGES
    AND D.PREFETCH_WAIT_PCT >= SITE.MAJOR_PCT
    AND S.PREFETCH_WAITS >= CONST.ENOUGH_EVENTS
    AND S.WAIT_MS >= CONST.QUEUE_FACTOR * S.REQUEST_MS
    -- a size that is aligned, and not yet twice the size that reads all disks at once
    AND S.PREFETCHSIZE >= S.WHOLE_SIZE
    AND MOD(S.PREFETCHSIZE, NULLIF(S.TBSP_EXTENT_SIZE, 0)) = 0
    AND S.PREFETCHSIZE < 2 * S.WHOLE_SIZE
    AND 2 * S.WHOLE_SIZE <= 32767
    AND (S.PREFETCH_STAR IS NULL OR S.PREFETCHSIZE < S.PREFETCH_STAR)
