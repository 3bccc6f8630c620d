/*---
rule: prefetch.size-misaligned
title: Prefetch size does not use all disks
lane: performance
lane_without_claim: condition
severity: low
takes_effect: immediately
applies: {workload: [bi, mixed], not: [purescale]}
judged_by: structure
needs: [tablespace.TBSP_EXTENT_SIZE, tablespace.TBSP_PREFETCH_SIZE, container.CONTAINER_NAME]
object: TABLESPACE {TBSP_NAME:text}
claims: {PREFETCH_WAIT: {events: WAITS, cost_ms: WAIT_MS}}
recover: [0, RECOVER, 1.0]
confidence: 0.6
exclusive: prefetch
actions:
  - set: {name: PREFETCHSIZE, from: '{PREFETCHSIZE}', to: '{ALIGNED_SIZE}', unit: pages}
finding:
  - choose:
      - when: PREFETCHSIZE < WHOLE_SIZE AND DISKS = 1
        text: >-
          Prefetch size {PREFETCHSIZE} does not read all {LANES} {PLACE:text}s in parallel: extent size
          {TBSP_EXTENT_SIZE} x {LANES} {PLACE:text}s = {WHOLE_SIZE}.
      - when: PREFETCHSIZE < WHOLE_SIZE
        text: >-
          Prefetch size {PREFETCHSIZE} does not read all disks in parallel: extent size {TBSP_EXTENT_SIZE} x {LANES}
          {PLACE:text}s x {DISKS} disks each (DB2_PARALLEL_IO) = {WHOLE_SIZE}.
      - >-
        Prefetch size {PREFETCHSIZE} is not a multiple of extent size {TBSP_EXTENT_SIZE}: no prefetch is split into
        parallel reads.
evidence: [PREFETCHSIZE, TBSP_EXTENT_SIZE, containers=CONTAINERS, read_from=LANES, disks_per_container=DISKS,
  pages_prefetched=ASYNC_READS, PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2]
query: >-
  SELECT T.TBSP_NAME, T.TBSP_EXTENT_SIZE, C.PREFETCHSIZE, T.TBSP_NUM_CONTAINERS FROM TABLE(MON_GET_TABLESPACE(NULL, -2))
  AS T INNER JOIN SYSCAT.TABLESPACES AS C ON T.TBSP_NAME = C.TBSPACE WHERE C.PREFETCHSIZE > 0 AND C.PREFETCHSIZE <
  T.TBSP_EXTENT_SIZE * T.TBSP_NUM_CONTAINERS
references:
  - x445, "Optimizing disk I/O"
  - IBM documentation of dft_prefetch_sz
why: >-
  Db2 splits a prefetch request into extents and reads them from the containers in parallel. A size below extent x
  containers leaves containers idle; a size that is not a multiple of the extent size disables parallel prefetch.
not_if: >-
  Prefetch size is AUTOMATIC or deliberately 0; the table space is temporary, holds only LOBs, serves OLTP, is on flash,
  or has less than 100 MB; agents read longer themselves than they wait for prefetchers, on one of its devices or, if
  they are unknown, in total (they would wait for longer requests); 30 % of the prefetched pages are never used; the
  value of DB2_PARALLEL_IO for it cannot be parsed.
note: >-
  The size never decreases: if it exceeds all disks, it becomes the next multiple of the extent size. More than eight
  containers in a stripe set are seldom separate disks: their locations count (device, file system, folder), and without
  known locations the rule is silent. Some output shows the present size but not whether it is AUTOMATIC; if it is,
  leave it.
---*/
WITH MANY AS (
    SELECT
        CONTAINER.TBSP_NAME,
        CONTAINER.MEMBER,
        CONTAINER.CONTAINER_ID,
        CONTAINER.CONTAINER_NAME,
        COALESCE(
            CONTAINER.DEVICE,
            CONTAINER.FS_ID,
            CASE WHEN CONTAINER.CONTAINER_TYPE LIKE 'DISK%' THEN CONTAINER.CONTAINER_NAME END
        ) AS KNOWN_PLACE
    FROM TUNE.CONTAINER AS CONTAINER
    INNER JOIN TUNE.CONTAINER_SET AS STRIPES
        ON CONTAINER.TBSP_NAME = STRIPES.TBSP_NAME AND CONTAINER.MEMBER = STRIPES.MEMBER AND STRIPES.WIDEST_SET > 8
),
FOLDER AS (
    SELECT M.TBSP_NAME, M.MEMBER, M.CONTAINER_ID, MAX(CHARACTERS.PLACE) AS LAST_SLASH
    FROM MANY AS M
    INNER JOIN TUNE.CHARACTER_PLACE AS CHARACTERS ON SUBSTR(M.CONTAINER_NAME, CHARACTERS.PLACE, 1) IN ('/', '\')
    WHERE M.KNOWN_PLACE IS NULL
    GROUP BY M.TBSP_NAME, M.MEMBER, M.CONTAINER_ID
),
CONTAINER_PLACE AS (
    -- The number of locations of a table space that has more than eight containers in one stripe set on a member, one
    -- row each: devices, otherwise file systems, otherwise the folders of the files; a raw device is one location. So
    -- many containers are seldom on as many disks.
    SELECT TBSP_NAME, MAX(PLACES) AS PLACES
    FROM (
        SELECT
            M.TBSP_NAME,
            M.MEMBER,
            COUNT(DISTINCT COALESCE(
                M.KNOWN_PLACE, CASE WHEN F.LAST_SLASH > 1 THEN SUBSTR(M.CONTAINER_NAME, 1, F.LAST_SLASH) END,
                M.CONTAINER_NAME
            )) AS PLACES
        FROM MANY AS M
        LEFT JOIN FOLDER AS F
            ON M.TBSP_NAME = F.TBSP_NAME AND M.MEMBER = F.MEMBER AND M.CONTAINER_ID = F.CONTAINER_ID
        GROUP BY M.TBSP_NAME, M.MEMBER
    ) AS P
    GROUP BY TBSP_NAME
),
LAID_OUT AS (
    SELECT
        T.TBSP_NAME,
        T.TBSP_EXTENT_SIZE,
        T.CONTAINERS,
        T.DISKS,
        T.ASYNC_READS,
        T.ASYNC_PART,
        T.P_BI,
        T.PREFETCH_WAITS,
        T.WAIT_MS,
        T.PREFETCH_WAIT_PCT,
        COALESCE(T.PREFETCHSIZE, T.TBSP_PREFETCH_SIZE) AS PREFETCHSIZE,
        CASE
            WHEN T.WIDEST_SET <= 8 OR P.PLACES > T.WIDEST_SET THEN T.WIDEST_SET
            ELSE P.PLACES
        END AS LANES,
        CASE WHEN T.WIDEST_SET <= 8 THEN 'container' ELSE 'place' END AS PLACE
    FROM TUNE.PREFETCHING AS T
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN CONTAINER_PLACE AS P ON T.TBSP_NAME = P.TBSP_NAME
    WHERE
        T.CLASS <> 'OLTP'
        AND T.CROWDED = 0
        AND COALESCE(T.UNREAD_PART, 0) <= CONST.UNREAD_PART
        AND COALESCE(T.ROTATIONAL, 1) = 1
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP', 'LONG')
        AND (
            T.TBSP_USED_PAGES IS NULL
            OR CAST(T.TBSP_USED_PAGES AS DOUBLE) * T.TBSP_PAGE_SIZE >= SITE.SMALL_MB * 1048576
        )
        AND NOT EXISTS (SELECT 1 FROM TUNE.LOB_SPACE AS L WHERE L.TBSP_NAME = T.TBSP_NAME AND L.ROWS_TOO = 0)
),
SPACE AS (
    SELECT
        T.*,
        T.TBSP_EXTENT_SIZE * T.LANES * T.DISKS AS WHOLE_SIZE,
        GREATEST(
            T.TBSP_EXTENT_SIZE * T.LANES * T.DISKS,
            T.TBSP_EXTENT_SIZE * CEIL(T.PREFETCHSIZE / CAST(NULLIF(T.TBSP_EXTENT_SIZE, 0) AS DOUBLE))
        ) AS ALIGNED_SIZE,
        CASE
            WHEN T.ASYNC_READS >= CONST.ENOUGH_PAGES AND T.ASYNC_PART >= SITE.SCAN_PART THEN T.P_BI
        END AS SCANNED
    FROM LAID_OUT AS T
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE T.PREFETCHSIZE > 0 AND T.LANES > 0 AND T.DISKS > 0
)
SELECT
    TBSP_NAME, PREFETCHSIZE, TBSP_EXTENT_SIZE, CONTAINERS, LANES, PLACE, DISKS, WHOLE_SIZE, ALIGNED_SIZE, ASYNC_READS,
    PREFETCH_WAIT_PCT,
    LEAST(0.5, GREATEST(0.05, 1 - CAST(PREFETCHSIZE AS DOUBLE) / NULLIF(ALIGNED_SIZE, 0))) AS RECOVER,
    CAST(FLOOR(SCANNED * PREFETCH_WAITS) AS BIGINT) AS WAITS,
    WAIT_MS
FROM SPACE
WHERE ALIGNED_SIZE > PREFETCHSIZE AND ALIGNED_SIZE <= 32767
