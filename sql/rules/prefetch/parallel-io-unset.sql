-- rule:      prefetch.parallel-io-unset
-- title:     Containers on arrays, and Db2 takes each for one disk
-- area:      prefetch
-- lane:      P
-- effect:    IR
-- applies:   workload=bi,mixed; not=managed,purescale
-- evidence:  load
-- claims:    PREFETCH_WAIT, POOL_READ
-- exclusive: prefetch
-- needs:     registry.REG_VAR_VALUE, cat_tablespace.PREFETCHSIZE, container.CONTAINER_NAME,
--            workload.PREFETCH_WAIT_TIME, host.strip_kb, host.data_disks
-- threshold: max_containers = 2 -- [prop] more containers keep an array's disks busy without the variable
-- threshold: min_async_pages = 10000 -- [prop] a quieter table space has too little prefetching to judge
-- source:    002_e991ec30bbd9209f.txt, appendix A (DB2_PARALLEL_IO=*:5); IBM documentation of DB2_PARALLEL_IO
-- why:       With PREFETCHSIZE AUTOMATIC Db2 prefetches one extent for each container, as if it were one disk. On
--            an array the other disks idle, unless the variable says how many there are.
-- not-if:    The variable is set or waits for a restart; the size is fixed (the variable would change nothing);
--            one extent spans the whole stripe already; flash; transaction processing or temporary table space.
-- note:      Silent where strip and disks are not known: a large LUN is no proof of an array. '*' alone would
--            mean 6 disks for every container, so the number is always given.
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    T.TBSP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    (T.PREFETCH_WAIT_PCT + T.SCAN_PCT) * T.P_BI AS CLAIMED_PCT,
    CAST(0.05 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.2 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.4 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'REGISTRY:DB2_PARALLEL_IO' AS TARGET,
    'not set' AS CURRENT_VALUE,
    '*:' || CAST(T.DATA_DISKS AS VARCHAR(20)) AS PROPOSED_VALUE,
    'disks per container' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'db2set DB2_PARALLEL_IO=*:' || CAST(T.DATA_DISKS AS VARCHAR(20)) AS ACTION_TEXT,
    'db2set DB2_PARALLEL_IO=' AS UNDO_TEXT,
    'containers=' || CAST(T.CONTAINERS AS VARCHAR(20))
    || '; data_disks=' || CAST(T.DATA_DISKS AS VARCHAR(20))
    || '; strip_kb=' || CAST(T.STRIP_KB AS VARCHAR(20))
    || '; TBSP_EXTENT_SIZE=' || CAST(T.TBSP_EXTENT_SIZE AS VARCHAR(20))
    || '; pages_prefetched=' || CAST(T.ASYNC_READS AS VARCHAR(20))
    || '; PREFETCH_WAIT_TIME_pct=' || CAST(CAST(ROUND(T.PREFETCH_WAIT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        AS EVIDENCE,
    'Each container lies on an array of ' || CAST(T.DATA_DISKS AS VARCHAR(20))
    || ' data disks, an extent covers ' || CAST(T.TBSP_EXTENT_SIZE AS VARCHAR(20)) || ' of the '
    || CAST(T.EXTENT_STAR AS VARCHAR(20)) || ' pages of a stripe, and the automatic prefetch size counts one disk.'
        AS FINDING,
    T.SCAN_PCT * T.P_BI AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.TABLESPACE AS T
CROSS JOIN TUNE.PARALLEL_IO AS P
CROSS JOIN TUNE.O_PREFETCH_PARALLEL_IO_UNSET AS O
WHERE
    P.IS_SET = 0
    AND P.PENDING = 0
    AND T.PREFETCH_AUTOMATIC = 1
    AND T.CONTAINERS BETWEEN 1 AND O.MAX_CONTAINERS
    AND T.DATA_DISKS > 1
    AND COALESCE(T.ROTATIONAL, 1) <> 0
    AND T.TBSP_EXTENT_SIZE < T.EXTENT_STAR
    AND T.ASYNC_READS >= O.MIN_ASYNC_PAGES
    AND T.CLASS <> 'OLTP'
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
