-- rule:       prefetch.ioservers-low
-- title:      Fewer prefetchers than one prefetch has parts
-- area:       prefetch
-- lane:       P
-- effect:     RA
-- applies:    from=9.1
-- judged-by:  load
-- claims:     PREFETCH_WAIT
-- recover:    0.05, RECOVER, 0.6
-- confidence: 0.6
-- yields:     storage.io-latency-high@any+larger
-- after:      prefetch.oltp-useless, prefetch.size-misaligned, prefetch.wait-high
-- needs:      dbcfg.VALUE, container.CONTAINER_NAME, workload.PREFETCH_WAIT_TIME, registry.REG_VAR_VALUE
-- threshold:  min_wait_pct = 3 -- [prop] percent of database time
-- threshold:  min_oltp_async_part = 0.1 -- [prop] transaction processing that prefetches less needs no more prefetchers
-- object:     DATABASE
-- member:     MEMBER
-- set:        when DIFFERS = 0: DBCFG NUM_IOSERVERS: {PREFETCHERS} -> AUTOMATIC (prefetchers)
-- set:        else: DBCFG NUM_IOSERVERS on MEMBER: {OF_MEMBER} -> AUTOMATIC (prefetchers)
-- finding:    A prefetch is up to {PARALLEL_READS} reads at once, and there are {PREFETCHERS} prefetchers.
-- evidence:   NUM_IOSERVERS=PREFETCHERS, parallel_reads=PARALLEL_READS, PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2
-- source:     002_e991ec30bbd9209f.txt, appendices A and B; IBM documentation of num_ioservers and "Parallel I/O"
-- why:        A prefetch of a table space is cut into one read for each container (and each disk of it that
--             DB2_PARALLEL_IO names). With fewer prefetchers than that the parts are read one after the other.
-- not-if:     AUTOMATIC; a change is pending; hardly any prefetching in transaction processing.
WITH PREFETCH AS (
    SELECT MAX(T.CONTAINERS * P.DISKS) AS PARALLEL_READS
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.PARALLEL_IO AS P
    WHERE T.ASYNC_READS > 0
)
SELECT
    S.DIFFERS,
    S.NUM AS PREFETCHERS,
    C.MEMBER,
    C.NUM AS OF_MEMBER,
    P.PARALLEL_READS,
    D.PREFETCH_WAIT_PCT,
    LEAST(0.5, GREATEST(0.05, 1 - CAST(S.NUM AS DOUBLE) / NULLIF(P.PARALLEL_READS, 0))) AS RECOVER,
    D.PREFETCH_WAIT_PCT AS CLAIM_PREFETCH_WAIT
FROM TUNE.SETTING AS S
CROSS JOIN PREFETCH AS P
CROSS JOIN TUNE.DATABASE_TIME AS D
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_PREFETCH_IOSERVERS_LOW AS O
LEFT JOIN TUNE.CONFIG AS C ON S.DIFFERS = 1 AND S.SCOPE = C.SCOPE AND S.NAME = C.NAME
WHERE
    S.SCOPE = 'DB'
    AND S.NAME = 'num_ioservers'
    AND S.AUTOMATIC = 0
    AND S.PENDING = 0
    AND S.NUM < P.PARALLEL_READS
    AND D.PREFETCH_WAIT_PCT >= O.MIN_WAIT_PCT
    AND (K.CLASS <> 'OLTP' OR COALESCE(K.ASYNC_PART, 0) >= O.MIN_OLTP_ASYNC_PART)
