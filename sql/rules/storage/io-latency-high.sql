/*---
rule: storage.io-latency-high
title: Slow reads from disk
lane: performance
severity: low
takes_effect: host change
risk: medium
applies: {quiet: true}
steps_need: disks
judged_by: rates
needs: [tablespace.POOL_READ_TIME, tablespace.POOL_ASYNC_READ_TIME]
needs_timed: [workload.POOL_READ_TIME, container.CONTAINER_NAME]
asks: [host.device]
object: DATABASE
claims:
  POOL_READ: {events: SLOW_READS, cost_ms: EXCESS_MS}
  PREFETCH_WAIT: {events: SLOW_WAITS, cost_ms: EXCESS_WAIT_MS}
recover: [0.3, 0.8, 1.0]
confidence: CONFIDENCE
defers_to:
  - {rule: storage.hot-container, within: any, only_if_larger: true}
thresholds:
  min_read_pct: {default: 15, from: own, why: percent of database time that agents wait for slow reads and prefetches}
  async_factor:
    default: 3
    from: own
    why: prefetches queue, and may take this much longer than a page
  kb_per_ms: {default: 100, from: own, why: plus the time to read the data at 100 MB/s}
  full_cpu_pct: {default: 95, from: own, why: 'agents then wait for a processor after the read: reads look slow'}
  min_busy_pct: {default: 80, from: own, why: a device that is nearly always busy}
  queue_per_disk: {default: 2, from: own, why: more waiting requests per disk than this}
actions:
  - when: SIBLINGS_MS IS NOT NULL
    manual: >-
      Compare the storage of member {FAR_MEMBER} with its siblings' (devices, paths, cache, other users of its arrays)
      and make it like theirs. Until then move clients to the other members.
  - set:
      kind: TABLESPACE
      object: '{FASTER_SPACE:text}'
      name: STOGROUP
      from: '{STORAGE_GROUP_NAME:text}'
      to: '{NEW_GROUP:text}'
    takes_effect: immediately
  - when: FASTER_SPACE IS NOT NULL
    takes_effect: immediately
    manual: >-
      Db2 now moves the {GB:1} GB of {FASTER_SPACE:text} online: throttle it (SET UTIL_IMPACT_PRIORITY), at a quiet
      time.
  - choose:
      - when: FASTER_SPACE IS NULL AND TOO_FEW = 1
        manual: >-
          Add disks for the containers, on more arrays, adapters and paths, or use faster ones; {DEVICE:text} is[
          {BUSY_PCT} %] busy[ with {QUEUE_LENGTH} requests waiting].
      - when: FASTER_SPACE IS NULL
        manual: >-
          Find the place where reads wait (disks, array, adapter, path). Add disks or paths there, or use faster ones.
  - when: CPU_FULL = 1
    manual: >-
      Reduce the load on the processors first ({CPU_USAGE_TOTAL} % busy): after a read the agent waits for one, and that
      time counts as reading.
finding:
  - when: READ_SLOW = 1
    text: >-
      Agents wait {READ_MS:1} ms for a page[ on member {ONE_MEMBER}], most for {TBSP_NAME:text}; the normal maximum for
      {MEDIUM:text} is {NORMAL_MS:1} ms[, and {SIBLINGS_MS:1} ms are usual on the other members]. Slow table spaces:
      {SLOW_SPACES}.
  - when: FASTER_MS IS NOT NULL
    text: 'Storage group {NEW_GROUP:text}, which has room for it, takes {FASTER_MS:1} ms.'
  - when: REQUEST_SLOW = 1
    text: >-
      Prefetchers take {REQUEST_MS:1} ms for {REQUEST_KB} KB of {TBSP_NAME:text} while agents wait; the normal maximum
      is {NORMAL_REQUEST_MS:1} ms.
  - when: TOO_FEW = 1
    text: >-
      Too few disks: processors are {CPU_USAGE_TOTAL} % busy while {DEVICE:text} is[ {BUSY_PCT} %] busy[ with
      {QUEUE_LENGTH} requests waiting].
  - {when: UNTIMED = 1, text: '{SLOW_READS} slow reads; their share of database time is unknown.'}
query: >-
  SELECT TBSP_NAME, POOL_READ_TIME, POOL_ASYNC_READ_TIME, POOL_DATA_P_READS, POOL_INDEX_P_READS, POOL_ASYNC_DATA_READS,
  POOL_ASYNC_INDEX_READS FROM TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T
evidence: [ms_per_synchronous_read=READ_MS:1, synchronous_reads=SLOW_READS, tablespace=TBSP_NAME:text,
  'read_and_prefetch_pct=READ_PCT:2?', 'ms_per_prefetch=REQUEST_MS:1?', 'kb_per_prefetch=REQUEST_KB?',
  'CPU_USAGE_TOTAL?', 'device=DEVICE:text?']
references:
  - 'x445, "Disk drive technology" and "Verifying": too few disks, low CPU use, long queues'
  - 'system-z: more small disks rather than few large ones'
why: >-
  An agent that needs a page waits for the disk. Reads that take longer than a disk's seek and rotation wait in a queue.
  Only more or faster disks, adapters or paths shorten it.
not_if: >-
  Reads are normal for the medium of their table space and, on each member, like its siblings', and no
  storage group of another medium with room for it reads four times as fast; slow reads take less than 15 % of an
  average member's time, or 5 % of the interval if database time is unknown; a utility ran.
note: >-
  If statements that read many rows for each one they use cause half of the reads, the confidence is low: an index comes
  before new disks. Site options set the normal maximum: 10 ms for rotating disks, 2 ms on flash. If the medium is
  unknown, it is 5 ms, or four times the read time of the database's fastest table space, at lower confidence. Each
  table space is judged by its own medium, so that an archive on disks does not hide slow flash. A medium reaches half
  of its maximum, and an unknown medium counts as rotating disks here: the claim is the reads of slow table spaces times
  the excess over that. A table space changes its
  storage group only if host facts show it on rotating disks, and the other group on another medium with free space. Db2
  then moves all its extents online.
---*/
WITH PIECE AS (
    -- a table space on a member: a mean over the members would hide slow storage of one
    SELECT
        T.TBSP_NAME,
        T.NORMAL_MS,
        T.ROTATIONAL,
        T.TBSP_PAGE_SIZE,
        T.WAIT_MS,
        R.MEMBER,
        R.SYNC_READS,
        R.SYNC_READ_MS,
        R.ASYNC_READS,
        R.ASYNC_READ_REQS,
        CAST(R.SYNC_READ_MS AS DOUBLE) / NULLIF(R.SYNC_READS, 0) AS READ_MS,
        CAST(R.ASYNC_READ_MS AS DOUBLE) / NULLIF(R.ASYNC_READ_REQS, 0) AS REQUEST_MS,
        COALESCE(T.SHARE_PCT * CAST(R.SYNC_READ_MS AS DOUBLE) / NULLIF(T.SYNC_READ_MS, 0), 0) AS SHARE_PCT,
        COALESCE(T.PREFETCH_WAIT_PCT * CAST(R.ASYNC_READS AS DOUBLE) / NULLIF(T.ASYNC_READS, 0), 0)
            AS PREFETCH_WAIT_PCT,
        COALESCE(T.PREFETCH_WAITS * CAST(R.ASYNC_READS AS DOUBLE) / NULLIF(T.ASYNC_READS, 0), 0) AS PREFETCH_WAITS
    FROM TUNE.TABLESPACE AS T
    INNER JOIN TUNE.TABLESPACE_READS AS R ON T.TBSP_NAME = R.TBSP_NAME
    WHERE T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP') -- spills end with their cause
),
MEASURED AS (
    SELECT
        T.*,
        CAST(T.ASYNC_READS AS DOUBLE) * T.TBSP_PAGE_SIZE / NULLIF(1024 * T.ASYNC_READ_REQS, 0) AS REQUEST_KB,
        CASE
            WHEN T.READ_MS > T.NORMAL_MS OR F.FASTER_MS IS NOT NULL OR S.USUAL_COST IS NOT NULL THEN 1 ELSE 0
        END AS READ_SLOW,
        LEAST(
            CASE
                -- an unknown medium claims no more than the slowest medium would
                WHEN T.ROTATIONAL IS NULL AND T.NORMAL_MS >= SITE.READ_MS_UNKNOWN
                    THEN LEAST(CONST.MEDIUM_PART * SITE.READ_MS_DISK, T.NORMAL_MS)
                ELSE LEAST(CONST.MEDIUM_PART * T.NORMAL_MS, COALESCE(F.FASTER_MS, CONST.MEDIUM_PART * T.NORMAL_MS))
            END,
            COALESCE(S.USUAL_COST, T.NORMAL_MS)
        ) AS TARGET_MS,
        F.FASTER_MS,
        S.USUAL_COST AS SIBLINGS_MS
    FROM PIECE AS T
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN TUNE.O_SITE AS SITE
    LEFT JOIN TUNE.FASTER_GROUP AS F ON T.TBSP_NAME = F.TBSP_NAME
    LEFT JOIN TUNE.SIBLING AS S ON S.MEASURE = 'READ' AND T.TBSP_NAME = S.NAME AND T.MEMBER = S.MEMBER AND S.FAR = 1
),
BOUNDED AS (
    SELECT
        M.*,
        O.ASYNC_FACTOR * M.NORMAL_MS + M.REQUEST_KB / CAST(NULLIF(O.KB_PER_MS, 0) AS DOUBLE) AS NORMAL_REQUEST_MS,
        O.ASYNC_FACTOR * M.TARGET_MS + M.REQUEST_KB / CAST(NULLIF(O.KB_PER_MS, 0) AS DOUBLE) AS TARGET_REQUEST_MS
    FROM MEASURED AS M
    CROSS JOIN TUNE.O_STORAGE_IO_LATENCY_HIGH AS O
),
SLOW AS (
    SELECT
        B.*,
        CASE WHEN REQUEST_MS > NORMAL_REQUEST_MS AND WAIT_MS > 0 THEN 1 ELSE 0 END AS REQUEST_SLOW,
        WAIT_MS * (1 - CAST(TARGET_REQUEST_MS AS DOUBLE) / NULLIF(REQUEST_MS, 0)) AS EXCESS_WAIT_MS,
        ROW_NUMBER() OVER (
            ORDER BY
                READ_SLOW * SHARE_PCT + CASE WHEN REQUEST_MS > NORMAL_REQUEST_MS THEN PREFETCH_WAIT_PCT ELSE 0 END DESC,
                READ_SLOW * SYNC_READ_MS DESC, TBSP_NAME, MEMBER
        ) AS PLACE
    FROM BOUNDED AS B
    WHERE READ_SLOW = 1 OR (REQUEST_MS > NORMAL_REQUEST_MS AND WAIT_MS > 0)
),
READS AS (
    SELECT
        COUNT(DISTINCT TBSP_NAME) AS SLOW_SPACES,
        CASE WHEN MIN(MEMBER) = MAX(MEMBER) THEN MIN(MEMBER) END AS SLOW_MEMBER,
        SUM(READ_SLOW * SYNC_READS) AS SLOW_READS,
        SUM(READ_SLOW * SYNC_READ_MS) AS SLOW_MS,
        NULLIF(SUM(READ_SLOW * SHARE_PCT + REQUEST_SLOW * PREFETCH_WAIT_PCT), 0) AS READ_PCT,
        CAST(SUM(READ_SLOW * SYNC_READS * (READ_MS - TARGET_MS)) AS DOUBLE) / NULLIF(SUM(READ_SLOW * SYNC_READS), 0)
            AS EXCESS_MS,
        COALESCE(SUM(REQUEST_SLOW * PREFETCH_WAITS), 0) AS SLOW_WAITS,
        CAST(SUM(REQUEST_SLOW * PREFETCH_WAITS * EXCESS_WAIT_MS) AS DOUBLE)
        / NULLIF(SUM(REQUEST_SLOW * PREFETCH_WAITS), 0) AS EXCESS_WAIT_MS
    FROM SLOW
),
WORST AS (
    -- in relation to an average member
    SELECT MAX(M.MEMBERS * W.PCT) AS WORST_PCT, MAX(M.MEMBERS) AS MEMBERS
    FROM (
        SELECT MEMBER, SUM(READ_SLOW * SHARE_PCT + REQUEST_SLOW * PREFETCH_WAIT_PCT) AS PCT
        FROM SLOW
        GROUP BY MEMBER
    ) AS W
    CROSS JOIN (SELECT COUNT(*) AS MEMBERS FROM TUNE.MEMBER_TIME) AS M
),
BUSY_DEVICE AS (
    -- the busiest device with their containers, if the host facts name it
    SELECT
        C.DEVICE,
        MAX(C.BUSY_PCT) AS BUSY_PCT,
        MAX(C.QUEUE_LENGTH) AS QUEUE_LENGTH,
        ROW_NUMBER() OVER (
            ORDER BY MAX(COALESCE(C.BUSY_PCT, 0)) DESC, MAX(COALESCE(C.QUEUE_LENGTH, 0)) DESC, C.DEVICE
        ) AS PLACE
    FROM TUNE.CONTAINER AS C
    INNER JOIN SLOW AS S ON C.TBSP_NAME = S.TBSP_NAME
    CROSS JOIN TUNE.O_STORAGE_IO_LATENCY_HIGH AS O
    WHERE C.BUSY_PCT > O.MIN_BUSY_PCT OR C.QUEUE_LENGTH > O.QUEUE_PER_DISK * COALESCE(C.DATA_DISKS, 1)
    GROUP BY C.DEVICE
),
JUDGED AS (
    SELECT
        R.*,
        S.TBSP_NAME,
        S.READ_MS,
        S.REQUEST_MS,
        S.REQUEST_KB,
        S.NORMAL_REQUEST_MS,
        S.READ_SLOW,
        S.REQUEST_SLOW,
        S.NORMAL_MS,
        S.ROTATIONAL,
        S.FASTER_MS,
        S.SIBLINGS_MS,
        CASE WHEN S.SIBLINGS_MS IS NOT NULL THEN S.MEMBER END AS FAR_MEMBER,
        CASE WHEN W.MEMBERS > 1 THEN R.SLOW_MEMBER END AS ONE_MEMBER,
        Q.DEVICE,
        Q.BUSY_PCT,
        Q.QUEUE_LENGTH,
        P.CPU_USAGE_TOTAL,
        CASE WHEN Q.DEVICE IS NOT NULL AND P.CPU_USAGE_TOTAL < SITE.IDLE_CPU_PCT THEN 1 ELSE 0 END AS TOO_FEW,
        CASE WHEN P.CPU_USAGE_TOTAL >= O.FULL_CPU_PCT THEN 1 ELSE 0 END AS CPU_FULL,
        CASE WHEN R.READ_PCT IS NULL THEN 1 ELSE 0 END AS UNTIMED
    FROM READS AS R
    INNER JOIN SLOW AS S ON S.PLACE = 1
    CROSS JOIN WORST AS W
    CROSS JOIN (SELECT MAX(CPU_USAGE_TOTAL) AS CPU_USAGE_TOTAL FROM TUNE.HOST) AS P
    CROSS JOIN TUNE.O_STORAGE_IO_LATENCY_HIGH AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN BUSY_DEVICE AS Q ON Q.PLACE = 1
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.JUDGED_TIME AS J
    WHERE
        J.RULE = 'storage.io-latency-high'
        AND R.SLOW_READS + R.SLOW_WAITS >= CONST.ENOUGH_EVENTS
        AND (
            W.WORST_PCT >= O.MIN_READ_PCT
            -- agents waited this long for them
            OR (J.DBT_MS IS NULL AND R.SLOW_MS >= 10 * SITE.HIGH_PCT * T.SECONDS)
        )
)
SELECT
    J.*,
    CASE J.ROTATIONAL WHEN 0 THEN 'flash' WHEN 1 THEN 'disks that turn' ELSE 'any medium of today' END AS MEDIUM,
    F.TBSP_NAME AS FASTER_SPACE,
    F.STORAGE_GROUP_NAME,
    F.NEW_GROUP,
    F.GB,
    CASE
        WHEN J.CPU_FULL = 1 OR I.AVOIDABLE_PART >= I.MAIN_PART THEN 0.3
        WHEN J.TOO_FEW = 1 THEN 0.9
        WHEN J.ROTATIONAL IS NULL THEN 0.4
        ELSE 0.6
    END AS CONFIDENCE
FROM JUDGED AS J
CROSS JOIN (
    -- reads of statements that read many rows for each one used: an index or new statistics come before disks
    SELECT
        CAST(SUM(CASE WHEN X.ROWS_READ >= CONST.MANY_PER_ROW * X.ROWS_USED THEN X.READS ELSE 0 END) AS DOUBLE)
        / NULLIF(SUM(X.READS), 0) AS AVOIDABLE_PART,
        MAX(CONST.MAIN_PART) AS MAIN_PART
    FROM TUNE.STATEMENT AS X
    CROSS JOIN TUNE.CONSTANT AS CONST
) AS I
LEFT JOIN TUNE.FASTER_GROUP AS F ON 1 = 1
