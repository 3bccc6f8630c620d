/*---
rule: bufferpool.hit-ratio-low
title: Buffer pool is too small for its random reads
lane: performance
takes_effect: immediately
applies: {workload: [oltp, mixed], not: [purescale]}
judged_by: load
needs: [bufferpool.POOL_DATA_P_READS, bufferpool.POOL_INDEX_P_READS, bufferpool.POOL_ASYNC_DATA_READS,
  bufferpool.POOL_ASYNC_INDEX_READS, cat_bufferpool.NPAGES, tablespace.TBSP_USED_PAGES, system.MEMORY_FREE]
object: BUFFERPOOL {BP_NAME:text}
claims: {POOL_READ: {events: SAVED_READS, cost_ms: SYNC_MS}, POOL_WRITE: {events: SAVED_WRITES, cost_ms: OWN_WRITE_MS}}
recover: [LEAST_PART, LIKELY_PART, MOST_PART]
confidence: CONFIDENCE
memory: GROWTH_KB
exclusive: bufferpool
defers_to:
  - {rule: bufferpool.system-pool-in-use, within: any}
  - {rule: prefetch.oltp-useless, within: pool}
  - {rule: memory.stmm-off-or-ineffective, within: any, only_if_larger: true}
actions:
  - set: {name: SIZE, from: '{NPAGES}', to: '{NEW_PAGES}', unit: pages}
finding: >-
  Agents spend {SHARE_PCT:1} % of database time reading table and index pages of {BP_NAME:text} from disk. The pool has
  {BP_CUR_BUFFSZ} pages for {USED_PAGES} pages of data and indexes[, data hit ratio {DATA_HIT_PCT:1} %][, index hit
  ratio {INDEX_HIT_PCT:1} %][, XML hit ratio {XDA_HIT_PCT:1} %]. {NEW_PAGES} pages would save about {SAVED_READS} of
  {SYNC_READS} reads.
evidence: [BP_CUR_BUFFSZ, TBSP_USED_PAGES=USED_PAGES, 'data_hit_ratio_pct=DATA_HIT_PCT:2?',
  'index_hit_ratio_pct=INDEX_HIT_PCT:2?', 'xda_hit_ratio_pct=XDA_HIT_PCT:2?', logical_reads=LOGICAL_READS,
  synchronous_reads=SYNC_READS, POOL_READ_TIME_pct=SHARE_PCT:2]
references:
  - x445, "Optimizing memory utilization"
  - system-z, "Watch out for buffer pools that are too small"
  - IBM documentation of the buffer pool hit ratio
  - >-
    Breslau, Cao, Fan, Phillips and Shenker, "Web caching and Zipf-like distributions" (1999), for the growth of hits
    with the size
why: >-
  Every page that is not in the pool is a disk read that an agent waits for. A large enough pool keeps pages that are
  read repeatedly at random; it does not keep scanned pages, so a scanning workload gains only on index pages. A hit
  ratio alone proves little: 90 % of many reads is slow; 60 % of few reads, or from a fast disk, is not.
not_if: >-
  Self-tuning memory can size the pool (bufferpool.fixed-size-stmm-on); the pool has a pending size or exceptions on
  members; a table space changes its pool at the next activation; the pool holds all pages of its table spaces; fewer
  pages were read since activation than it has; it serves mostly temporary data; DB2_WORKLOAD is ANALYTICS; hit ratios
  are good and a step saves less than 3 % of database time; free memory or the site's cap (bufferpool_cap_mb) leaves no
  room.
note: >-
  The pool gets its part of the memory that is free or that larger pools than their data can give away, in one step;
  twice its size if free memory is not known. The saving follows Zipf's law and was compared with a model of a server;
  beyond twice the size it is less certain. If the file system also caches the pages, their reads are as fast as memory
  and the saving is small; the pool still grows before that cache is disabled. If IMMEDIATE finds too little database
  memory, Db2 defers the new size to the next activation (SQLSTATE 01657).
---*/
SELECT
    G.BP_NAME,
    G.NPAGES,
    G.NEW_PAGES,
    G.BP_CUR_BUFFSZ,
    G.USED_PAGES,
    100 * G.DATA_HIT_RATIO AS DATA_HIT_PCT,
    100 * G.INDEX_HIT_RATIO AS INDEX_HIT_PCT,
    100 * G.XDA_HIT_RATIO AS XDA_HIT_PCT,
    G.LOGICAL_READS,
    G.SYNC_READS,
    G.SAVED_READS,
    G.SYNC_MS,
    G.SAVED_WRITES,
    G.OWN_WRITE_MS,
    G.USER_PART * G.SHARE_PCT AS SHARE_PCT,
    G.LEAST_PART,
    G.LIKELY_PART,
    G.MOST_PART,
    -- a long step of the law is less certain
    CASE WHEN G.HOLDS_ALL = 1 THEN 0.9 WHEN G.NEW_PAGES > CONST.GROWTH_STEP * G.BP_CUR_BUFFSZ THEN 0.5 ELSE 0.6 END
        AS CONFIDENCE,
    G.GROWTH_KB
FROM TUNE.POOL_GROWTH AS G
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    G.SIZEABLE = 1
    AND G.STMM = 0
    AND G.UNSIZED = 0
    AND G.BUSY = 1
    AND G.USER_PART * G.SHARE_PCT >= SITE.SOME_PCT
    AND G.HAS_ROOM = 1
    AND G.TABLESPACES > G.TEMPORARY_TABLESPACES
    AND G.TEMP_LOGICAL_READS < 0.5 * G.LOGICAL_READS
    AND (
        G.SAVED_PCT >= SITE.SOME_PCT
        OR (
            G.SAVED_PCT >= SITE.SAVED_PCT
            AND (
                G.INDEX_HIT_RATIO < SITE.MIN_INDEX_HIT_RATIO
                -- if scans are part of the work, misses of data pages are less meaningful
                OR (G.CLASS = 'OLTP' AND G.DATA_HIT_RATIO < SITE.MIN_DATA_HIT_RATIO)
                OR G.XDA_HIT_RATIO < SITE.MIN_DATA_HIT_RATIO
            )
        )
    )
