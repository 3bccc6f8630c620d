-- rule:       vm.memory-reservation
-- title:      The hypervisor may take the guest's memory
-- area:       vm
-- lane:       S
-- effect:     HR
-- applies:    guest=yes; not=managed
-- judged-by:  host
-- confidence: 0.6
-- needs:      host.type, memory_set.MEMORY_SET_COMMITTED, system.MEMORY_TOTAL
-- asks:       host.reserved_mb
-- threshold:  max_granted_pct = 90 -- [seed 002] of the physical host's memory may be given to guests
-- threshold:  min_taken_pct = 1 -- [prop] percent of the guest's memory; a few pages swapped once stay there unmissed
-- threshold:  tolerance_pct = 2 -- [prop] memory as guest and hypervisor count it differs by less
-- object:     HOST {HOST_NAME:text}
-- unit:       MB
-- by-hand:    when CROWDED = 1: Leave about {SPARE_MB} MB of the physical host to the hypervisor: move or shrink a
--             guest.
-- undo-by-hand: Move the guest back.
-- by-hand:    when SWAP_ON_DATA = 1: Put the swap file of {HOST_NAME:text} on a data store without its data.
-- undo-by-hand: Put it back.
-- set:        when LIMITED = 1: GUEST_LIMIT: {LIMIT_MB} -> {MEMORY_TOTAL}
-- by-hand:    when LIMITED = 1: Remove the limit of {LIMIT_MB} MB from {HOST_NAME:text}.
-- undo-by-hand: Limit it to {LIMIT_MB} MB again.
-- set:        when UNRESERVED = 1: GUEST_RESERVATION: {RESERVED_MB} -> {SHARED_MB}
-- by-hand:    when UNRESERVED = 1: Reserve {SHARED_MB} MB for {HOST_NAME:text} (the shared memory of Db2), or all of
--             its memory.
-- undo-by-hand: Reserve {RESERVED_MB} MB again.
-- set:        when RESERVE_ALL = 1: GUEST_RESERVATION: {RESERVED_MB} -> {MEMORY_TOTAL}
-- by-hand:    when RESERVE_ALL = 1: Reserve all {MEMORY_TOTAL} MB for {HOST_NAME:text}.
-- undo-by-hand: Reserve no more than before.
-- finding:    when TAKEN_MB > 0 AND (UNRESERVED = 1 OR RESERVE_ALL = 1): The hypervisor has taken {TAKEN_MB} MB of the
--             guest's memory ({BALLOON_MB|0} MB by its balloon, {HOST_SWAP_MB|0} MB swapped out).
-- finding:    else when UNRESERVED = 1: Of the {SHARED_MB} MB of Db2's shared memory, the hypervisor has reserved
--             {RESERVED_MB} MB; it may take the rest.
-- finding:    when LIMITED = 1: The guest has {MEMORY_TOTAL} MB and a limit of {LIMIT_MB} MB: what it uses beyond, the
--             hypervisor swaps out.
-- finding:    when CROWDED = 1: The guests have been given {GRANTED_MB} MB of {HOST_MB} MB, more than {MAX_GRANTED_PCT}
--             %.
-- finding:    when SWAP_ON_DATA = 1: The guest's swap file lies on a data store that also holds its data.
-- evidence:   memory_sets_mb=SHARED_MB, reserved_mb=RESERVED_MB, balloon_mb=BALLOON_MB, host_swap_mb=HOST_SWAP_MB,
--             limit_mb=LIMIT_MB, MEMORY_TOTAL
-- source:     002_e991ec30bbd9209f.txt, sections 5.2 to 5.4
-- why:        When memory runs short on the physical host, the hypervisor takes it from guests, by the balloon driver
--             or by swapping. A database keeps all its memory in use, so what is taken are pages of the buffer pool.
-- not-if:     All of Db2's shared memory is reserved, or the guests have at most 90 % of the host; less than 1 % of the
--             memory was taken, no limit lies below it and the swap file lies apart; a control group, zone or logical
--             partition.
-- note:       Where memory was taken is told first. A site that overcommits on purpose (development, test) accepts the
--             rule. Reserving all of the guest's memory is the safest; the paper asks for Db2's shared memory.
WITH GUEST AS (
    SELECT
        G.*,
        O.MAX_GRANTED_PCT,
        CASE
            WHEN
                100 * CAST(COALESCE(G.BALLOON_MB, 0) + COALESCE(G.HOST_SWAP_MB, 0) AS DOUBLE)
                >= O.MIN_TAKEN_PCT * G.MEMORY_TOTAL
                THEN COALESCE(G.BALLOON_MB, 0) + COALESCE(G.HOST_SWAP_MB, 0)
            ELSE 0
        END AS TAKEN_MB,
        CASE WHEN 100 * CAST(G.RESERVED_MB AS DOUBLE) < (100 - O.TOLERANCE_PCT) * G.SHARED_MB THEN 1 ELSE 0 END AS LACKING,
        CASE WHEN 100 * CAST(G.GRANTED_MB AS DOUBLE) <= O.MAX_GRANTED_PCT * G.HOST_MB THEN 1 ELSE 0 END AS ROOMY,
        CASE WHEN 100 * CAST(G.LIMIT_MB AS DOUBLE) < (100 - O.TOLERANCE_PCT) * G.MEMORY_TOTAL THEN 1 ELSE 0 END
            AS LIMITED,
        CASE WHEN 100 * CAST(G.GRANTED_MB AS DOUBLE) > O.MAX_GRANTED_PCT * G.HOST_MB THEN 1 ELSE 0 END AS CROWDED
    FROM TUNE.HOST_GUEST AS G
    CROSS JOIN TUNE.O_VM_MEMORY_RESERVATION AS O
),
JUDGED AS (
    SELECT
        G.*,
        CASE WHEN LACKING = 1 AND (ROOMY = 0 OR TAKEN_MB > 0) THEN 1 ELSE 0 END AS UNRESERVED,
        CASE
            WHEN LACKING = 0 AND TAKEN_MB > 0 AND COALESCE(RESERVED_MB, 0) < MEMORY_TOTAL THEN 1
            ELSE 0
        END AS RESERVE_ALL
    FROM GUEST AS G
)
SELECT
    HOST_NAME, MEMORY_TOTAL, SHARED_MB, RESERVED_MB, LIMIT_MB, BALLOON_MB, HOST_SWAP_MB, TAKEN_MB, GRANTED_MB, HOST_MB,
    MAX_GRANTED_PCT, UNRESERVED, RESERVE_ALL, LIMITED, CROWDED, SWAP_ON_DATA,
    FLOOR(CAST(HOST_MB AS DOUBLE) / 10) AS SPARE_MB
FROM JUDGED
WHERE UNRESERVED = 1 OR RESERVE_ALL = 1 OR LIMITED = 1 OR CROWDED = 1 OR SWAP_ON_DATA = 1
