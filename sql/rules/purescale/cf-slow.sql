/*---
rule: purescale.cf-slow
title: Slow requests to the cluster caching facility (CF)
lane: performance
takes_effect: host change
applies: {topology: purescale}
judged_by: load
needs: [workload.CF_WAIT_TIME, workload.CF_WAITS]
object: DATABASE
claims: {CF: {events: CF_WAITS, cost_ms: EXCESS_MS}}
recover: [0.3, 0.6, 0.9]
confidence: 0.6
thresholds:
  min_ms: {default: 1, from: field, why: 'a request takes tens of microseconds over RDMA, hundreds over TCP/IP'}
  usual_ms: {default: 0.3, from: field, why: normal time over a fast network without RDMA}
actions:
  - when: SIBLING_MS IS NOT NULL
    manual: >-
      Move the clients of member {WORST_MEMBER} to the other members until its requests are as fast as theirs. Compare
      its adapters, cables and switch ports with theirs, and check that it uses RDMA as they do.
  - manual: >-
      Find the requests, network time included: SELECT MEMBER, ID, CF_CMD_NAME, TOTAL_CF_REQUESTS,
      TOTAL_CF_WAIT_TIME_MICRO FROM TABLE(MON_GET_CF_WAIT_TIME(-2)) AS T ORDER BY TOTAL_CF_WAIT_TIME_MICRO DESC; and the
      time inside the CF: SELECT ID, CF_CMD_NAME, TOTAL_CF_REQUESTS, TOTAL_CF_CMD_TIME_MICRO FROM
      TABLE(MON_GET_CF_CMD(NULL)) AS T ORDER BY TOTAL_CF_CMD_TIME_MICRO DESC. The difference is the network.
  - manual: >-
      If the network is slow, check that it is RDMA, that each CF has enough adapters for its workers, and that it
      carries no other traffic.
  - manual: >-
      If the CF is slow, check its processors: SELECT NAME, VALUE, UNIT, ID FROM SYSIBMADM.ENV_CF_SYS_RESOURCES. The CF
      needs dedicated processors and CF_NUM_WORKERS AUTOMATIC.
finding: >-
  Members with slow requests waited {CF_PCT:1} % of database time for the caching facility: {CF_WAITS} requests of
  {CF_MS:2} ms, on member {WORST_MEMBER} {WORST_MS:2} ms[; on its siblings {SIBLING_MS:3} ms are usual].
evidence: [CF_WAITS, CF_WAIT_TIME_pct=CF_PCT:2, ms_per_request=CF_MS:3, slowest_member=WORST_MEMBER,
  ms_there=WORST_MS:3, 'ms_on_siblings=SIBLING_MS:3?']
references:
  - >-
    IBM documentation of cf_wait_time ("Monitor elements for viewing locks between members", r0056790) and
    MON_GET_CF_WAIT_TIME (r0059809)
why: >-
  Members request every lock, and every page that another member may have changed, from the caching facility. The agent
  waits for the answer, so this time is part of each statement.
not_if: >-
  Requests take less than 1 ms each on every member, at any number, and no member is far from its siblings (twice as
  slow, for 5 % of an average member's time); requests of 1 ms and more take less than 10 % of the time.
note: >-
  The manual calls a few milliseconds usual, and ten times as much a fault of the network or the CF. A network without
  RDMA never needs 1 ms. Only time above 0.3 ms, or above the siblings' usual time, is claimed. Members at a
  second site are farther by design: accept the finding.
---*/
WITH BY_MEMBER AS (
    SELECT
        W.MEMBER,
        SUM(W.CF_WAITS) AS CF_WAITS,
        SUM(W.CF_WAIT_TIME) AS CF_MS,
        MAX(CASE WHEN S.FAR = 1 THEN S.USUAL_COST END) AS SIBLING_MS,
        CAST(SUM(W.CF_WAIT_TIME) AS DOUBLE) / NULLIF(SUM(W.CF_WAITS), 0) AS MS_PER_WAIT
    FROM TUNE.D_WORKLOAD AS W
    LEFT JOIN TUNE.SIBLING AS S ON W.MEMBER = S.MEMBER AND S.MEASURE = 'CF'
    GROUP BY W.MEMBER
),
SLOW AS (
    -- a mean over all members would hide a slow one
    SELECT
        B.*,
        LEAST(O.USUAL_MS, COALESCE(B.SIBLING_MS, O.USUAL_MS)) AS NORMAL_MS,
        ROW_NUMBER() OVER (ORDER BY B.MS_PER_WAIT DESC, B.MEMBER) AS PLACE
    FROM BY_MEMBER AS B
    CROSS JOIN TUNE.O_PURESCALE_CF_SLOW AS O
    WHERE B.MS_PER_WAIT >= O.MIN_MS OR B.SIBLING_MS IS NOT NULL
),
WAITED AS (
    SELECT
        SUM(CF_WAITS) AS CF_WAITS,
        SUM(CF_MS) AS WAITED_MS,
        COUNT(SIBLING_MS) AS FAR_MEMBERS,
        CAST(SUM(CF_MS) AS DOUBLE) / NULLIF(SUM(CF_WAITS), 0) AS CF_MS,
        CAST(SUM(CF_MS - CF_WAITS * NORMAL_MS) AS DOUBLE) / NULLIF(SUM(CF_WAITS), 0) AS EXCESS_MS
    FROM SLOW
)
SELECT
    W.CF_WAITS,
    W.CF_MS,
    W.EXCESS_MS,
    100 * CAST(W.WAITED_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0) AS CF_PCT,
    M.MEMBER AS WORST_MEMBER,
    M.MS_PER_WAIT AS WORST_MS,
    M.SIBLING_MS
FROM WAITED AS W
INNER JOIN SLOW AS M ON M.PLACE = 1
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.O_SITE AS SITE
WHERE 100 * W.WAITED_MS >= SITE.MAJOR_PCT * T.DBT_MS OR W.FAR_MEMBERS > 0
