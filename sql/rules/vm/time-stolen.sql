/*---
rule: vm.time-stolen
title: Others take the processors that Db2 is waiting for
lane: performance
takes_effect: host change
applies: {not: [managed]}
judged_by: load
needs: [host.type, system.CPU_ONLINE, system.CPU_USAGE_TOTAL, workload.TOTAL_CPU_TIME]
object: HOST {HOST_NAME:text}
claims: {PROCESSING: {events: CPU_SECONDS, cost_ms: STOLEN_MS}}
recover: [0.3, 0.7, 1]
confidence: 0.6
thresholds:
  max_stolen_pct: {default: 5, from: own, why: percent of the time that a virtual processor is ready and has to wait}
actions:
  - choose:
      - when: TYPE = 'powervm'
        manual: >-
          Give the partition {HOST_NAME:text} more entitled capacity or a higher weight, or take another partition out
          of its pool of shared processors.
        undo: {manual: Set capacity and weight back.}
      - when: TYPE = 'docker'
        manual: Move the container to another node, or take another machine away from the host below its node.
        undo: {manual: Move the container back.}
      - manual: >-
          Move a guest to another host, or give {HOST_NAME:text} more processor shares than the others. In a public
          cloud: a type of machine whose processors are not lent by credits.
        undo: {manual: 'Move the guest back, or set the shares back.'}
finding: >-
  On host {HOST_NAME:text} a processor is wanted and has to wait for {STOLEN_PCT:1} % of the time: each second on it
  costs {STOLEN_MS} ms of waiting.
evidence: [stolen_pct=STOLEN_PCT:2, CPU_USAGE_TOTAL, CPU_ONLINE, type=TYPE:text]
references:
  - vmware-netapp, section 4.3 (the cost of too many virtual processors)
  - proc(5), steal time
  - VMware's documentation of %RDY
why: >-
  The hypervisor has more work than processors. While it serves another guest, agents of this one hold latches and locks
  and wait, and in Db2 that looks like processing.
not_if: Less than 5 % of the time is stolen, or nobody measured it; a managed database.
note: >-
  Stolen time was measured while the host's facts were collected, ready time when a person looked, not necessarily in
  the interval that is judged. VMware and Hyper-V do not show it to the guest.
---*/
SELECT
    P.HOST_NAME,
    P.TYPE,
    P.STOLEN_PCT,
    P.CPU_USAGE_TOTAL,
    P.CPU_ONLINE,
    P.CPU_SECONDS,
    CAST(1000 AS DOUBLE) * P.STOLEN_PCT / NULLIF(GREATEST(CAST(P.CPU_USAGE_TOTAL AS DOUBLE), P.DB2_CPU_PCT, 1), 0)
        AS STOLEN_MS
FROM TUNE.HOST_PROCESSOR AS P
CROSS JOIN TUNE.O_VM_TIME_STOLEN AS O
WHERE P.STOLEN_PCT >= O.MAX_STOLEN_PCT AND P.CPU_USAGE_TOTAL >= 0 AND P.DB2_CPU_PCT >= 0
