/*---
rule: workload.queued-while-idle
title: Statements queue for admission while the host has capacity
lane: performance
takes_effect: immediately
risk: medium
applies: {from: '9.5'}
judged_by: load
needs: [workload.WLM_QUEUE_TIME_TOTAL, workload.TOTAL_CPU_TIME, system.CPU_USAGE_TOTAL, system.CPU_ONLINE]
object: DATABASE
claims: {WLM_QUEUE: {events: QUEUED, cost_ms: QUEUE_MS}}
recover: [0.1, 0.3, 0.6]
confidence: 0.6
thresholds:
  max_wait_part:
    default: 0.3
    from: own
    why: admitted statements wait longer than this for disks, locks and the log; more would wait too
  max_spill_part: {default: 0.3, from: manuals, why: of sorts and joins; more concurrent statements would spill more}
actions:
  - manual: >-
      Find the limit: SELECT THRESHOLD_NAME, THRESHOLD_DOMAIN, QUEUE_SIZE_TOP, QUEUE_TIME_TOTAL, QUEUE_ASSIGNMENTS_TOTAL
      FROM TABLE(MON_GET_QUEUE_STATS(NULL, NULL, NULL, NULL)) AS T ORDER BY QUEUE_TIME_TOTAL DESC; and its value: SELECT
      THRESHOLDNAME, THRESHOLDPREDICATE, MAXVALUE, QUEUESIZE FROM SYSCAT.THRESHOLDS WHERE QUEUING = 'Y' AND ENABLED =
      'Y'
    undo: {manual: ALTER THRESHOLD with the previous limit.}
  - when: ADMISSION = 0
    manual: >-
      Raise the limit by half (ALTER THRESHOLD ... WHEN CONCURRENTDBCOORDACTIVITIES > ...), then check processors and
      disks again.
  - when: ADMISSION = 1
    manual: >-
      Check the queue: SELECT * FROM TABLE(MON_GET_WLM_ADMISSION_QUEUE()) AS T (WLM_ADMISSION_CTRL is YES). Db2 admits
      statements by their estimated sort memory and threads: current statistics improve the estimates, SHEAPTHRES_SHR
      and WLM_AGENT_LOAD_TRGT are the limits.
finding: >-
  Statements queued in the workload manager for {QUEUE_PCT:1} % of database time ({QUEUED} times, {QUEUE_MS} ms each).
  Processors were {CPU_PCT} % busy; waits for disks, locks, latches and log took {OTHER_PCT} % of the other time.
evidence: [WLM_QUEUE_TIME_TOTAL_pct=QUEUE_PCT:2, WLM_QUEUE_ASSIGNMENTS_TOTAL=QUEUED, cpu_busy_pct=CPU_PCT,
  waits_of_other_time_pct=OTHER_PCT, 'WLM_ADMISSION_CTRL:text?']
references:
  - >-
    IBM documentation of MON_GET_QUEUE_STATS (r0061007), SYSCAT.THRESHOLDS (r0050565), wlm_admission_ctrl (r0062018) and
    MON_GET_WLM_ADMISSION_QUEUE
why: >-
  A queue protects processors, memory and disks from too many concurrent statements. While these have capacity it only
  adds delay.
not_if: >-
  Queues take less than 10 % of the time; a processor is 60 % busy; admitted statements wait for disks, locks, latches
  or the log for 30 % of their time, or 30 % of sorts and joins spill; a host has too little memory, the hypervisor
  takes processor time, or a container has used up its limit; the queue is in a site-defined workload, because that
  limit is deliberate.
note: >-
  Host utilization is the larger of Db2's value at the second snapshot and the statements' CPU time in the interval. The
  gain of more concurrency is unknown: the waits are an upper bound.
---*/
WITH QUEUE AS (
    SELECT
        SUM(WLM_QUEUE_TIME_TOTAL) AS WAITED_MS,
        SUM(CASE WHEN WORKLOAD_NAME LIKE 'SYSDEFAULT%' THEN WLM_QUEUE_TIME_TOTAL ELSE 0 END) AS QUEUE_TIME,
        SUM(CASE WHEN WORKLOAD_NAME LIKE 'SYSDEFAULT%' THEN COALESCE(WLM_QUEUE_ASSIGNMENTS_TOTAL, 0) ELSE 0 END)
            AS QUEUED
    FROM TUNE.D_WORKLOAD
),
PROCESSORS AS (
    SELECT
        MAX(GREATEST(
            P.CPU_USAGE_TOTAL + COALESCE(F.STEAL_PCT, 0),
            COALESCE(P.DB2_CPU_PCT, 0) * CASE
                WHEN F.CPU_LIMIT < P.CPU_ONLINE THEN P.CPU_ONLINE / CAST(NULLIF(F.CPU_LIMIT, 0) AS DOUBLE)
                ELSE CAST(1 AS DOUBLE)
            END
        )) AS CPU_PCT
    FROM TUNE.HOST_PROCESSOR AS P
    LEFT JOIN (
        SELECT
            HOST,
            MAX(CASE WHEN FACT_KEY = 'cgroup' AND ITEM = 'cpu_limit' THEN NUM END) AS CPU_LIMIT,
            MAX(CASE WHEN FACT_KEY = 'virtual' AND ITEM = 'steal_pct' THEN NUM END) AS STEAL_PCT
        FROM TUNE.HOST_FACT
        GROUP BY HOST
    ) AS F ON P.HOST_NAME = F.HOST
    WHERE P.CPU_USAGE_TOTAL IS NOT NULL
),
SEEN AS (
    SELECT
        100 * CAST(Q.QUEUE_TIME AS DOUBLE) / NULLIF(T.DBT_MS, 0) AS QUEUE_PCT,
        CASE WHEN Q.QUEUED > 0 THEN Q.QUEUED ELSE 1 END AS QUEUED,
        CAST(Q.QUEUE_TIME AS DOUBLE) / NULLIF(CASE WHEN Q.QUEUED > 0 THEN Q.QUEUED ELSE 1 END, 0) AS QUEUE_MS,
        P.CPU_PCT,
        100 * CAST(
            T.POOL_READ_TIME + T.POOL_WRITE_TIME + T.PREFETCH_WAIT_TIME + T.DIRECT_TIME
            + T.LOCK_WAIT_TIME + T.TOTAL_EXTENDED_LATCH_WAIT_TIME + T.LOG_DISK_WAIT_TIME + T.LOG_BUFFER_WAIT_TIME
            AS DOUBLE
        ) / NULLIF(T.DBT_MS - Q.WAITED_MS, 0) AS OTHER_PCT
    FROM QUEUE AS Q
    CROSS JOIN PROCESSORS AS P
    CROSS JOIN TUNE.DATABASE_TIME AS T
    WHERE P.CPU_PCT IS NOT NULL
)
SELECT
    S.QUEUE_PCT,
    S.QUEUED,
    S.QUEUE_MS,
    S.CPU_PCT,
    S.OTHER_PCT,
    A.VALUE AS WLM_ADMISSION_CTRL,
    CASE WHEN A.VALUE = 'YES' THEN 1 ELSE 0 END AS ADMISSION
FROM SEEN AS S
CROSS JOIN TUNE.SORT_WORK AS W
CROSS JOIN TUNE.O_WORKLOAD_QUEUED_WHILE_IDLE AS O
CROSS JOIN TUNE.O_SITE AS SITE
LEFT JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'wlm_admission_ctrl'
WHERE
    S.QUEUE_PCT >= SITE.MAJOR_PCT
    AND S.CPU_PCT < SITE.BUSY_PCT
    AND COALESCE(S.OTHER_PCT, 0) < 100 * O.MAX_WAIT_PART
    AND W.OVERFLOWS <= O.MAX_SPILL_PART * W.OPERATIONS AND COALESCE(W.SPILL_PCT, 0) < SITE.MAJOR_PCT
    AND NOT EXISTS (SELECT 1 FROM TUNE.MEMORY_PRESSURE AS M WHERE M.SWAPS = 1 OR M.FULL_UP = 1)
