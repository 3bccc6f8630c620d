-- rule:      config.registry-legacy-unsafe
-- title:     A registry variable for benchmarks is set
-- area:      config
-- lane:      P/S
-- severity:  low
-- effect:    IR
-- applies:   not=managed
-- evidence:  config
-- claims:    SORT
-- needs:     registry.REG_VAR_VALUE
-- threshold: min_sort_pct = 1 -- [prop] percent of database time in sorts, below which no join suffers from them
-- threshold: min_swapped_per_s = 10 -- [prop] pages swapped out a second: the host has too little memory left
-- source:    IBM documentation, performance variables (r0005665); 002_e991ec30bbd9209f.txt, appendix B
-- why:       DB2_APM_PERFORMANCE drops the locks on cached packages: binding and invalidation may fail, and the package
--            cache may run out. DB2_AVOID_PREFETCH makes crash recovery read page by page. DB2_PINNED_BP keeps the
--            buffer pools in memory while the rest of the host swaps. Without hash joins analysis sorts both
--            sides of a join.
-- not-if:    The value is the default; DB2_WORKLOAD sets it; it differs between members or another value waits; the
--            host does not swap (DB2_PINNED_BP); hash joins were run all the same, the work is transaction processing,
--            or sorts take less than 1 % of the time (DB2_HASH_JOIN); a managed database.
-- note:      A benchmark that is run so on purpose accepts the risk; no throughput is promised by taking the first
--            three away. DB2_KEEPTABLELOCK, DB2_MAX_NON_TABLE_LOCKS, DB2_SELECTIVITY and DB2ASSUMEUPDATE of the same
--            appendix are left alone: they change cost, not safety. DB2_HASH_JOIN was not found in the manuals of
--            10.5 and later, though scripts still set it: it counts only while no hash join was run, and with low
--            confidence. The catalogue claims join time, which nothing measures; sort time is what can be seen of it.
WITH SETTING AS (
    SELECT
        C.NAME,
        C.VALUE
    FROM (
        SELECT
            NAME,
            MIN(VALUE) AS VALUE,
            MAX(VALUE) AS LAST_VALUE,
            MAX(PENDING) AS PENDING
        FROM TUNE.CONFIG
        WHERE
            SCOPE = 'REG'
            AND NAME IN ('DB2_APM_PERFORMANCE', 'DB2_AVOID_PREFETCH', 'DB2_PINNED_BP', 'DB2_HASH_JOIN')
        GROUP BY NAME
    ) AS C
    LEFT JOIN (
        SELECT DISTINCT REG_VAR_NAME FROM TUNE.D_REGISTRY
        WHERE AGGREGATE_NAME IS NOT NULL
    ) AS W ON C.NAME = W.REG_VAR_NAME
    WHERE C.VALUE = C.LAST_VALUE AND C.PENDING = 0 AND W.REG_VAR_NAME IS NULL
),
SWAPPED AS (
    SELECT
        CASE WHEN W.SOURCE = 'DELTA' AND W.USABLE = 1 THEN 1 ELSE 0 END AS MEASURED,
        MAX(CAST(H.SWAP_PAGES_OUT AS DOUBLE) / NULLIF(W.SECONDS, 0)) AS PAGES_PER_S
    FROM TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.HOST AS H
    GROUP BY W.SOURCE, W.USABLE
),
UNSAFE AS (
    SELECT
        S.NAME,
        S.VALUE,
        CASE
            WHEN S.NAME = 'DB2_APM_PERFORMANCE'
                THEN 'packages in the cache are not locked: binding may fail and the package cache may run out.'
            WHEN S.NAME = 'DB2_AVOID_PREFETCH' THEN 'crash recovery reads page by page.'
            WHEN S.NAME = 'DB2_PINNED_BP' THEN 'the database memory cannot be paged out while the host swaps.'
            ELSE 'no hash join was run, and sorts take time.'
        END AS HARM,
        CASE WHEN S.NAME = 'DB2_HASH_JOIN' THEN T.SORT_PCT * K.P_BI ELSE CAST(0 AS DOUBLE) END AS CLAIMED_PCT
    FROM SETTING AS S
    CROSS JOIN TUNE.O_CONFIG_REGISTRY_LEGACY_UNSAFE AS O
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    LEFT JOIN SWAPPED AS H ON H.MEASURED = 1
    WHERE
        (S.NAME IN ('DB2_APM_PERFORMANCE', 'DB2_AVOID_PREFETCH') AND UPPER(S.VALUE) IN ('ON', 'YES', 'Y', '1'))
        OR (
            S.NAME = 'DB2_PINNED_BP' AND UPPER(S.VALUE) IN ('ON', 'YES', 'Y', '1')
            AND H.PAGES_PER_S >= O.MIN_SWAPPED_PER_S
        )
        OR (
            S.NAME = 'DB2_HASH_JOIN' AND UPPER(S.VALUE) IN ('OFF', 'NO', 'N', '0')
            AND W.USABLE = 1 AND T.TOTAL_HASH_JOINS = 0 AND K.CLASS <> 'OLTP'
            AND T.SORT_PCT * K.P_BI >= O.MIN_SORT_PCT
        )
)
SELECT
    'INSTANCE' AS OBJECT_TYPE,
    D.INSTANCE_NAME || ' ' || U.NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    U.CLAIMED_PCT,
    CAST(0.05 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.2 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.5 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'REGISTRY:' || U.NAME AS TARGET,
    U.VALUE AS CURRENT_VALUE,
    CAST(NULL AS VARCHAR(1024)) AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'db2set ' || U.NAME || '=' AS ACTION_TEXT,
    'db2set ' || U.NAME || '=' || U.VALUE AS UNDO_TEXT,
    U.NAME || '=' || U.VALUE AS EVIDENCE,
    U.NAME || ' is ' || U.VALUE || ': ' || U.HARM AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM UNSAFE AS U
CROSS JOIN TUNE.RUN_DATABASE AS D
