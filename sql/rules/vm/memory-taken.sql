/*---
rule: vm.memory-taken
title: Hypervisor reclaimed guest memory (balloon or swap)
lane: safety
severity: high
takes_effect: host change
applies: {guest: true}
steps_need: host
judged_by: host
needs: [host.type, system.MEMORY_TOTAL]
object: HOST {HOST_NAME:text}
confidence: 0.9
actions:
  - set: {name: GUEST_RESERVATION, from: '{RESERVED_MB}', to: '{MEMORY_TOTAL}', unit: MB}
  - manual: 'Reduce the load of the physical host, whose memory is overcommitted: move a guest to another host.'
    undo: {manual: Move the guest back.}
  - when: RESERVE = 1
    manual: Then reserve all {MEMORY_TOTAL} MB for {HOST_NAME:text}, so that the hypervisor cannot take it again.
    undo: {manual: Restore the previous reservation.}
finding: >-
  The hypervisor has taken {TAKEN_MB} of {MEMORY_TOTAL} MB of {HOST_NAME:text}[, {BALLOON_MB} MB by ballooning][,
  {HOST_SWAP_MB} MB swapped out]. Changes that need memory are withheld until it is returned.
evidence: ['balloon_mb=BALLOON_MB?', 'host_swap_mb=HOST_SWAP_MB?', 'reserved_mb=RESERVED_MB?', MEMORY_TOTAL]
references:
  - vmware-netapp, sections 5.2 to 5.4
  - VMware's documentation of memory reclamation
why: >-
  A balloon forces the guest to release pages. Memory swapped out by the hypervisor is read back page by page when the
  guest uses it, which the guest cannot foresee. A database uses all of its memory, so every page taken costs a read.
not_if: >-
  Less than 1 % of the guest's memory was taken, or the fact is unknown; a control group, zone or logical partition.
note: >-
  Pages that were swapped out and are never used again cost nothing: less than 1 % is not reported. No wait counter
  shows the cost, so the rule claims no database time.
---*/
SELECT
    G.HOST_NAME,
    G.MEMORY_TOTAL,
    G.RESERVED_MB,
    G.BALLOON_MB,
    G.HOST_SWAP_MB,
    P.TAKEN_KB / CAST(1024 AS DOUBLE) AS TAKEN_MB,
    CASE WHEN COALESCE(G.RESERVED_MB, 0) < G.MEMORY_TOTAL THEN 1 END AS RESERVE
FROM TUNE.HOST_GUEST AS G
INNER JOIN TUNE.MEMORY_PRESSURE AS P ON G.HOST_NAME = P.HOST_NAME
WHERE P.TAKEN = 1
