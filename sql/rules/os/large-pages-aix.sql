/*---
rule: os.large-pages-aix
title: Database memory would gain from larger pages
lane: performance
takes_effect: host change
risk: medium
applies: {platform: [AIX]}
steps_need: host
judged_by: load
needs: [host.lgpg_regions, dbcfg.VALUE, registry.REG_VAR_VALUE, system.MEMORY_TOTAL, system.CPU_USAGE_TOTAL,
  memory_set.DB_NAME, workload.TOTAL_CPU_TIME]
object: HOST {HOST_NAME:text}
claims: {PROCESSING: {at_most_pct: 13}}
recover: [0.3, 1, 1]
confidence: 0.3
defers_to:
  - {rule: memory.overcommit, within: host}
  - {rule: bufferpool.never-sized, within: any}
  - {rule: bufferpool.hit-ratio-low, within: any}
after: [bufferpool.dedicate-hot-tablespace, bufferpool.hit-ratio-low, bufferpool.never-sized, log.buffer-full,
  memory.sort-overflow]
thresholds:
  min_database_gb: {default: 32, from: own, why: the paper's small machine gained from 64 KB pages only}
  min_huge_gb:
    default: 256
    from: own
    why: 16 GB pages were measured with 473 GB; less memory gains too little for the work
actions:
  - when: NEW_PAGE_KB = 64
    manual: Upgrade to Db2 9.1 or later on AIX 5.3 TL04 or later, which use 64 KB pages without a setting.
    undo: {manual: 'Cannot be undone: an upgrade to a new Db2 version is permanent.'}
  - when: NEW_PAGE_KB = 16777216
    manual: >-
      Add {NEED_PAGES} pages of 16 GB to the partition's profile (HMC), in exchange for ordinary memory. Restart the
      partition.
    undo: {manual: Remove the 16 GB pages from the partition's profile.}
  - when: NEW_PAGE_KB = 16384
    set: {name: LARGE_PAGES, from: '{LARGE_PAGES} of {LGPG_SIZE} bytes', to: '{NEW_PAGES} of {NEW_LGPG_SIZE} bytes'}
  - when: NEW_PAGE_KB = 16384
    command: vmo -r -o lgpg_regions={NEW_PAGES} -o lgpg_size={NEW_LGPG_SIZE}
    undo: {command: 'vmo -r -o lgpg_regions={LARGE_PAGES} -o lgpg_size={LGPG_SIZE}'}
  - when: NEW_PAGE_KB = 16384
    manual: 'Run bosboot -a and restart AIX. The pages are pinned: check afterwards that no other program pages.'
  - when: NEW_PAGE_KB = 16384 AND V_PINSHM = 0
    set: {name: v_pinshm, from: '{V_PINSHM}', to: '1'}
  - when: NEW_PAGE_KB = 16384 AND V_PINSHM IS NULL
    manual: 'Allow pinned shared memory: vmo -p -o v_pinshm=1'
  - when: NEW_PAGE_KB = 16384 AND PLACE = 1
    set:
      kind: USER
      object: '{INSTANCE_NAME:text}'
      name: capabilities
      from: '{CAPABILITIES:text}'
      to: '{NEW_CAPABILITIES:text}'
  - when: NEW_PAGE_KB = 16384 AND (NEW_CAPABILITIES IS NULL OR PLACE > 1)
    manual: Add the capabilities CAP_BYPASS_RAC_VMM and CAP_PROPAGATE to those of {INSTANCE_NAME:text} (chuser).
  - when: NEW_PAGE_KB = 16384 AND COMPUTED = 1 AND PLACE = 1
    set: {kind: DBCFG, name: DATABASE_MEMORY, from: COMPUTED, to: '{MEMBER_PAGES}', unit: 4 KB pages}
  - when: NEW_PAGE_KB >= 16384 AND PLACE = 1 AND HOSTS > 1
    manual: >-
      Prepare the other hosts too before Db2 uses the pages: {HOSTS} hosts need them, and the recommendation for each
      gives its number.
  - when: NEW_PAGE_KB >= 16384 AND PLACE > 1
    manual: >-
      DB2_LARGE_PAGE_MEM applies to all hosts: set it once, with the recommendation for {FIRST_HOST:text}, when each
      host has its pages.
  - when: NEW_PAGE_KB = 16384 AND PLACE = 1
    set: {kind: REGISTRY, name: DB2_LARGE_PAGE_MEM, to: DB}
  - when: NEW_PAGE_KB = 16777216 AND PLACE = 1
    set: {kind: REGISTRY, name: DB2_LARGE_PAGE_MEM, from: DB, to: DB:16GB}
  - when: NEW_PAGE_KB = 16777216
    set: {name: LARGE_PAGES, from: '{LARGE_PAGES} of {LGPG_SIZE} bytes', to: '{NEW_PAGES} of {NEW_LGPG_SIZE} bytes'}
  - when: NEW_PAGE_KB = 16777216
    command: vmo -r -o lgpg_regions={NEW_PAGES} -o lgpg_size={NEW_LGPG_SIZE}
    undo: {command: 'vmo -r -o lgpg_regions={LARGE_PAGES} -o lgpg_size={LGPG_SIZE}'}
finding:
  - choose:
      - when: NEW_PAGE_KB = 64
        text: The {DATABASE_MB} MB of the database use 4 KB pages; Db2 9.1 uses 64 KB pages.
      - when: NEW_PAGE_KB = 16384
        text: >-
          The {DATABASE_MB} MB of the database use pages of 64 KB or less. They fit in {BARE_PAGES} pages of 16 MB,
          {NEED_PAGES} with a margin of {PAGE_MARGIN_PCT:1} %.
      - The {DATABASE_MB} MB of the database use 16 MB pages. They fit in {NEED_PAGES} pages of 16 GB.
evidence: [DATABASE_MEMORY_mb=DATABASE_MB, shm_page=SHM_PAGE:text, 'lgpg_regions=LARGE_PAGES?',
  'lgpg_free=LARGE_PAGES_FREE?', 'CPU_USAGE_TOTAL?', TOTAL_CPU_TIME_pct=CPU_PCT:2]
references:
  - power5 (8 % more throughput with 16 MB pages, 3 % with 16 GB, 13 % with 64 KB)
  - IBM documentation "Enabling large page support (AIX)" (t0010405), "Pinning Db2 database shared memory (AIX)" and vmo
why: >-
  A processor caches the addresses of few pages. With larger pages it reaches more of the buffer pool without an address
  lookup: the paper measured 8 % more throughput with 16 MB than with 64 KB pages, and 3 % more with 16 GB.
not_if: >-
  DB2_LARGE_PAGE_MEM has another value or is pending; DATABASE_MEMORY is AUTOMATIC, pending, or computed differently on
  the members; another database is active; the database has less than 32 GB (256 GB for the second step, which also
  requires that most 16 MB pages are in use); processor utilization is below 60 %; the pages would take more than 96 %
  of memory.
note: >-
  Since Db2 9.1 64 KB pages need no setting, so only older levels get the upgrade as advice. STMM does not size a
  database in large pages (IBM), so a computed size is set explicitly. The paper's gains are scaled by memory size as
  measured for 64 KB. Newer AIX combines 64 KB pages automatically (VPLSS), another reason for low confidence. The
  manual calls 16 GB pages rarely used.
---*/
WITH STEP AS (
    SELECT
        K.*,
        D.INSTANCE_NAME,
        D.DB2_LEVEL,
        CONST.PAGE_MARGIN_PCT,
        CONST.LARGE_PAGE_PCT,
        CASE
            WHEN D.DB2_LEVEL < 9010000 THEN CASE WHEN K.SHM_PAGE = 's' THEN 64 END
            WHEN
                K.FIXED = 0 OR K.OTHERS > 0 OR K.LARGE_PAGES IS NULL OR K.LARGE_PAGES < K.LARGE_PAGES_FREE
                OR K.CPU_USAGE_TOTAL < SITE.BUSY_PCT THEN CAST(NULL AS INTEGER)
            WHEN COALESCE(R.IS_SET, 0) = 0 AND (K.COMPUTED = 0 OR K.MEMBER_PAGES > 0)
                THEN CASE WHEN K.DATABASE_MB >= 1024 * O.MIN_DATABASE_GB THEN 16384 END
            WHEN
                R.FIXED = 1 AND R.VALUE = 'DB' AND K.SHM_PAGE = 'L' AND K.LARGE_PAGES > 0
                AND 100 * K.LARGE_PAGES_FREE < CONST.UNUSED_PAGE_PCT * K.LARGE_PAGES
                THEN CASE WHEN K.DATABASE_MB >= 1024 * O.MIN_HUGE_GB THEN 16777216 END
        END AS NEW_PAGE_KB
    FROM TUNE.HOST_KERNEL AS K
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_OS_LARGE_PAGES_AIX AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'REG' AND R.NAME = 'DB2_LARGE_PAGE_MEM'
),
SIZED AS (
    SELECT
        S.*,
        COALESCE(S.LARGE_PAGES - S.LARGE_PAGES_FREE, 0) AS USED_PAGES,
        CAST(CEIL(ROUND(
            (100 + CASE S.NEW_PAGE_KB WHEN 16384 THEN S.PAGE_MARGIN_PCT ELSE 0 END) * S.DATABASE_KB
            / CAST(NULLIF(100 * CAST(S.NEW_PAGE_KB AS BIGINT), 0) AS DOUBLE), 6
        )) AS BIGINT) AS NEED_PAGES,
        -- 8 % and 3 %, compared with 13 % for 64 KB pages
        CASE S.NEW_PAGE_KB WHEN 64 THEN 1 WHEN 16384 THEN 0.6154 ELSE 0.2308 END * S.PAGE_GAIN AS GAIN
    FROM STEP AS S
    WHERE S.NEW_PAGE_KB > 0 AND S.DATABASE_KB > 0
)
SELECT
    S.HOST_NAME,
    S.INSTANCE_NAME,
    S.NEW_PAGE_KB,
    -- two recommendations cannot set one variable
    ROW_NUMBER() OVER (PARTITION BY S.NEW_PAGE_KB ORDER BY S.HOST_NAME) AS PLACE,
    COUNT(*) OVER (PARTITION BY S.NEW_PAGE_KB) AS HOSTS,
    MIN(S.HOST_NAME) OVER (PARTITION BY S.NEW_PAGE_KB) AS FIRST_HOST,
    S.DATABASE_MB,
    S.MEMBER_PAGES,
    S.COMPUTED,
    S.SHM_PAGE,
    S.V_PINSHM,
    S.CPU_USAGE_TOTAL,
    S.PAGE_MARGIN_PCT,
    S.NEED_PAGES,
    CEIL(CAST(S.DATABASE_KB AS DOUBLE) / 16384) AS BARE_PAGES,
    S.LARGE_PAGES,
    S.LARGE_PAGES_FREE,
    COALESCE(S.LGPG_SIZE, 0) AS LGPG_SIZE,
    CASE S.NEW_PAGE_KB WHEN 16384 THEN GREATEST(S.LARGE_PAGES, S.USED_PAGES + S.NEED_PAGES) ELSE 0 END AS NEW_PAGES,
    CASE S.NEW_PAGE_KB WHEN 16384 THEN 16777216 ELSE 0 END AS NEW_LGPG_SIZE,
    CASE WHEN S.OWNER_CAPABILITIES <> 'none' THEN S.OWNER_CAPABILITIES END AS CAPABILITIES,
    CASE
        WHEN S.OWNER_CAPABILITIES = 'none' THEN 'CAP_BYPASS_RAC_VMM,CAP_PROPAGATE'
        ELSE S.OWNER_CAPABILITIES
            || CASE WHEN S.OWNER_CAPABILITIES LIKE '%CAP_BYPASS_RAC_VMM%' THEN '' ELSE ',CAP_BYPASS_RAC_VMM' END
            || CASE WHEN S.OWNER_CAPABILITIES LIKE '%CAP_PROPAGATE%' THEN '' ELSE ',CAP_PROPAGATE' END
    END AS NEW_CAPABILITIES,
    T.CPU_PCT,
    T.CPU_PCT * S.HOST_SHARE * S.GAIN / CAST(NULLIF(1 + S.GAIN, 0) AS DOUBLE) AS CLAIM_PROCESSING
FROM SIZED AS S
CROSS JOIN TUNE.DATABASE_TIME AS T
WHERE
    T.CPU_PCT > 0
    AND CASE S.NEW_PAGE_KB
        WHEN 64 THEN 0
        WHEN 16384 THEN 100 * (S.USED_PAGES + S.NEED_PAGES) * 16
        ELSE 100 * S.NEED_PAGES * 16384
    END <= S.LARGE_PAGE_PCT * S.MEMORY_TOTAL
