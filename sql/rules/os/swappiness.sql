-- rule:      os.swappiness
-- title:     The kernel swaps programs out too readily
-- area:      os
-- lane:      H
-- effect:    HR
-- applies:   platform=Linux; not=managed
-- evidence:  host
-- needs:     host.swappiness
-- threshold: max_swapping = 10 -- [doc] Red Hat's value for databases; above it, where the host does swap out
-- threshold: max_quiet = 30 -- [prop] above it also where nothing was swapped out in the interval
-- threshold: target = 5 -- [prop] swap only when nothing else is left; 0 would risk the out-of-memory killer
-- source:    001_518820f6be7b57c0.txt (database caches on paging space are not optimal); Red Hat Performance Tuning
--            Guide (10 for databases); IBM Linux on Z, kernel settings for Db2 (0)
-- why:       The kernel may drop file cache or swap out programs when memory runs short. A buffer pool that was
--            swapped out costs a read where it should save one.
-- not-if:    10 or less; up to 30 where the host does not swap out; a container, which has its host's setting.
-- note:      No time is claimed, and the lane is housekeeping even where the host swaps: that the host has too
--            little memory is memory.overcommit's to say. IBM's zero is for kernels before 3.5.
WITH SWAPPING AS (
    SELECT
        K.HOST_NAME,
        K.SWAPPINESS,
        COALESCE(K.SWAP_PAGES_OUT, 0) AS SWAP_PAGES_OUT,
        CASE WHEN K.SWAP_PAGES_OUT > 0 OR K.SWAP_OUT_PER_S > 0 THEN 1 ELSE 0 END AS SWAPS
    FROM TUNE.HOST_KERNEL AS K
    LEFT JOIN TUNE.HOST_FACT AS V ON K.HOST_NAME = V.HOST AND V.FACT_KEY = 'virtual' AND V.ITEM = 'type'
    WHERE COALESCE(V.VALUE, 'none') <> 'docker'
)
SELECT
    'HOST' AS OBJECT_TYPE,
    S.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CASE WHEN S.SWAPS = 1 THEN CAST(0.6 AS DOUBLE) ELSE CAST(0.3 AS DOUBLE) END AS CONFIDENCE,
    'HOST:' || S.HOST_NAME || ':vm.swappiness' AS TARGET,
    CAST(S.SWAPPINESS AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(CAST(FLOOR(O.TARGET) AS BIGINT) AS VARCHAR(20)) AS PROPOSED_VALUE,
    'kernel parameter' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'sysctl -w vm.swappiness=' || CAST(CAST(FLOOR(O.TARGET) AS BIGINT) AS VARCHAR(20)) || CHR(10)
    || '-- Keep it in /etc/sysctl.d/99-db2.conf: vm.swappiness = '
    || CAST(CAST(FLOOR(O.TARGET) AS BIGINT) AS VARCHAR(20)) AS ACTION_TEXT,
    'sysctl -w vm.swappiness=' || CAST(S.SWAPPINESS AS VARCHAR(20)) AS UNDO_TEXT,
    'vm.swappiness=' || CAST(S.SWAPPINESS AS VARCHAR(20))
    || '; SWAP_PAGES_OUT=' || CAST(S.SWAP_PAGES_OUT AS VARCHAR(20)) AS EVIDENCE,
    'vm.swappiness is ' || CAST(S.SWAPPINESS AS VARCHAR(20))
    || CASE
        WHEN S.SWAPS = 1 THEN ', and the host swaps programs out.'
        ELSE ': the kernel may swap out Db2''s memory to keep file cache.'
    END AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM SWAPPING AS S
CROSS JOIN TUNE.O_OS_SWAPPINESS AS O
WHERE S.SWAPPINESS > CASE WHEN S.SWAPS = 1 THEN O.MAX_SWAPPING ELSE O.MAX_QUIET END AND S.SWAPPINESS > O.TARGET
