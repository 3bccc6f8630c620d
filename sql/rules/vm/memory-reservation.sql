/*---
rule: vm.memory-reservation
title: Guest memory is not reserved on the hypervisor
lane: condition
takes_effect: host change
applies: {guest: true}
steps_need: host
judged_by: host
needs: [host.type, memory_set.MEMORY_SET_COMMITTED, system.MEMORY_TOTAL]
asks: [host.reserved_mb]
object: HOST {HOST_NAME:text}
confidence: 0.3
unit: MB
defers_to:
  - {rule: vm.memory-taken, within: object}
thresholds:
  max_granted_pct: {default: 90, from: vmware-netapp, why: percent of the physical host's memory that guests may have}
actions:
  - when: CROWDED = 1
    manual: 'Leave about {SPARE_MB} MB of the physical host to the hypervisor: move or shrink a guest.'
    undo: {manual: Move the guest back.}
  - when: SWAP_ON_DATA = 1
    manual: Move the swap file of {HOST_NAME:text} to a data store without its data.
    undo: {manual: Move the swap file back.}
  - when: LIMITED = 1
    set: {name: GUEST_LIMIT, from: '{LIMIT_MB}', to: '{MEMORY_TOTAL}'}
  - when: LIMITED = 1
    manual: Remove the limit of {LIMIT_MB} MB from {HOST_NAME:text}.
    undo: {manual: 'Set the limit of {LIMIT_MB} MB again.'}
  - when: UNRESERVED = 1
    set: {name: GUEST_RESERVATION, from: '{RESERVED_MB}', to: '{SHARED_MB}'}
  - when: UNRESERVED = 1
    manual: Reserve {SHARED_MB} MB for {HOST_NAME:text} (Db2's shared memory), or all of its memory.
    undo: {manual: 'Reserve {RESERVED_MB} MB again.'}
finding:
  - when: UNRESERVED = 1
    text: The hypervisor has reserved {RESERVED_MB} of the {SHARED_MB} MB of Db2's shared memory; it may take the rest.
  - when: LIMITED = 1
    text: >-
      The guest has {MEMORY_TOTAL} MB and a limit of {LIMIT_MB} MB: the hypervisor swaps out memory above the limit.
  - when: CROWDED = 1
    text: The guests have {GRANTED_MB} of {HOST_MB} MB, more than {MAX_GRANTED_PCT} %.
  - {when: SWAP_ON_DATA = 1, text: The guest's swap file is on a data store that also holds its data.}
query: >-
  SELECT MEMBER, SUM(MEMORY_SET_COMMITTED) AS COMMITTED_KB FROM TABLE(MON_GET_MEMORY_SET(NULL, NULL, -2)) AS T GROUP BY
  MEMBER
evidence: [memory_sets_mb=SHARED_MB, reserved_mb=RESERVED_MB, limit_mb=LIMIT_MB, MEMORY_TOTAL]
references:
  - vmware-netapp, sections 5.2 to 5.4
why: >-
  When memory runs short on the physical host, the hypervisor takes it from guests, by ballooning or swapping. A
  database uses all its memory, so the loss is buffer pool pages.
not_if: >-
  All of Db2's shared memory is reserved, no limit is below the guest's memory, the guests have at most 90 % of the host
  and the swap file is on another data store; a control group, zone or logical partition.
note: >-
  This is the risk; vm.memory-taken reports memory that was taken. A site that overcommits deliberately (development,
  test) can accept the rule. Reserving all of the guest's memory is safest; the paper requires Db2's shared memory.
---*/
WITH JUDGED AS (
    SELECT
        G.*,
        O.MAX_GRANTED_PCT,
        CASE WHEN 100 * CAST(G.RESERVED_MB AS DOUBLE) < (100 - CONST.TOLERANCE_PCT) * G.SHARED_MB THEN 1 ELSE 0 END
            AS UNRESERVED,
        CASE WHEN 100 * CAST(G.LIMIT_MB AS DOUBLE) < (100 - CONST.TOLERANCE_PCT) * G.MEMORY_TOTAL THEN 1 ELSE 0 END
            AS LIMITED,
        CASE WHEN 100 * CAST(G.GRANTED_MB AS DOUBLE) > O.MAX_GRANTED_PCT * G.HOST_MB THEN 1 ELSE 0 END AS CROWDED
    FROM TUNE.HOST_GUEST AS G
    CROSS JOIN TUNE.O_VM_MEMORY_RESERVATION AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
)
SELECT
    HOST_NAME, MEMORY_TOTAL, SHARED_MB, RESERVED_MB, LIMIT_MB, GRANTED_MB, HOST_MB, MAX_GRANTED_PCT, UNRESERVED,
    LIMITED, CROWDED, SWAP_ON_DATA,
    FLOOR(CAST(HOST_MB AS DOUBLE) / 10) AS SPARE_MB
FROM JUDGED
WHERE UNRESERVED = 1 OR LIMITED = 1 OR CROWDED = 1 OR SWAP_ON_DATA = 1
