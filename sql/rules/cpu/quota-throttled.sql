/*---
rule: cpu.quota-throttled
title: Control group throttles Db2's CPU use
lane: performance
takes_effect: host change
applies: {platform: [Linux]}
steps_need: host
judged_by: load
needs: [host.type, system.CPU_ONLINE, workload.TOTAL_CPU_TIME]
object: HOST {HOST_NAME:text}
claims: {PROCESSING: {events: PERIODS, cost_ms: PERIOD_MS}}
recover: [0.1, 0.3, 0.6]
confidence: 0.6
thresholds:
  min_throttled_pct: {default: 10, from: own, why: percent of the periods; any group throttles a short burst}
actions:
  - set: {name: CPU_LIMIT, from: '{CPU_LIMIT:1}'}
  - manual: >-
      Give the container {HOST_NAME:text} more than {CPU_LIMIT:1} processors (docker --cpus, limits.cpu of a pod,
      CPUQuota), or a share without a limit (requests.cpu).
    undo: {manual: 'Limit it to {CPU_LIMIT:1} processors again.'}
  - manual: >-
      Until then limit concurrent work: application connection pools, MAX_COORDAGENTS, DFT_DEGREE.
    undo: {manual: Restore the previous limits.}
finding: >-
  The control group of {HOST_NAME:text} was throttled in {THROTTLED_PCT} % of its periods: it used up its {CPU_LIMIT:1}
  processors and all its threads waited. It sees {CPU_ONLINE} processors and starts work for them.
evidence: [throttled_pct=THROTTLED_PCT:2, cpu_limit=CPU_LIMIT:1, CPU_ONLINE, database_cpu_pct=DB2_CPU_PCT:2]
references:
  - Linux kernel documentation, CFS bandwidth control (nr_periods, nr_throttled)
  - Kubernetes documentation, "Resource Management for Pods and Containers"
why: >-
  A limit of 4 processors is 400 ms of CPU time per 100 ms period. 64 running threads use it up in 6 ms. For the other
  94 ms no thread runs, not even one that holds a latch or lock. On average the group still looks half idle.
not_if: Less than 10 % of the periods are throttled, or the part is not known; no limit.
note: >-
  The claim counts throttled periods of 100 ms. Each counts with the rest of the period after all visible processors
  have run, for sessions not in another wait: an upper bound. Throttling was measured when the host facts were
  collected.
---*/
SELECT
    P.HOST_NAME,
    P.CPU_LIMIT,
    P.CPU_ONLINE,
    P.THROTTLED_PCT,
    P.DB2_CPU_PCT,
    FLOOR(10 * W.SECONDS * P.THROTTLED_PCT / CAST(100 AS DOUBLE)) AS PERIODS,
    100 * P.HOST_SHARE * (CAST(B.MS AS DOUBLE) / NULLIF(1000 * W.SECONDS, 0))
    * (1 - P.CPU_LIMIT / CAST(NULLIF(P.CPU_ONLINE, 0) AS DOUBLE)) AS PERIOD_MS
FROM TUNE.HOST_PROCESSOR AS P
CROSS JOIN TUNE.RUN_WINDOW AS W
CROSS JOIN TUNE.O_CPU_QUOTA_THROTTLED AS O
INNER JOIN TUNE.TIME_BUCKET AS B ON B.BUCKET = 'PROCESSING'
WHERE P.CPU_LIMIT > 0 AND P.THROTTLED_PCT >= O.MIN_THROTTLED_PCT
