/*---
rule: dpf.member-load-skew
title: One partition has more work than the others
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
  min_skew: {default: 1.25, from: own, why: 'a member less than a quarter above the average is normal variation'}
  funnel: {default: 0.8, from: own, why: 'with this part of all commits, one member coordinates nearly all work'}
actions:
  - choose:
      - when: MORE = 'rows'
        takes_effect: immediately
        manual: >-
          Find the tables with more ROWS_READ on member {MEMBER} (MON_GET_TABLE per member): tables stored only there,
          or tables whose popular rows share one value of the distribution key.
      - when: MORE = 'waiting'
        manual: >-
          Compare the storage of member {MEMBER} with the other members' storage (devices, paths, cache, other users of
          its arrays). It reads as many rows and waits longer for them.
      - when: COORDINATES = 1
        takes_effect: immediately
        manual: >-
          Spread the connections over the members. Member {MEMBER} coordinates nearly all work and also holds data.
      - manual: >-
          Find other CPU use on member {MEMBER}: other programs, fewer or slower processors, routines that run only
          there.
finding:
  - choose:
      - when: MORE = 'rows'
        text: >-
          Member {MEMBER} does {SKEW:2} times the average work per member (rows read {ROWS_RATIO:2} times), and the
          others wait for it.
      - when: MORE = 'waiting'
        text: >-
          Member {MEMBER} waits {SKEW:2} times the average time for reads (rows read {ROWS_RATIO:2} times), and the
          others wait for it.
      - >-
        Member {MEMBER} uses {SKEW:2} times the average CPU time (rows read {ROWS_RATIO:2} times), and the others wait
        for it.
evidence: [TOTAL_CPU_TIME_ratio=CPU_RATIO:2, ROWS_READ_ratio=ROWS_RATIO:2, POOL_READ_TIME_ratio=READ_RATIO:2,
  members=MEMBERS, coordinates=COORDINATES]
references:
  - x445, "Balancing the hardware" and the scaling from 8 to 32 partitions
why: >-
  The slowest partition determines the end of a statement that runs on all partitions. The others wait for its rows, as
  their FCM receive waits show. The lost part of that time is 1 - average / largest.
not_if: >-
  The members are even, or no member waits for the busy one. Members without distributed tables (catalog, coordinator)
  are not compared.
note: >-
  A diagnosis: the rule that finds the cause gives the command. One interval is enough; the rule does not require the
  same member in several.
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
        CASE WHEN T.POOL_READ_PCT >= SITE.HIGH_PCT THEN COALESCE(W.READ_RATIO, 1) ELSE 1 END AS READ_RATIO,
        CASE WHEN W.TOTAL_APP_COMMITS >= O.FUNNEL * T.TOTAL_APP_COMMITS THEN 1 ELSE 0 END AS COORDINATES,
        W.RECV_WAITS,
        CAST(W.OTHERS_WAIT_MS AS DOUBLE) / NULLIF(W.RECV_WAITS, 0) AS OTHERS_WAIT_MS
    FROM WORK AS W
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_DPF_MEMBER_LOAD_SKEW AS O
    CROSS JOIN TUNE.O_SITE AS SITE
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
