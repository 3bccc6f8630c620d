/*---
rule: prefetch.automatic-behind
title: Agents wait for prefetchers although settings are sufficient
lane: performance
takes_effect: immediately
applies: {not: [purescale], from: '9.1', quiet: true}
judged_by: load
needs: [tablespace.TBSP_EXTENT_SIZE, cat_tablespace.PREFETCHSIZE, container.CONTAINER_NAME,
  workload.PREFETCH_WAIT_TIME, registry.REG_VAR_VALUE, dbcfg.VALUE]
asks: [host.data_disks]
object: TABLESPACE {TBSP_NAME:text}
claims: {PREFETCH_WAIT: {events: WAITS, cost_ms: WAIT_MS}, POOL_READ: {events: LATE_READS, cost_ms: RANDOM_MS}}
recover: [0.1, 0.3, 0.6]
confidence: 0.3
exclusive: prefetch
defers_to:
  - {rule: prefetch.ioservers-low, within: any}
  - {rule: prefetch.parallel-io-unset, within: any}
  - {rule: prefetch.size-misaligned, within: object}
  - {rule: prefetch.wait-high, within: object}
  - {rule: tablespace.extent-small, within: object}
  - {rule: storage.io-latency-high, within: any, only_if_larger: true}
thresholds:
  busy_pct: {default: 90, from: own, why: a device that is nearly always busy serves no more prefetchers}
  full_part: {default: 0.7, from: own, why: prefetchers that read this part of the time leave requests in the queue}
  late_part: {default: 0.05, from: own, why: or agents overtake them for this part of the pages that they read}
  small_part: {default: 0.5, from: own, why: requests below this part of an extent are for scattered pages}
  slow_factor:
    default: 4
    from: own
    why: a request reads an extent, and may take this multiple of the time for one page
  few_reads: {default: 4, from: own, why: a prefetch split into fewer reads does not keep an array busy}
actions:
  - when: TEMPORARY = 1
    manual: >-
      Keep sorts and joins in memory: find the statements that spill (SORT_OVERFLOWS and HASH_JOIN_OVERFLOWS in
      MON_GET_PKG_CACHE_STMT). Add an index, reduce the rows, or raise SORTHEAP.
  - when: TEMPORARY = 0 AND SMALL = 1
    manual: >-
      Cluster the scanned tables: REORG them by the index that the scans use. A request gets {PAGES_PER_REQUEST:1}
      pages; an extent has {TBSP_EXTENT_SIZE}.
  - when: FEW = 1
    takes_effect: instance restart
    manual: >-
      Ask the storage administrator for N, the disks of each container: db2set DB2_PARALLEL_IO={TBSP_ID}:N (in addition
      to its present value), then db2stop and db2start. Db2 counts {DISKS} disks for each of {CONTAINERS} containers and
      reads {PARALLEL_READS} extents in parallel.
  - when: FULL_UP = 1 AND SLOW = 0
    takes_effect: database reactivation
    manual: >-
      Start more prefetchers than AUTOMATIC does, while the disks answer this fast: UPDATE DB CFG FOR {DB_NAME:alias}
      USING NUM_IOSERVERS {MORE_PREFETCHERS}. It takes effect at the next activation.
  - {when: SLOW = 1, manual: 'Find the place where requests wait (queue, path or array): they take {REQUEST_MS:1} ms.'}
  - when: TEMPORARY = 0
    manual: >-
      Read less: find the statements that scan {TBSP_NAME:text}, and add an index, select fewer columns, or compress the
      tables.
finding:
  - >-
    Agents wait {PREFETCH_WAIT_PCT:1} % of database time for prefetched pages of {TBSP_NAME:text}, {WAIT_MS:1} ms each
    time.
  - choose:
      - {when: PREFETCH_AUTOMATIC = 1, text: The prefetch size is automatic.}
      - Prefetch size {PREFETCHSIZE} reads all known disks in parallel.
  - >-
    {PREFETCHERS} prefetchers[, {READING:1} reading on average][ on member {BUSIEST_MEMBER}], {PARALLEL_READS} parallel
    reads[, {PAGES_PER_REQUEST:1} pages per request][, {REQUEST_MS:1} ms each].
  - {when: TEMPORARY = 1, text: These pages were spilled by sorts and joins.}
  - {when: LATE = 1, text: 'Agents overtook the prefetchers for {LATE_READS} pages.'}
evidence: [PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2, PREFETCH_WAITS, ms_per_wait=WAIT_MS:2,
  'ms_per_request=REQUEST_MS:2?', 'pages_per_request=PAGES_PER_REQUEST:1?', NUM_IOSERVERS=PREFETCHERS,
  'prefetchers_reading=READING:2?', containers=CONTAINERS, disks_per_container=DISKS, TBSP_EXTENT_SIZE,
  SKIPPED_PREFETCH_UOW=LATE_READS]
references:
  - IBM documentation of num_ioservers (r0000333) and DB2_PARALLEL_IO (r0005658)
  - 'Malte Schuenemann (IBM), Db2 Prefetching: Understanding, Configuring, Monitoring, Tuning (WP102804)'
why: >-
  AUTOMATIC counts containers and hardware threads. It does not see the disks behind a container or the number of
  concurrent scans. The measurements show the cause: prefetchers that read all the time, requests for few pages, slow
  requests, or agents that overtake them.
not_if: >-
  Agents wait less than 10 % of the time; the prefetch size or the number of prefetchers is too low (other rules report
  it); a utility ran.
note: >-
  A step beyond AUTOMATIC is manual, because it needs knowledge of the storage. Scans that are faster than any disk also
  wait.
---*/
SELECT
    S.TBSP_NAME,
    S.TBSP_ID,
    S.PREFETCHSIZE,
    S.PREFETCH_AUTOMATIC,
    B.DB_NAME,
    S.PREFETCH_WAIT_PCT,
    S.PREFETCH_WAITS,
    S.REQUEST_MS,
    S.PAGES_PER_REQUEST,
    S.TBSP_EXTENT_SIZE,
    S.CONTAINERS,
    S.DISKS,
    S.PARALLEL_READS,
    P.PREFETCHERS,
    CASE WHEN S.TBSP_CONTENT_TYPE IN ('SYSTEMP', 'USRTEMP') THEN 1 ELSE 0 END AS TEMPORARY,
    P.READING,
    P.BUSIEST_MEMBER,
    LEAST(255, 2 * P.PREFETCHERS) AS MORE_PREFETCHERS,
    CASE WHEN P.READING_PART >= O.FULL_PART AND COALESCE(Q.BUSY_PCT, 0) < O.BUSY_PCT THEN 1 ELSE 0 END AS FULL_UP,
    CASE WHEN S.LATE_READS >= O.LATE_PART * S.ASYNC_READS THEN 1 ELSE 0 END AS LATE,
    CASE WHEN S.PAGES_PER_REQUEST < O.SMALL_PART * S.TBSP_EXTENT_SIZE THEN 1 ELSE 0 END AS SMALL,
    CASE WHEN S.REQUEST_MS > O.SLOW_FACTOR * S.NORMAL_MS THEN 1 ELSE 0 END AS SLOW,
    CASE
        WHEN S.PARALLEL_READS < O.FEW_READS AND S.DATA_DISKS IS NULL AND COALESCE(S.ROTATIONAL, 1) = 1 THEN 1
        ELSE 0
    END AS FEW,
    CAST(FLOOR(S.PREFETCH_WAITS) AS BIGINT) AS WAITS,
    S.WAIT_MS,
    S.LATE_READS,
    S.RANDOM_MS
FROM TUNE.PREFETCHING AS S
CROSS JOIN TUNE.PREFETCHER AS P
CROSS JOIN TUNE.RUN_DATABASE AS B
LEFT JOIN (SELECT TBSP_NAME, MAX(BUSY_PCT) AS BUSY_PCT FROM TUNE.CONTAINER GROUP BY TBSP_NAME) AS Q
    ON S.TBSP_NAME = Q.TBSP_NAME
CROSS JOIN TUNE.O_PREFETCH_AUTOMATIC_BEHIND AS O
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    (
        S.PREFETCH_AUTOMATIC = 1
        OR (S.PREFETCHSIZE >= S.WHOLE_SIZE AND MOD(S.PREFETCHSIZE, NULLIF(S.TBSP_EXTENT_SIZE, 0)) = 0)
    )
    AND S.CONTAINERS > 0
    AND (P.AUTOMATIC = 1 OR P.PREFETCHERS >= P.ENOUGH)
    AND P.PREFETCH_WAIT_PCT >= SITE.MAJOR_PCT
    AND S.PREFETCH_WAIT_PCT >= SITE.HIGH_PCT
    AND S.PREFETCH_WAITS >= CONST.ENOUGH_EVENTS
