/*---
rule: dpf.member-load-skew
title: One partition has more to do than the others
lane: performance
takes_effect: host change
risk: medium
applies: {topology: dpf}
judged_by: load
needs: [partition_group.DBPARTITIONNUM, cat_tablespace.DBPGNAME, workload.TOTAL_CPU_TIME, workload.ROWS_READ,
  workload.POOL_READ_TIME, workload.FCM_RECV_WAIT_TIME]
object: MEMBER {MEMBER}
member: MEMBER
claims: {FCM: {events: RECV_WAITS, cost_ms: SPARED_MS}}
recover: [0.3, 0.6, 0.9]
confidence: 0.6
defers_to:
  - {rule: dpf.row-skew, within: any}
  - {rule: dpf.partition-map-uneven, within: any, only_if_larger: true}
thresholds:
  min_skew: {default: 1.25, from: own, why: 'below a quarter above the average, members differ by chance'}
  min_read_pct: {default: 5, from: own, why: 'with less time in reads, uneven reads do not matter'}
  funnel: {default: 0.8, from: own, why: 'with this part of all commits, one member coordinates the work of all'}
actions:
  - choose:
      - when: MORE = 'rows'
        manual: >-
          Find the tables of which member {MEMBER} reads more rows than the others (ROWS_READ of MON_GET_TABLE per
          member): tables that lie on it alone, or whose rows asked for all have one value of the distribution key.
      - when: MORE = 'waiting'
        manual: >-
          Compare the storage of member {MEMBER} with that of the others: it reads as many rows and waits longer for
          them (devices, paths, cache, other users of its arrays).
      - when: COORDINATES = 1
        manual: >-
          Spread the connections over the members: nearly all work is coordinated by member {MEMBER}, which also holds
          data.
      - manual: >-
          Look for what else uses the processors of member {MEMBER}: other programs, fewer or slower processors,
          routines that run only there.
    undo: {manual: 'Nothing to take back: a diagnosis changes nothing.'}
finding:
  - choose:
      - when: MORE = 'rows'
        text: >-
          Member {MEMBER} does {SKEW:2} times the average work of a member (rows read {ROWS_RATIO:2} times), and the
          others wait for it.
      - when: MORE = 'waiting'
        text: >-
          Member {MEMBER} does {SKEW:2} times the average waiting for reads (rows read {ROWS_RATIO:2} times), and the
          others wait for it.
      - >-
        Member {MEMBER} does {SKEW:2} times the average processor time (rows read {ROWS_RATIO:2} times), and the others
        wait for it.
evidence: [TOTAL_CPU_TIME_ratio=CPU_RATIO:2, ROWS_READ_ratio=ROWS_RATIO:2, POOL_READ_TIME_ratio=READ_RATIO:2,
  members=MEMBERS, coordinates=COORDINATES]
references:
  - x445, "Balancing the hardware" and the scaling from 8 to 32 partitions
why: >-
  A statement that runs on all partitions ends with the slowest; the others wait for its rows, which their FCM receive
  waits show. Of that time 1 - average / largest is lost.
not_if: >-
  The members are even, or nobody waits for the busy one. Members without tables that are spread over partitions
  (catalog, coordinator) are not compared.
note: >-
  A diagnosis: the command belongs to the rule that finds the cause. That the same member is ahead in several intervals
  is not asked for, since one run sees one interval.
---*/
WITH WORK AS (
    SELECT
        M.MEMBER,
        M.TOTAL_APP_COMMITS,
        A.FCM_RECV_WAIT_TIME - M.FCM_RECV_WAIT_TIME AS OTHERS_WAIT_MS,
        GREATEST(1, A.FCM_RECV_WAITS_TOTAL - M.FCM_RECV_WAITS_TOTAL) AS RECV_WAITS,
        COUNT(*) OVER () AS MEMBERS,
        CAST(M.TOTAL_CPU_TIME AS DOUBLE) / NULLIF(AVG(CAST(M.TOTAL_CPU_TIME AS DOUBLE)) OVER (), 0) AS CPU_RATIO,
        CAST(M.ROWS_READ AS DOUBLE) / NULLIF(AVG(CAST(M.ROWS_READ AS DOUBLE)) OVER (), 0) AS ROWS_RATIO,
        CAST(M.POOL_READ_TIME AS DOUBLE) / NULLIF(AVG(CAST(M.POOL_READ_TIME AS DOUBLE)) OVER (), 0) AS READ_RATIO
    FROM TUNE.MEMBER_TIME AS M
    INNER JOIN TUNE.SPREAD_MEMBER AS S ON M.MEMBER = S.MEMBER
    CROSS JOIN TUNE.DATABASE_TIME AS A
),
RATIO AS (
    SELECT
        W.MEMBER,
        W.MEMBERS,
        COALESCE(W.CPU_RATIO, 1) AS CPU_RATIO,
        COALESCE(W.ROWS_RATIO, 1) AS ROWS_RATIO,
        CASE WHEN T.POOL_READ_PCT >= O.MIN_READ_PCT THEN COALESCE(W.READ_RATIO, 1) ELSE 1 END AS READ_RATIO,
        CASE WHEN W.TOTAL_APP_COMMITS >= O.FUNNEL * T.TOTAL_APP_COMMITS THEN 1 ELSE 0 END AS COORDINATES,
        W.RECV_WAITS,
        CAST(W.OTHERS_WAIT_MS AS DOUBLE) / NULLIF(W.RECV_WAITS, 0) AS OTHERS_WAIT_MS
    FROM WORK AS W
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_DPF_MEMBER_LOAD_SKEW AS O
    WHERE W.MEMBERS >= 2
),
BUSIEST AS (
    SELECT
        R.*,
        GREATEST(R.CPU_RATIO, R.ROWS_RATIO, R.READ_RATIO) AS SKEW,
        ROW_NUMBER() OVER (ORDER BY GREATEST(R.CPU_RATIO, R.ROWS_RATIO, R.READ_RATIO) DESC, R.MEMBER) AS PLACE
    FROM RATIO AS R
)
SELECT
    B.MEMBER,
    B.MEMBERS,
    B.CPU_RATIO,
    B.ROWS_RATIO,
    B.READ_RATIO,
    B.COORDINATES,
    B.SKEW,
    CASE
        WHEN B.ROWS_RATIO >= O.MIN_SKEW THEN 'rows'
        WHEN B.READ_RATIO >= O.MIN_SKEW THEN 'waiting'
        ELSE 'processor time'
    END AS MORE,
    B.RECV_WAITS,
    B.OTHERS_WAIT_MS * (1 - CAST(1 AS DOUBLE) / NULLIF(B.SKEW, 0)) AS SPARED_MS
FROM BUSIEST AS B
CROSS JOIN TUNE.O_DPF_MEMBER_LOAD_SKEW AS O
WHERE B.PLACE = 1 AND B.SKEW >= O.MIN_SKEW AND B.OTHERS_WAIT_MS > 0
