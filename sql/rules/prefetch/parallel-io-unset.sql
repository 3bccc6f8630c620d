-- rule:       prefetch.parallel-io-unset
-- title:      Containers on arrays, and Db2 takes each for one disk
-- area:       prefetch
-- lane:       P
-- effect:     IR
-- applies:    workload=bi,mixed; not=managed,purescale
-- judged-by:  load
-- claims:     PREFETCH_WAIT, POOL_READ
-- recover:    0.05, 0.2, 0.4
-- confidence: 0.6
-- exclusive:  prefetch
-- needs:      registry.REG_VAR_VALUE, cat_tablespace.PREFETCHSIZE, container.CONTAINER_NAME,
--             workload.PREFETCH_WAIT_TIME, host.strip_kb, host.data_disks
-- threshold:  max_containers = 2 -- [prop] more containers keep an array's disks busy without the variable
-- threshold:  min_async_pages = 10000 -- [prop] a quieter table space has too little prefetching to judge
-- object:     TABLESPACE {TBSP_NAME:text}
-- set:        REGISTRY DB2_PARALLEL_IO: -> *:{DATA_DISKS} (disks per container)
-- finding:    Each container lies on an array of {DATA_DISKS} data disks, an extent covers {TBSP_EXTENT_SIZE} of the
--             {EXTENT_STAR} pages of a stripe, and the automatic prefetch size counts one disk.
-- evidence:   containers=CONTAINERS, data_disks=DATA_DISKS, strip_kb=STRIP_KB, TBSP_EXTENT_SIZE,
--             pages_prefetched=ASYNC_READS, PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2
-- source:     002_e991ec30bbd9209f.txt, appendix A (DB2_PARALLEL_IO=*:5); IBM documentation of DB2_PARALLEL_IO
-- why:        With PREFETCHSIZE AUTOMATIC Db2 prefetches one extent for each container, as if it were one disk. On
--             an array the other disks idle, unless the variable says how many there are.
-- not-if:     The variable is set or waits for a restart; the size is fixed (the variable would change nothing);
--             one extent spans the whole stripe already; flash; transaction processing or temporary table space.
-- note:       Silent where strip and disks are not known: a large LUN is no proof of an array. '*' alone would
--             mean 6 disks for every container, so the number is always given.
SELECT
    T.TBSP_NAME,
    T.CONTAINERS,
    T.DATA_DISKS,
    T.STRIP_KB,
    T.TBSP_EXTENT_SIZE,
    T.EXTENT_STAR,
    T.ASYNC_READS,
    T.PREFETCH_WAIT_PCT,
    T.PREFETCH_WAIT_PCT * T.P_BI AS CLAIM_PREFETCH_WAIT,
    T.SCAN_PCT * T.P_BI AS CLAIM_POOL_READ
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
