/*---
rule: vm.time-stolen
title: Other guests take CPU time from Db2 (steal time)
lane: performance
takes_effect: host change
steps_need: host
judged_by: load
needs: [host.type, system.CPU_ONLINE, system.CPU_USAGE_TOTAL, workload.TOTAL_CPU_TIME]
object: HOST {HOST_NAME:text}
claims: {PROCESSING: {events: CPU_SECONDS, cost_ms: STOLEN_MS}}
recover: [0.3, 0.7, 1]
confidence: 0.6
thresholds:
  max_stolen_pct: {default: 5, from: own, why: percent of the time that a virtual processor is ready but waits}
actions:
  - choose:
      - when: TYPE = 'powervm'
        manual: >-
          Raise the entitled capacity or the weight of partition {HOST_NAME:text}, or move another partition out of its
          shared processor pool.
        undo: {manual: Restore capacity and weight.}
      - when: TYPE = 'docker'
        manual: Move the container to another node, or move another machine away from its node's host.
        undo: {manual: Move the container back.}
      - manual: >-
          Move a guest to another host, or raise the processor shares of {HOST_NAME:text}. In a public cloud, use a
          machine type without CPU credits.
        undo: {manual: 'Move the guest back, or restore the shares.'}
finding: >-
  A runnable processor of host {HOST_NAME:text} waits {STOLEN_PCT:1} % of the time: each second of CPU costs {STOLEN_MS}
  ms of waiting.
evidence: [stolen_pct=STOLEN_PCT:2, CPU_USAGE_TOTAL, CPU_ONLINE, type=TYPE:text]
references:
  - vmware-netapp, section 4.3 (the cost of too many virtual processors)
  - proc(5), steal time
  - VMware's documentation of %RDY
why: >-
  The hypervisor has more work than processors. While it runs another guest, this guest's agents hold latches and locks
  and wait. In Db2 that looks like processing.
not_if: Less than 5 % of the time is stolen, or it was not measured.
note: >-
  Stolen time was measured while host facts were collected, ready time when it was read manually: not necessarily in the
  interval judged. VMware and Hyper-V do not show it to the guest.
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
