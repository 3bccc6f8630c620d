/*---
rule: cpu.quota-throttled
title: The control group has used up its processors and waits
lane: performance
takes_effect: host change
applies: {platform: [Linux], not: [managed]}
judged_by: load
needs: [host.type, system.CPU_ONLINE, workload.TOTAL_CPU_TIME]
object: HOST {HOST_NAME:text}
claims: {PROCESSING: {events: PERIODS, cost_ms: PERIOD_MS}}
recover: [0.1, 0.3, 0.6]
confidence: 0.6
thresholds:
  min_throttled_pct: {default: 10, from: own, why: percent of the periods; a short burst is throttled in any group}
actions:
  - set: {name: CPU_LIMIT, from: '{CPU_LIMIT:1}'}
  - manual: >-
      Give the container {HOST_NAME:text} more processors than {CPU_LIMIT:1} (docker --cpus, limits.cpu of a pod,
      CPUQuota), or a share without a limit (requests.cpu).
    undo: {manual: 'Limit it to {CPU_LIMIT:1} processors again.'}
  - manual: >-
      Till then let fewer work at once: connections in the pools of the applications, MAX_COORDAGENTS, DFT_DEGREE.
    undo: {manual: Set them back.}
finding: >-
  In {THROTTLED_PCT} % of its periods the control group of {HOST_NAME:text} had used up its {CPU_LIMIT:1} processors,
  and all its threads waited for the next one; it sees {CPU_ONLINE} and starts work for them.
evidence: [throttled_pct=THROTTLED_PCT:2, cpu_limit=CPU_LIMIT:1, CPU_ONLINE, database_cpu_pct=DB2_CPU_PCT:2]
references:
  - Linux kernel documentation, CFS bandwidth control (nr_periods, nr_throttled)
  - Kubernetes documentation, "Resource Management for Pods and Containers"
why: >-
  A limit of 4 processors is 400 ms in each 100 ms. Where 64 threads can run, they use that up in 6 ms, and for 94 ms
  nobody runs, who holds a latch or a lock as little as who waits for it. On average the group looks half idle all the
  while.
not_if: Less than 10 % of the periods are throttled, or not known; no limit.
note: >-
  Counted are throttled periods of 100 ms, and for each what of it is left once all processors that are seen have run,
  for the sessions that were not waiting for something else: an upper bound. Throttling was measured while the host's
  facts were collected.
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
