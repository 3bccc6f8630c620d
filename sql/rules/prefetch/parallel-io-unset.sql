/*---
rule: prefetch.parallel-io-unset
title: DB2_PARALLEL_IO is not set for RAID containers
lane: performance
lane_without_claim: condition
severity: low
takes_effect: instance restart
applies: {workload: [bi, mixed], not: [purescale]}
judged_by: structure
needs: [registry.REG_VAR_VALUE, cat_tablespace.PREFETCHSIZE, container.CONTAINER_NAME, host.strip_kb, host.data_disks,
  tablespace.TBSP_EXTENT_SIZE, system.HOST_NAME]
object: DATABASE
claims: {PREFETCH_WAIT: {events: WAITS, cost_ms: WAIT_MS}}
recover: [0, 0.5, 1.0]
confidence: 0.6
thresholds:
  max_containers: {default: 2, from: own, why: more containers keep an array's disks busy without the variable}
actions:
  - set: {kind: REGISTRY, name: DB2_PARALLEL_IO, to: '{NAMED:text}', unit: disks per container}
finding:
  - >-
    Each container of {TBSP_NAME:text} is on an array of {DATA_DISKS} data disks. An extent covers {TBSP_EXTENT_SIZE} of
    the {EXTENT_STAR} pages of a stripe; the automatic prefetch size counts one disk.
  - {when: SPACES > 1, text: 'The same applies to {SPACES} table spaces.'}
evidence: [tablespaces=SPACES, TBSP_NAME:text, containers=CONTAINERS, data_disks=DATA_DISKS, strip_kb=STRIP_KB,
  TBSP_EXTENT_SIZE, pages_prefetched=ASYNC_READS, PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2]
query: db2set -all DB2_PARALLEL_IO
references:
  - vmware-netapp, appendix A (DB2_PARALLEL_IO=*:5)
  - IBM documentation of DB2_PARALLEL_IO
why: >-
  With PREFETCHSIZE AUTOMATIC Db2 prefetches one extent per container, as for one disk. On an array the other disks are
  idle unless DB2_PARALLEL_IO sets their number.
not_if: >-
  The variable is set or waits for a restart; the prefetch size is fixed (the variable would change nothing); one extent
  already spans the stripe; flash; transaction processing or temporary table space; agents read longer
  themselves than they wait for prefetchers, on one of its devices or, if unknown, in total (they would wait for longer
  requests); 30 % of the prefetched pages are
  never used.
note: >-
  Silent if strip size and disks are unknown: a large LUN does not prove an array. The number is always set, because '*'
  alone means 6 disks for every container. '*:n' is used only if all table spaces except temporary ones are on such
  arrays. Otherwise the value lists up to eight table spaces by number. In other databases of the instance the same
  numbers are other table spaces: check them first.
---*/
WITH GAINING AS (
    SELECT
        T.*,
        CAST(T.TBSP_ID AS VARCHAR(20)) || ':' || CAST(T.DATA_DISKS AS VARCHAR(20)) AS ENTRY,
        ROW_NUMBER() OVER (ORDER BY T.PREFETCH_WAIT_PCT DESC, T.TBSP_ID) AS PLACE
    FROM TUNE.PREFETCHING AS T
    CROSS JOIN TUNE.PARALLEL_IO AS P
    CROSS JOIN TUNE.O_PREFETCH_PARALLEL_IO_UNSET AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN (SELECT COUNT(*) AS REASONS FROM TUNE.NO_LOAD) AS N
    WHERE
        P.IS_SET = 0
        AND P.PENDING = 0
        AND T.PREFETCH_AUTOMATIC = 1
        AND T.CONTAINERS BETWEEN 1 AND O.MAX_CONTAINERS
        AND T.DATA_DISKS > 1
        AND COALESCE(T.ROTATIONAL, 1) <> 0
        AND T.TBSP_EXTENT_SIZE < T.EXTENT_STAR
        AND (N.REASONS > 0 OR T.ASYNC_READS >= CONST.ENOUGH_PAGES)
        AND T.CLASS <> 'OLTP'
        AND T.CROWDED = 0
        AND COALESCE(T.UNREAD_PART, 0) <= CONST.UNREAD_PART
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
),
ALL_SPACES AS (
    SELECT
        MIN(CASE WHEN ROTATIONAL = 0 THEN 0 ELSE COALESCE(DATA_DISKS, 0) END) AS LEAST_DISKS,
        MAX(COALESCE(DATA_DISKS, 0)) AS MOST_DISKS
    FROM TUNE.TABLESPACE
    WHERE TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
),
TOGETHER AS (
    SELECT
        COUNT(*) AS SPACES,
        MAX(CASE WHEN PLACE = 1 THEN ENTRY END)
        || COALESCE(MAX(CASE WHEN PLACE = 2 THEN ',' || ENTRY END), '')
        || COALESCE(MAX(CASE WHEN PLACE = 3 THEN ',' || ENTRY END), '')
        || COALESCE(MAX(CASE WHEN PLACE = 4 THEN ',' || ENTRY END), '')
        || COALESCE(MAX(CASE WHEN PLACE = 5 THEN ',' || ENTRY END), '')
        || COALESCE(MAX(CASE WHEN PLACE = 6 THEN ',' || ENTRY END), '')
        || COALESCE(MAX(CASE WHEN PLACE = 7 THEN ',' || ENTRY END), '')
        || COALESCE(MAX(CASE WHEN PLACE = 8 THEN ',' || ENTRY END), '') AS ENTRIES,
        SUM(P_BI * PREFETCH_WAITS) AS WAITS,
        CAST(SUM(P_BI * PREFETCH_WAITS * WAIT_MS) AS DOUBLE) / NULLIF(SUM(P_BI * PREFETCH_WAITS), 0) AS WAIT_MS
    FROM GAINING
)
SELECT
    G.TBSP_NAME,
    G.CONTAINERS,
    G.DATA_DISKS,
    G.STRIP_KB,
    G.TBSP_EXTENT_SIZE,
    G.EXTENT_STAR,
    G.ASYNC_READS,
    G.PREFETCH_WAIT_PCT,
    T.SPACES,
    CASE
        WHEN A.LEAST_DISKS = A.MOST_DISKS THEN '*:' || CAST(A.MOST_DISKS AS VARCHAR(20))
        ELSE T.ENTRIES
    END AS NAMED,
    CAST(FLOOR(T.WAITS) AS BIGINT) AS WAITS,
    T.WAIT_MS
FROM GAINING AS G
CROSS JOIN TOGETHER AS T
CROSS JOIN ALL_SPACES AS A
WHERE G.PLACE = 1
