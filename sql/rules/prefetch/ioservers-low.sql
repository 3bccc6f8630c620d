-- rule:      prefetch.ioservers-low
-- title:     Fewer prefetchers than one prefetch has parts
-- area:      prefetch
-- lane:      P
-- effect:    RA
-- applies:   from=9.1
-- evidence:  load
-- claims:    PREFETCH_WAIT
-- yields:    storage.io-latency-high@any+larger
-- after:     prefetch.oltp-useless, prefetch.size-misaligned, prefetch.wait-high
-- needs:     dbcfg.VALUE, container.CONTAINER_NAME, workload.PREFETCH_WAIT_TIME, registry.REG_VAR_VALUE
-- threshold: min_wait_pct = 3 -- [prop] percent of database time
-- threshold: min_oltp_async_part = 0.1 -- [prop] transaction processing that prefetches less needs no more prefetchers
-- source:    002_e991ec30bbd9209f.txt, appendices A and B; IBM documentation of num_ioservers and "Parallel I/O"
-- why:       A prefetch of a table space is cut into one read for each container (and each disk of it that
--            DB2_PARALLEL_IO names). With fewer prefetchers than that the parts are read one after the other.
-- not-if:    AUTOMATIC; a change is pending; hardly any prefetching in transaction processing.
SELECT
    'DATABASE' AS OBJECT_TYPE,
    B.DB_NAME AS OBJECT_NAME,
    S.MEMBER,
    D.PREFETCH_WAIT_PCT AS CLAIMED_PCT,
    CAST(0.05 AS DOUBLE) AS RECOVER_LOW,
    LEAST(0.5, GREATEST(0.05, 1 - CAST(A.LOWEST AS DOUBLE) / NULLIF(N.NEEDED, 0))) AS RECOVER_EXPECTED,
    CAST(0.6 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'DBCFG:NUM_IOSERVERS' AS TARGET,
    CAST(A.LOWEST AS VARCHAR(20)) AS CURRENT_VALUE,
    'AUTOMATIC' AS PROPOSED_VALUE,
    'prefetchers' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'UPDATE DB CFG FOR ' || B.DB_NAME || ' USING NUM_IOSERVERS AUTOMATIC' AS ACTION_TEXT,
    CASE
        WHEN A.LOWEST = A.HIGHEST
            THEN 'UPDATE DB CFG FOR ' || B.DB_NAME || ' USING NUM_IOSERVERS ' || CAST(A.LOWEST AS VARCHAR(20))
        ELSE 'UPDATE DB CFG FOR ' || B.DB_NAME
            || CASE WHEN B.DB2_LEVEL < 10010000 THEN ' DBPARTITIONNUM ' ELSE ' MEMBER ' END
            || CAST(S.MEMBER AS VARCHAR(20)) || ' USING NUM_IOSERVERS ' || CAST(S.NUM AS VARCHAR(20))
    END AS UNDO_TEXT,
    'NUM_IOSERVERS=' || CAST(A.LOWEST AS VARCHAR(20))
    || '; parallel_reads=' || CAST(N.NEEDED AS VARCHAR(20))
    || '; PREFETCH_WAIT_TIME_pct=' || CAST(CAST(ROUND(D.PREFETCH_WAIT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        AS EVIDENCE,
    'A prefetch is up to ' || CAST(N.NEEDED AS VARCHAR(20)) || ' reads at once, and there are '
    || CAST(A.LOWEST AS VARCHAR(20)) || ' prefetchers.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.CONFIG AS S
CROSS JOIN (
    SELECT
        MIN(NUM) AS LOWEST,
        MAX(NUM) AS HIGHEST,
        MAX(AUTOMATIC) AS AUTOMATIC,
        MAX(PENDING) AS PENDING
    FROM TUNE.CONFIG
    WHERE SCOPE = 'DB' AND NAME = 'num_ioservers'
) AS A
CROSS JOIN (
    SELECT MAX(T.CONTAINERS * P.DISKS) AS NEEDED
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.PARALLEL_IO AS P
    WHERE T.ASYNC_READS > 0
) AS N
CROSS JOIN TUNE.RUN_DATABASE AS B
CROSS JOIN TUNE.DATABASE_TIME AS D
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_PREFETCH_IOSERVERS_LOW AS O
WHERE
    S.SCOPE = 'DB'
    AND S.NAME = 'num_ioservers'
    AND A.AUTOMATIC = 0
    AND A.PENDING = 0
    AND A.LOWEST < N.NEEDED
    AND D.PREFETCH_WAIT_PCT >= O.MIN_WAIT_PCT
    AND (K.CLASS <> 'OLTP' OR COALESCE(K.ASYNC_PART, 0) >= O.MIN_OLTP_ASYNC_PART)
