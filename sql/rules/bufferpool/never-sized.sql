/*---
rule: bufferpool.never-sized
title: Buffer pool was never sized
lane: performance
takes_effect: immediately
judged_by: load
needs: [cat_bufferpool.NPAGES, system.MEMORY_TOTAL, tablespace.TBSP_USED_PAGES, system.MEMORY_FREE,
  bufferpool.BP_CUR_BUFFSZ, bufferpool.POOL_ASYNC_DATA_READS]
object: BUFFERPOOL {BP_NAME:text}
claims: {POOL_READ: {events: SAVED_READS, cost_ms: SYNC_MS}, POOL_WRITE: {events: SAVED_WRITES, cost_ms: OWN_WRITE_MS}}
recover: [LEAST_PART, LIKELY_PART, MOST_PART]
confidence: 0.6
memory: GROWTH_KB
exclusive: bufferpool
defers_to:
  - {rule: bufferpool.system-pool-in-use, within: any}
actions:
  - choose:
      - when: STMM = 1
        set: {name: SIZE, from: '{NPAGES}', to: '{START_PAGES} AUTOMATIC', unit: pages}
      - set: {name: SIZE, from: '{NPAGES}', to: '{START_PAGES}', unit: pages}
finding:
  - choose:
      - {when: NPAGES = -1, text: 'Buffer pool {BP_NAME:text} has {BP_CUR_BUFFSZ} pages (the value of BUFFPAGE)'}
      - Buffer pool {BP_NAME:text} still has its initial size, {BP_CUR_BUFFSZ} pages,
  - for {USED_PAGES} pages of data on a member with {MEMBER_MEMORY_MB} MB of memory. Start with {START_PAGES} pages.
evidence: [BP_CUR_BUFFSZ, NPAGES, PAGESIZE, TBSP_USED_PAGES=USED_PAGES, member_memory_kb=MEMBER_MEMORY_KB,
  all_pools_kb=POOLS_KB, physical_reads=PHYSICAL_READS, synchronous_reads=SYNC_READS, POOL_READ_TIME_pct=SHARE_PCT:2]
references:
  - x445, "Optimizing memory utilization"
  - IBM documentation of buffpage and SYSCAT.BUFFERPOOLS
why: >-
  A pool that was never sized has a few megabytes, whatever the server has. Pages are read repeatedly while memory is
  idle. Scanned pages are not read twice, so for analysis the claim contains only reads by agents themselves.
not_if: >-
  The pool is AUTOMATIC, has a pending size or exceptions on members; its pages already fit; BUFFPAGE is set but no pool
  uses it; DB2_WORKLOAD is ANALYTICS; memory or the site's cap (bufferpool_cap_mb) allows less than double the size.
note: >-
  The start size is half of the member's memory less the other pools (or a tenth of their size), rounded down to one
  significant digit. Several affected pools share it by physical reads. It never exceeds the existing pages or the
  memory budget. OLTP gets the same half; sources that recommend 40 to 60 % of memory mean a dedicated server. A pool of
  size -1 follows BUFFPAGE, and the undo restores -1. From 10.1 the manuals no longer document -1, so the rule is
  silent.
---*/
SELECT
    G.BP_NAME,
    G.NPAGES,
    G.STMM,
    G.NEW_PAGES AS START_PAGES,
    G.BP_CUR_BUFFSZ,
    G.PAGESIZE,
    G.USED_PAGES,
    G.MEMBER_MEMORY_KB,
    FLOOR(G.MEMBER_MEMORY_KB / CAST(1024 AS DOUBLE)) AS MEMBER_MEMORY_MB,
    G.POOLS_KB,
    G.PHYSICAL_READS,
    G.SYNC_READS,
    G.SHARE_PCT,
    CASE WHEN G.BUSY = 1 AND G.SAVED_PCT >= SITE.SAVED_PCT THEN G.SAVED_READS END AS SAVED_READS,
    G.SYNC_MS,
    CASE WHEN G.BUSY = 1 AND G.SAVED_PCT >= SITE.SAVED_PCT THEN G.SAVED_WRITES END AS SAVED_WRITES,
    G.OWN_WRITE_MS,
    G.LEAST_PART,
    G.LIKELY_PART,
    G.MOST_PART,
    G.GROWTH_KB
FROM TUNE.POOL_GROWTH AS G
CROSS JOIN TUNE.O_SITE AS SITE
WHERE G.UNSIZED = 1
