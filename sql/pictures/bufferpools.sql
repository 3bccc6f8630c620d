-- The buffer pools by the reads that agents waited for: size in KB per member, hit ratios in percent, and the number of
-- these reads that one step of more memory would save (POOL_GROWTH), with the new size.
SELECT
    B.BP_NAME,
    B.BP_CUR_BUFFSZ * CAST(B.PAGESIZE AS DOUBLE) / 1024 AS SIZE_KB,
    100 * B.DATA_HIT_RATIO AS DATA_HIT_PCT,
    100 * B.INDEX_HIT_RATIO AS INDEX_HIT_PCT,
    B.SYNC_READS,
    G.NEW_PAGES * CAST(B.PAGESIZE AS DOUBLE) / 1024 AS NEW_KB,
    G.SAVED_READS
FROM TUNE.BUFFERPOOL AS B
LEFT JOIN TUNE.POOL_GROWTH AS G ON B.BP_NAME = G.BP_NAME
WHERE B.LOGICAL_READS > 0
ORDER BY B.SYNC_READS DESC, B.BP_NAME
FETCH FIRST 20 ROWS ONLY
