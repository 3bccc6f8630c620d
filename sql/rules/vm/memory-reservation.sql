-- rule:      vm.memory-reservation
-- title:     The hypervisor may take the guest's memory
-- area:      vm
-- lane:      S
-- effect:    HR
-- applies:   guest=yes; not=managed
-- evidence:  host
-- needs:     host.type, host.reserved_mb, memory_set.MEMORY_SET_COMMITTED, system.MEMORY_TOTAL
-- threshold: max_granted_pct = 90 -- [seed 002] of the physical host's memory may be given to guests
-- threshold: tolerance_pct = 2 -- [prop] memory as guest and hypervisor count it differs by less
-- source:    002_e991ec30bbd9209f.txt, sections 5.2 to 5.4
-- why:       When memory runs short on the physical host, the hypervisor takes it from guests, by the balloon driver or
--            by swapping. A database keeps all its memory in use, so what is taken are pages of the buffer pool.
-- not-if:    All of Db2's shared memory is reserved, nothing was taken, no limit lies below the guest's memory, the
--            guests have at most 90 % of the host and the swap file lies apart; a control group, zone or logical
--            partition.
-- note:      Where memory was taken is told first. A site that overcommits on purpose (development, test) accepts the
--            rule. Reserving all of the guest's memory is the safest; the paper asks for Db2's shared memory.
WITH TAKEN AS (
    SELECT
        G.*,
        COALESCE(G.BALLOON_MB, 0) + COALESCE(G.HOST_SWAP_MB, 0) AS TAKEN_MB,
        CASE
            WHEN 100 * CAST(G.RESERVED_MB AS DOUBLE) < (100 - O.TOLERANCE_PCT) * G.SHARED_MB THEN 1 ELSE 0
        END AS UNRESERVED,
        CASE
            WHEN 100 * CAST(G.LIMIT_MB AS DOUBLE) < (100 - O.TOLERANCE_PCT) * G.MEMORY_TOTAL THEN 1 ELSE 0
        END AS LIMITED,
        CASE WHEN 100 * CAST(G.GRANTED_MB AS DOUBLE) > O.MAX_GRANTED_PCT * G.HOST_MB THEN 1 ELSE 0 END AS CROWDED,
        CASE WHEN G.SWAP_ON_DATA = 1 THEN 1 ELSE 0 END AS SWAP_BESIDE,
        CAST(CAST(ROUND(O.MAX_GRANTED_PCT, 0) AS BIGINT) AS VARCHAR(20)) AS MAX_TEXT
    FROM TUNE.HOST_GUEST AS G
    CROSS JOIN TUNE.O_VM_MEMORY_RESERVATION AS O
),
STEP (HOST_NAME, N, DO_TEXT, UNDO_TEXT, CURRENT_VALUE, PROPOSED_VALUE, FINDING) AS (
    SELECT
        HOST_NAME,
        1 AS N,
        CASE
            WHEN UNRESERVED = 1
                THEN '-- Reserve ' || CAST(SHARED_MB AS VARCHAR(20)) || ' MB for ' || HOST_NAME
                || ' (the shared memory of Db2), or all of its memory.'
            ELSE '-- Reserve all ' || CAST(MEMORY_TOTAL AS VARCHAR(20)) || ' MB for ' || HOST_NAME || '.'
        END AS DO_TEXT,
        '-- Reserve ' || COALESCE(CAST(RESERVED_MB AS VARCHAR(20)), '0') || ' MB again.' AS UNDO_TEXT,
        CAST(RESERVED_MB AS VARCHAR(20)) AS CURRENT_VALUE,
        CAST(CASE WHEN UNRESERVED = 1 THEN SHARED_MB ELSE MEMORY_TOTAL END AS VARCHAR(20)) AS PROPOSED_VALUE,
        CASE
            WHEN TAKEN_MB > 0
                THEN 'The hypervisor has taken ' || CAST(TAKEN_MB AS VARCHAR(20)) || ' MB of the guest''s memory ('
                || CAST(COALESCE(BALLOON_MB, 0) AS VARCHAR(20)) || ' MB by its balloon, '
                || CAST(COALESCE(HOST_SWAP_MB, 0) AS VARCHAR(20)) || ' MB swapped out).'
            ELSE
                'Of the ' || CAST(SHARED_MB AS VARCHAR(20)) || ' MB of Db2''s shared memory, the hypervisor has '
                || 'reserved ' || CAST(RESERVED_MB AS VARCHAR(20)) || ' MB; it may take the rest.'
        END AS FINDING
    FROM TAKEN
    WHERE UNRESERVED = 1 OR (TAKEN_MB > 0 AND COALESCE(RESERVED_MB, 0) < MEMORY_TOTAL)
    UNION ALL
    SELECT
        HOST_NAME,
        2,
        '-- Remove the limit of ' || CAST(LIMIT_MB AS VARCHAR(20)) || ' MB from ' || HOST_NAME || '.',
        '-- Limit it to ' || CAST(LIMIT_MB AS VARCHAR(20)) || ' MB again.',
        CAST(LIMIT_MB AS VARCHAR(20)),
        CAST(MEMORY_TOTAL AS VARCHAR(20)),
        'The guest has ' || CAST(MEMORY_TOTAL AS VARCHAR(20)) || ' MB and a limit of ' || CAST(LIMIT_MB AS VARCHAR(20))
        || ' MB: what it uses beyond, the hypervisor swaps out.'
    FROM TAKEN
    WHERE LIMITED = 1
    UNION ALL
    SELECT
        HOST_NAME,
        3,
        '-- Leave about ' || CAST(CAST(FLOOR(CAST(HOST_MB AS DOUBLE) / 10) AS BIGINT) AS VARCHAR(20))
        || ' MB of the physical host to the hypervisor: move or shrink a guest.',
        '-- Move the guest back.',
        CAST(GRANTED_MB AS VARCHAR(20)),
        CAST(HOST_MB AS VARCHAR(20)),
        'The guests have been given ' || CAST(GRANTED_MB AS VARCHAR(20)) || ' MB of ' || CAST(HOST_MB AS VARCHAR(20))
        || ' MB, more than ' || MAX_TEXT || ' %.'
    FROM TAKEN
    WHERE CROWDED = 1
    UNION ALL
    SELECT
        HOST_NAME,
        4,
        '-- Put the swap file of ' || HOST_NAME || ' on a data store without its data.',
        '-- Put it back.',
        CAST(NULL AS VARCHAR(20)),
        CAST(NULL AS VARCHAR(20)),
        'The guest''s swap file lies on a data store that also holds its data.'
    FROM TAKEN
    WHERE SWAP_BESIDE = 1
)
SELECT
    'HOST' AS OBJECT_TYPE,
    S.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'HOST:' || S.HOST_NAME || ':GUEST_MEMORY:' || CAST(S.N AS VARCHAR(20)) AS TARGET,
    S.CURRENT_VALUE,
    S.PROPOSED_VALUE,
    'MB' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    S.DO_TEXT AS ACTION_TEXT,
    S.UNDO_TEXT,
    'memory_sets_mb=' || COALESCE(CAST(T.SHARED_MB AS VARCHAR(20)), 'not known')
    || '; reserved_mb=' || COALESCE(CAST(T.RESERVED_MB AS VARCHAR(20)), 'not known')
    || '; balloon_mb=' || COALESCE(CAST(T.BALLOON_MB AS VARCHAR(20)), 'not known')
    || '; host_swap_mb=' || COALESCE(CAST(T.HOST_SWAP_MB AS VARCHAR(20)), 'not known')
    || '; limit_mb=' || COALESCE(CAST(T.LIMIT_MB AS VARCHAR(20)), 'not known')
    || '; MEMORY_TOTAL=' || CAST(T.MEMORY_TOTAL AS VARCHAR(20)) AS EVIDENCE,
    S.FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM STEP AS S
INNER JOIN TAKEN AS T ON S.HOST_NAME = T.HOST_NAME
