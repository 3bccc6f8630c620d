/*---
rule: config.agents-and-files
title: Connections, agents or files are reopened repeatedly
lane: performance
takes_effect: immediately
applies: {from: '9.5'}
judged_by: load
needs: [dbcfg.VALUE, dbmcfg.VALUE]
object: '{OBJECT_TYPE:text} {OBJECT_NAME:text}'
claims: {CONNECT: {events: CONNECTS, cost_ms: CONNECT_MS}}
recover: [0.25, 0.5, 0.8]
confidence: 0.6
thresholds:
  min_created_part: {default: 0.1, from: own, why: agents created with an empty pool per agent taken from the pool}
  min_created_per_s: {default: 0.1, from: own, why: fewer than six new agents per minute cost nothing}
  min_closed_per_s: {default: 1, from: own, why: files closed per second to open others}
actions:
  - when: CONNECTS_COST = 1
    undo: {manual: Connect again for each unit of work.}
  - when: POOL_EMPTY = 1
    set: {kind: DBMCFG, name: NUM_POOLAGENTS, from: '{NUM_POOLAGENTS:text}', to: AUTOMATIC, unit: agents}
  - when: CONNECTS_COST = 1
    manual: >-
      Keep connections open and reuse them: configure a connection pool in the driver or application server.
  - when: FILES_REOPENED = 1
    set: {kind: DBCFG, name: MAXFILOP, from: '{MAXFILOP}', to: '{MOST_FILES}', unit: files}
finding:
  - choose:
      - when: FILES_REOPENED = 1
        text: '{FILES_CLOSED} files were closed to open others: MAXFILOP {MAXFILOP} is too small.'
      - when: POOL_EMPTY = 1
        text: >-
          Connecting takes {CONNECT_PCT:1} % of database time. {AGENTS_CREATED_EMPTY_POOL} agents were created because
          the pool of {NUM_POOLAGENTS:text} was empty; {AGENTS_FROM_POOL} came from the pool.
      - Connecting takes {CONNECT_PCT:1} % of database time.
evidence:
  - choose:
      - when: FILES_REOPENED = 1
        figures: [FILES_CLOSED, MAXFILOP]
      - figures: [TOTAL_CONNECT_REQUEST_PROC_TIME_pct=CONNECT_PCT:2, AGENTS_FROM_POOL, AGENTS_CREATED_EMPTY_POOL,
          NUM_POOLAGENTS:text]
references:
  - vmware-netapp, appendices (MAXFILOP, NUM_POOLAGENTS)
  - x4470, a workload that stresses connections
  - IBM documentation of maxfilop, files_closed (r0001243), num_poolagents (r0000145)
why: >-
  Every connection is authenticated and gets an agent. A client that connects for each transaction pays this each time;
  an agent missing from the pool must be created first. Above MAXFILOP, Db2 closes a file before it opens another.
not_if: >-
  Connecting takes less than 3 % of the time; NUM_POOLAGENTS is AUTOMATIC or agents are rarely created; less than one
  file per second is closed, MAXFILOP is at its maximum or differs between members; a new value is pending.
note: >-
  The claim is the processing of connect requests (TOTAL_CONNECT_REQUEST_PROC_TIME); their waits belong to other time
  buckets. The cost of closing files is not measured, so it claims nothing. Without MON_GET_INSTANCE (before 10.5) the
  agent pool is not judged. The operating system must allow MAXFILOP files for each database.
---*/
WITH MEASURED AS (
    SELECT
        COALESCE(100 * CAST(C.CONNECTS_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0), 0) AS CONNECT_PCT,
        C.CONNECTS,
        CAST(C.CONNECTS_MS AS DOUBLE) / NULLIF(C.CONNECTS, 0) AS CONNECT_MS,
        A.AGENTS_FROM_POOL,
        A.AGENTS_CREATED_EMPTY_POOL,
        F.FILES_CLOSED
    FROM (
        SELECT
            SUM(TOTAL_CONNECT_REQUEST_PROC_TIME) AS CONNECTS_MS,
            -- a level that does not count them: one for all
            GREATEST(1, COALESCE(SUM(TOTAL_CONNECT_REQUESTS), 0)) AS CONNECTS
        FROM TUNE.D_WORKLOAD
    ) AS C
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN (
        SELECT
            SUM(AGENTS_FROM_POOL) AS AGENTS_FROM_POOL,
            SUM(AGENTS_CREATED_EMPTY_POOL) AS AGENTS_CREATED_EMPTY_POOL
        FROM TUNE.D_INSTANCE
    ) AS A
    CROSS JOIN (SELECT SUM(FILES_CLOSED) AS FILES_CLOSED FROM TUNE.D_BUFFERPOOL) AS F
),
JUDGED AS (
    SELECT
        M.*,
        P.VALUE AS NUM_POOLAGENTS,
        L.NUM AS MAXFILOP,
        CAST(CASE D.PLATFORM WHEN 'Windows' THEN 65335 ELSE 61440 END AS BIGINT) AS MOST_FILES,
        CASE WHEN M.CONNECT_PCT >= SITE.SOME_PCT THEN 1 ELSE 0 END AS CONNECTS_COST,
        CASE
            WHEN
                P.FIXED = 1
                AND M.AGENTS_CREATED_EMPTY_POOL >= O.MIN_CREATED_PER_S * W.SECONDS
                AND M.AGENTS_CREATED_EMPTY_POOL >= O.MIN_CREATED_PART * M.AGENTS_FROM_POOL
                THEN 1
            ELSE 0
        END AS POOL_EMPTY,
        CASE
            WHEN
                L.FIXED = 1
                AND L.NUM < CASE D.PLATFORM WHEN 'Windows' THEN 65335 ELSE 61440 END
                AND M.FILES_CLOSED >= O.MIN_CLOSED_PER_S * W.SECONDS
                THEN 1
            ELSE 0
        END AS FILES_REOPENED
    FROM MEASURED AS M
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_CONFIG_AGENTS_AND_FILES AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DBM' AND P.NAME = 'num_poolagents'
    LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'maxfilop'
),
FOUND (OBJECT_TYPE, CONNECTS_COST, POOL_EMPTY, FILES_REOPENED) AS (
    SELECT 'INSTANCE' AS OBJECT_TYPE, CONNECTS_COST, POOL_EMPTY, 0 AS FILES_REOPENED FROM JUDGED
    UNION ALL
    SELECT 'DATABASE', 0, 0, FILES_REOPENED FROM JUDGED
)
SELECT
    F.OBJECT_TYPE,
    CASE F.OBJECT_TYPE WHEN 'DATABASE' THEN D.DB_NAME ELSE D.INSTANCE_NAME END AS OBJECT_NAME,
    F.CONNECTS_COST,
    F.POOL_EMPTY,
    F.FILES_REOPENED,
    J.CONNECT_PCT,
    J.AGENTS_FROM_POOL,
    J.AGENTS_CREATED_EMPTY_POOL,
    J.NUM_POOLAGENTS,
    J.FILES_CLOSED,
    J.MAXFILOP,
    J.MOST_FILES,
    CASE WHEN F.CONNECTS_COST = 1 THEN J.CONNECTS END AS CONNECTS,
    J.CONNECT_MS
FROM FOUND AS F
CROSS JOIN JUDGED AS J
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE F.CONNECTS_COST = 1 OR F.POOL_EMPTY = 1 OR F.FILES_REOPENED = 1
