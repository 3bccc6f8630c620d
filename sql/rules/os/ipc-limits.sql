-- rule:      os.ipc-limits
-- title:     Kernel limits are below what Db2 requires
-- area:      os
-- lane:      S
-- effect:    HR
-- applies:   platform=Linux; not=managed
-- evidence:  host
-- needs:     host.shmmni, system.MEMORY_TOTAL
-- threshold: shmmni_per_gb = 256 -- [doc] kernel.shmmni for each GB of memory, and as many semaphore arrays
-- threshold: msgmni_per_gb = 1024 -- [doc] kernel.msgmni for each GB of memory
-- threshold: ipc_max = 32000 -- [gk] what kernels allow and distributions set; more than 32,768 is refused
-- threshold: message_bytes = 65536 -- [doc] kernel.msgmax and kernel.msgmnb
-- threshold: semmsl = 250 -- [doc] semaphores of an array
-- threshold: semmns = 256000 -- [doc] semaphores of all arrays
-- threshold: semopm = 32 -- [doc] operations of one call
-- threshold: old_shmmni = 4096 -- [seed 001] for levels before 9.7 fix pack 2
-- threshold: old_arrays = 1024 -- [seed 001] the same: semaphore arrays and kernel.msgmni
-- threshold: tolerance_pct = 2 -- [prop] memory as Db2 and as the kernel count it differs by less
-- source:    IBM documentation "Kernel parameter requirements (Linux)" (c0057140) for 9.7 fix pack 2 and later;
--            001_518820f6be7b57c0.txt, kernel parameters (1) to (3), for older levels
-- why:       Shared memory, semaphores and message queues that the kernel refuses make activations and connections
--            fail, with the load and not when the limit is set.
-- not-if:    The limits are met or not known; a container, whose limits are set by who starts it.
-- note:      From 9.7 fix pack 2 a root installation raises limits that are too low at db2start, until the host
--            restarts; those of others stay low. SEMMNS is at least SEMMNI from 11.5 on. Limits are never lowered.
--            Below fix pack 2 IBM asks for little; the paper's table is used, the row at or below the memory.
WITH SEED_ROW (GB, NEXT_GB, SHMALL, SHMMAX) AS (
    SELECT 2 AS GB, 4 AS NEXT_GB, 400000 AS SHMALL, CAST(1700000000 AS BIGINT) AS SHMMAX FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 4, 8, 912600, CAST(3774873600 AS BIGINT) FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 8, 12, 1971200, CAST(8074035200 AS BIGINT) FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 12, 16, 3020800, CAST(12373196800 AS BIGINT) FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 16, 20, 4070400, CAST(16672358400 AS BIGINT) FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 20, 24, 5120000, CAST(20971520000 AS BIGINT) FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 24, 1000000, 6169600, CAST(25270681600 AS BIGINT) FROM TUNE.RUN_DATABASE
),
WANTED AS (
    SELECT
        K.*,
        CASE WHEN D.DB2_LEVEL >= 9070002 THEN 0 ELSE 1 END AS OLD,
        S.SHMALL AS SEED_SHMALL,
        S.SHMMAX AS SEED_SHMMAX,
        CAST(FLOOR(LEAST(O.IPC_MAX, CASE
            WHEN D.DB2_LEVEL >= 9070002 THEN O.SHMMNI_PER_GB * K.WHOLE_GB ELSE O.OLD_SHMMNI
        END)) AS BIGINT) AS WANT_SHMMNI,
        CAST(FLOOR(LEAST(O.IPC_MAX, CASE
            WHEN D.DB2_LEVEL >= 9070002 THEN O.SHMMNI_PER_GB * K.WHOLE_GB ELSE O.OLD_ARRAYS
        END)) AS BIGINT) AS WANT_SEMMNI,
        CAST(FLOOR(LEAST(O.IPC_MAX, CASE
            WHEN D.DB2_LEVEL >= 9070002 THEN O.MSGMNI_PER_GB * K.WHOLE_GB ELSE O.OLD_ARRAYS
        END)) AS BIGINT) AS WANT_MSGMNI,
        CAST(FLOOR(O.MESSAGE_BYTES) AS BIGINT) AS WANT_BYTES,
        CAST(FLOOR(O.SEMMSL) AS BIGINT) AS WANT_SEMMSL,
        CAST(FLOOR(O.SEMMNS) AS BIGINT) AS WANT_SEMMNS,
        CAST(FLOOR(O.SEMOPM) AS BIGINT) AS WANT_SEMOPM,
        CAST(100 - O.TOLERANCE_PCT AS DOUBLE) / 100 AS ENOUGH
    FROM TUNE.HOST_KERNEL AS K
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_OS_IPC_LIMITS AS O
    LEFT JOIN SEED_ROW AS S ON K.RAM_GB >= S.GB AND K.RAM_GB < S.NEXT_GB
    LEFT JOIN TUNE.HOST_FACT AS V ON K.HOST_NAME = V.HOST AND V.FACT_KEY = 'virtual' AND V.ITEM = 'type'
    WHERE COALESCE(V.VALUE, 'none') <> 'docker'
),
LIMITS (HOST_NAME, NAME, NOW, WANT, ENOUGH) AS (
    SELECT HOST_NAME, 'shmmni' AS NAME, SHMMNI AS NOW, WANT_SHMMNI AS WANT, ENOUGH FROM WANTED
    UNION ALL
    SELECT
        HOST_NAME, 'shmmax', SHMMAX, CASE WHEN OLD = 1 THEN SEED_SHMMAX ELSE 1048576 * MEMORY_TOTAL END, ENOUGH
    FROM WANTED
    UNION ALL
    SELECT HOST_NAME, 'shmall', SHMALL, CASE WHEN OLD = 1 THEN SEED_SHMALL ELSE TWICE_MEMORY_PAGES END, ENOUGH
    FROM WANTED
    UNION ALL
    SELECT HOST_NAME, 'msgmni', MSGMNI, WANT_MSGMNI, ENOUGH FROM WANTED
    UNION ALL
    SELECT HOST_NAME, 'msgmax', MSGMAX, WANT_BYTES, ENOUGH FROM WANTED
    UNION ALL
    SELECT HOST_NAME, 'msgmnb', MSGMNB, WANT_BYTES, ENOUGH FROM WANTED
),
LOW (HOST_NAME, NAME, NOW_TEXT, WANT_TEXT, QUOTE) AS (
    SELECT
        HOST_NAME,
        NAME,
        CAST(NOW AS VARCHAR(60)) AS NOW_TEXT,
        CAST(WANT AS VARCHAR(60)) AS WANT_TEXT,
        '' AS QUOTE
    FROM LIMITS
    WHERE NOW < ENOUGH * WANT
    UNION ALL
    SELECT
        W.HOST_NAME,
        'sem',
        CAST(S.SEMMSL AS VARCHAR(20)) || ' ' || CAST(S.SEMMNS AS VARCHAR(20)) || ' '
        || CAST(S.SEMOPM AS VARCHAR(20)) || ' ' || CAST(S.SEMMNI AS VARCHAR(20)),
        CAST(GREATEST(S.SEMMSL, W.WANT_SEMMSL) AS VARCHAR(20)) || ' '
        || CAST(GREATEST(S.SEMMNS, W.WANT_SEMMNS) AS VARCHAR(20)) || ' '
        || CAST(GREATEST(S.SEMOPM, W.WANT_SEMOPM) AS VARCHAR(20)) || ' '
        || CAST(GREATEST(S.SEMMNI, W.WANT_SEMMNI) AS VARCHAR(20)),
        '"'
    FROM WANTED AS W
    INNER JOIN TUNE.HOST_SEMAPHORE AS S ON W.HOST_NAME = S.HOST
    WHERE
        S.SEMMSL < W.WANT_SEMMSL OR S.SEMMNS < W.WANT_SEMMNS OR S.SEMOPM < W.WANT_SEMOPM
        OR S.SEMMNI < W.ENOUGH * W.WANT_SEMMNI
)
SELECT
    'HOST' AS OBJECT_TYPE,
    L.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.9 AS DOUBLE) AS CONFIDENCE,
    'HOST:' || L.HOST_NAME || ':kernel.' || L.NAME AS TARGET,
    L.NOW_TEXT AS CURRENT_VALUE,
    L.WANT_TEXT AS PROPOSED_VALUE,
    'kernel parameter' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'sysctl -w kernel.' || L.NAME || '=' || L.QUOTE || L.WANT_TEXT || L.QUOTE || CHR(10)
    || '-- Keep it in /etc/sysctl.d/99-db2.conf: kernel.' || L.NAME || ' = ' || L.WANT_TEXT AS ACTION_TEXT,
    'sysctl -w kernel.' || L.NAME || '=' || L.QUOTE || L.NOW_TEXT || L.QUOTE AS UNDO_TEXT,
    'limits_too_low=' || CAST(COUNT(*) OVER (PARTITION BY L.HOST_NAME) AS VARCHAR(20))
    || '; kernel.' || L.NAME || '=' || L.NOW_TEXT
    || '; required=' || L.WANT_TEXT AS EVIDENCE,
    CAST(COUNT(*) OVER (PARTITION BY L.HOST_NAME) AS VARCHAR(20))
    || ' kernel limits are below what Db2 requires of this host, among them kernel.' || L.NAME
    || ', which is ' || L.NOW_TEXT || ' instead of ' || L.WANT_TEXT || '.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM LOW AS L
