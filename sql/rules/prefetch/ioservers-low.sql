/*---
rule: prefetch.ioservers-low
title: Too few prefetchers (NUM_IOSERVERS)
lane: performance
takes_effect: database reactivation
applies: {from: '9.1'}
judged_by: load
needs: [dbcfg.VALUE, container.CONTAINER_NAME, workload.PREFETCH_WAIT_TIME, registry.REG_VAR_VALUE, system.CPU_ONLINE]
object: DATABASE
member: MEMBER
claims: {PREFETCH_WAIT: {events: WAITS, cost_ms: WAIT_MS}}
recover: [0.01, RECOVER, 0.6]
confidence: 0.6
defers_to:
  - {rule: storage.io-latency-high, within: any, only_if_larger: true}
after: [prefetch.oltp-useless, prefetch.size-misaligned, prefetch.wait-high]
thresholds:
  min_busy_part: {default: 0.5, from: own, why: at this average utilization requests queue}
  min_oltp_async_part:
    default: 0.1
    from: own
    why: transaction processing with less prefetching needs no more prefetchers
actions:
  - choose:
      - when: DIFFERS = 0
        set: {kind: DBCFG, name: NUM_IOSERVERS, from: '{PREFETCHERS}', to: AUTOMATIC, unit: prefetchers}
      - set: {kind: DBCFG, name: NUM_IOSERVERS, member: MEMBER, from: '{OF_MEMBER}', to: AUTOMATIC, unit: prefetchers}
finding:
  - '{PREFETCHERS} prefetchers per member; AUTOMATIC would start {ENOUGH}.'
  - {when: SHORT = 1, text: 'A prefetch has up to {PARALLEL_READS} parallel reads.'}
  - >-
    Agents wait for them {PREFETCH_WAIT_PCT:1} % of database time, {WAITING:1} agents on average[, while {READING:1}
    prefetchers read][, on member {BUSIEST_MEMBER}, the busiest].
evidence: [NUM_IOSERVERS=PREFETCHERS, AUTOMATIC_would_start=ENOUGH, parallel_reads=PARALLEL_READS,
  'prefetchers_reading=READING:2?', agents_waiting=WAITING:2, PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2]
references:
  - vmware-netapp, appendices A and B
  - IBM documentation of num_ioservers (r0000333, with what AUTOMATIC starts, and swg21991890) and "Parallel I/O"
why: >-
  Db2 splits a prefetch into one read per container (and per disk in DB2_PARALLEL_IO), and many agents prefetch at the
  same time. With too few prefetchers the reads run one after another.
not_if: >-
  NUM_IOSERVERS is AUTOMATIC, or at least what AUTOMATIC would start; a change is pending; prefetchers are idle half of
  the time, outnumber the waiting agents, and no prefetch has more parts; transaction processing with hardly any
  prefetching.
note: >-
  More prefetchers shorten the wait for a prefetcher, not for the disks. All are busy with a probability of about
  b^sqrt(2(n+1)), if n of them read the part b of the time (Sakasegawa 1977).
---*/
SELECT
    P.DIFFERS,
    P.PREFETCHERS,
    C.MEMBER,
    C.NUM AS OF_MEMBER,
    P.ENOUGH,
    P.PARALLEL_READS,
    P.READING,
    P.WAITING,
    P.BUSIEST_MEMBER,
    P.PREFETCH_WAIT_PCT,
    CASE WHEN P.PREFETCHERS < P.PARALLEL_READS THEN 1 ELSE 0 END AS SHORT,
    LEAST(0.5, GREATEST(0.05, 1 - CAST(P.PREFETCHERS AS DOUBLE) / NULLIF(P.ENOUGH, 0)))
    * CASE
        WHEN P.PREFETCHERS < P.PARALLEL_READS OR P.WAITING_PART >= 1 OR P.READING_PART IS NULL THEN 1
        ELSE POWER(CAST(LEAST(1, P.READING_PART) AS DOUBLE), SQRT(CAST(2 * (P.PREFETCHERS + 1) AS DOUBLE)))
    END AS RECOVER,
    P.WAITS,
    P.WAIT_MS
FROM TUNE.PREFETCHER AS P
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_PREFETCH_IOSERVERS_LOW AS O
CROSS JOIN TUNE.O_SITE AS SITE
LEFT JOIN TUNE.CONFIG AS C ON P.DIFFERS = 1 AND C.SCOPE = 'DB' AND C.NAME = 'num_ioservers'
WHERE
    P.AUTOMATIC = 0
    AND P.PENDING = 0
    AND P.PREFETCHERS < P.ENOUGH
    AND P.PREFETCH_WAIT_PCT >= SITE.SOME_PCT
    AND (
        P.PREFETCHERS < P.PARALLEL_READS
        OR P.READING_PART >= O.MIN_BUSY_PART
        OR P.WAITING_PART >= 1
    )
    AND (K.CLASS <> 'OLTP' OR COALESCE(K.ASYNC_PART, 0) >= O.MIN_OLTP_ASYNC_PART)
