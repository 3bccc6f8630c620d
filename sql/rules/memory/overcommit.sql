/*---
rule: memory.overcommit
title: Host memory is overcommitted
lane: safety
severity: high
takes_effect: immediately
judged_by: config
needs: [system.MEMORY_TOTAL]
asks: [host.available_kb, host.memory_limit_mb]
object: HOST {HOST_NAME:text}
confidence: CONFIDENCE
unit: 4 KB pages
thresholds:
  leave_part: {default: 0.1, from: vmware-netapp, why: a tenth of the host's memory remains for the operating system}
actions:
  - when: REMEDY = 'INSTANCE_MEMORY' AND INSTANCE_PCT > 0
    set: {kind: DBMCFG, name: INSTANCE_MEMORY, from: '{INSTANCE_PCT}', to: '{NEW_PCT}', unit: percent of memory}
  - when: REMEDY = 'INSTANCE_MEMORY' AND INSTANCE_PCT IS NULL
    set: {kind: DBMCFG, name: INSTANCE_MEMORY, from: '{OLD_PAGES}', to: '{NEW_PAGES}'}
  - when: REMEDY = 'DATABASE_MEMORY'
    set: {kind: DBCFG, name: DATABASE_MEMORY, from: '{OLD_PAGES}', to: '{NEW_PAGES}'}
  - when: REMEDY = 'person'
    manual: >-
      On host {HOST_NAME:text}, reduce buffer pools or sort memory, or move other work to another host: Db2 holds
      {COMMITTED_MB} MB of {BOUND_MB} MB.
    undo: {manual: Restore the old sizes.}
  - when: REMEDY = 'same'
    manual: >-
      One value applies to all members: the change for host {FIRST_HOST:text} also relieves {HOST_NAME:text}. Check
      afterwards that swapping has stopped.
finding:
  - when: SWAPS = 1
    text: Host {HOST_NAME:text} swaps {SWAP_OUT_PER_S:1} pages per second out and {SWAP_IN_PER_S:1} in.
  - {when: FULL_UP = 1, text: 'Only {AVAILABLE_MB} MB of memory are available without swapping.'}
  - {when: OVER_PROMISED = 1, text: 'Db2 may use {PROMISED_MB} of {BOUND_MB} MB.'}
  - Changes that need memory are withheld until this is fixed.
evidence: [SWAP_PAGES_OUT_per_s=SWAP_OUT_PER_S:1, SWAP_PAGES_IN_per_s=SWAP_IN_PER_S:1, available_mb=AVAILABLE_MB,
  bound_mb=BOUND_MB, promised_mb=PROMISED_MB, MEMORY_SET_COMMITTED_mb=COMMITTED_MB, members=MEMBERS]
references:
  - vmware-netapp, "Memory"
  - power5, caution on pages that are pinned but not used
  - IBM documentation of instance_memory (r0005544) and database_memory (r0006017)
why: >-
  Reading a buffer pool page back from swap costs more than reading the table's page from disk. More memory for one area
  then makes the others slower.
not_if: >-
  Limits of a control group or zone replace the host's memory if they are smaller. Low free memory alone does not count,
  because the page cache fills it: only available memory does, if host facts report it. Settings that are pending or
  differ between members are not judged.
note: >-
  Site options set the limits (swap_pages_per_s, promised_pct, available_pct), because beyond them no change that needs
  memory is advised (TUNE.MEMORY_BUDGET). Swapping has no wait counter: the rule claims no database time and precedes
  all performance advice. It judges the rate in one interval, so a single page does not count. INSTANCE_MEMORY AUTOMATIC
  sets no limit. A limit below the memory that Db2 already holds would make the change fail, so that step is manual.
  Other instances on the host are not visible.
---*/
WITH ROOM AS (
    SELECT
        P.*,
        O.LEAVE_PART,
        -- one value for all members, so the tightest host decides
        MIN(FLOOR((1 - O.LEAVE_PART) * P.BOUND_KB / CAST(NULLIF(4 * P.MEMBERS, 0) AS DOUBLE))) OVER () AS NEW_PAGES,
        COALESCE(P.COMMITTED_KB, P.BOUND_KB) / CAST(NULLIF(P.MEMBERS, 0) AS DOUBLE) AS HELD_KB
    FROM TUNE.MEMORY_PRESSURE AS P
    CROSS JOIN TUNE.O_MEMORY_OVERCOMMIT AS O
),
REMEDIED AS (
    SELECT
        ROOM.*,
        CASE
            WHEN OVER_PROMISED = 0 OR 4 * NEW_PAGES < HELD_KB OR 4 * NEW_PAGES < COALESCE(POOLS_KB, 0) THEN 'person'
            WHEN INSTANCE_KB IS NOT NULL THEN 'INSTANCE_MEMORY'
            WHEN DATABASE_KB IS NOT NULL THEN 'DATABASE_MEMORY'
            ELSE 'person'
        END AS REMEDY
    FROM ROOM
    WHERE SWAPS = 1 OR FULL_UP = 1 OR OVER_PROMISED = 1
),
PLACED AS (
    -- a setting applies to all hosts; the row of the swapping one is kept
    SELECT
        R.*,
        ROW_NUMBER() OVER (
            PARTITION BY R.REMEDY
            ORDER BY
                R.SWAPS DESC, R.FULL_UP DESC, R.PROMISED_KB / CAST(NULLIF(R.BOUND_KB, 0) AS DOUBLE) DESC, R.HOST_NAME
        ) AS PLACE
    FROM REMEDIED AS R
)
SELECT
    HOST_NAME,
    MAX(CASE WHEN PLACE = 1 THEN HOST_NAME END) OVER (PARTITION BY REMEDY) AS FIRST_HOST,
    MEMBERS,
    SWAPS,
    FULL_UP,
    OVER_PROMISED,
    SWAP_OUT_PER_S,
    SWAP_IN_PER_S,
    INSTANCE_PCT,
    FLOOR(100 * (1 - LEAVE_PART)) AS NEW_PCT,
    AVAILABLE_KB / CAST(1024 AS DOUBLE) AS AVAILABLE_MB,
    BOUND_KB / CAST(1024 AS DOUBLE) AS BOUND_MB,
    PROMISED_KB / CAST(1024 AS DOUBLE) AS PROMISED_MB,
    COMMITTED_KB / CAST(1024 AS DOUBLE) AS COMMITTED_MB,
    FLOOR(COALESCE(INSTANCE_KB, DATABASE_KB) / CAST(4 AS DOUBLE)) AS OLD_PAGES,
    NEW_PAGES,
    CASE WHEN REMEDY = 'person' OR PLACE = 1 THEN REMEDY ELSE 'same' END AS REMEDY,
    CASE WHEN SWAPS = 1 OR FULL_UP = 1 THEN 0.6 ELSE 0.3 END AS CONFIDENCE
FROM PLACED
WHERE REMEDY = 'person' OR PLACE = 1 OR SWAPS = 1 OR FULL_UP = 1
