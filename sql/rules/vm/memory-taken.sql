/*---
rule: vm.memory-taken
title: The hypervisor has taken the guest's memory
lane: safety
severity: high
takes_effect: host change
applies: {guest: true, not: [managed]}
judged_by: host
needs: [host.type, system.MEMORY_TOTAL]
object: HOST {HOST_NAME:text}
confidence: 0.9
actions:
  - set: {name: GUEST_RESERVATION, from: '{RESERVED_MB}', to: '{MEMORY_TOTAL}', unit: MB}
  - manual: 'Take load from the physical host: it has promised more memory than it has. Move a guest away.'
    undo: {manual: Move the guest back.}
  - when: RESERVE = 1
    manual: Then reserve all {MEMORY_TOTAL} MB for {HOST_NAME:text}, so that it cannot be taken again.
    undo: {manual: Reserve no more than before.}
finding: >-
  The hypervisor has taken {TAKEN_MB} MB of the {MEMORY_TOTAL} MB of {HOST_NAME:text}[, {BALLOON_MB} MB by its
  balloon][, {HOST_SWAP_MB} MB swapped out]. Until they are back nothing that takes memory is advised.
evidence: ['balloon_mb=BALLOON_MB?', 'host_swap_mb=HOST_SWAP_MB?', 'reserved_mb=RESERVED_MB?', MEMORY_TOTAL]
references:
  - vmware-netapp, sections 5.2 to 5.4
  - VMware's documentation of memory reclamation
why: >-
  A balloon makes the guest give pages up, and what the hypervisor swaps out is read back page by page when the guest
  touches it, which it cannot foresee. A database touches all of its memory, so every page that was taken costs a read,
  of the buffer pool or of the program itself.
not_if: Less than 1 % of the guest's memory was taken, or nobody told; a control group, zone or logical partition.
note: >-
  Pages that were swapped out once and never touched again stay there and cost nothing: less than 1 % is not told of. No
  wait counter shows it, so no database time is claimed.
---*/
SELECT
    G.HOST_NAME,
    G.MEMORY_TOTAL,
    G.RESERVED_MB,
    G.BALLOON_MB,
    G.HOST_SWAP_MB,
    P.TAKEN_KB / CAST(1024 AS DOUBLE) AS TAKEN_MB,
    CASE WHEN COALESCE(G.RESERVED_MB, 0) < G.MEMORY_TOTAL THEN 1 ELSE 0 END AS RESERVE
FROM TUNE.HOST_GUEST AS G
INNER JOIN TUNE.MEMORY_PRESSURE AS P ON G.HOST_NAME = P.HOST_NAME
WHERE P.TAKEN = 1
