/*---
rule: memory.stmm-contradiction
title: SELF_TUNING_MEM contradicts the AUTOMATIC memory areas
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: memory.stmm-off-or-ineffective, within: object}
actions:
  - when: SWITCH = 'OFF'
    manual: >-
      Choose one: UPDATE DB CFG FOR {DB_NAME:alias} USING SELF_TUNING_MEM ON, which moves memory between those areas, or
      a fixed size for each area that fits the load.
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:alias} USING SELF_TUNING_MEM {SWITCH:text}'}
  - when: SWITCH = 'ON'
    manual: >-
      Choose one: UPDATE DB CFG FOR {DB_NAME:alias} USING SELF_TUNING_MEM OFF, or AUTOMATIC for at least two areas
      (LOCKLIST, PCKCACHESZ, SHEAPTHRES_SHR with SORTHEAP, buffer pools).
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:alias} USING SELF_TUNING_MEM {SWITCH:text}'}
finding:
  - choose:
      - when: SWITCH = 'OFF' AND AREAS IS NULL
        text: >-
          SELF_TUNING_MEM is OFF: LOCKLIST, PCKCACHESZ, SORTHEAP, SHEAPTHRES_SHR and buffer pools that are AUTOMATIC,
          their default, keep their present size.
      - when: SWITCH = 'OFF'
        text: 'SELF_TUNING_MEM is OFF, but {AREAS:text} {IS_ARE:text} AUTOMATIC: the present sizes stay unchanged.'
      - 'SELF_TUNING_MEM is ON but tunes nothing: AUTOMATIC areas {CONSUMERS}, required 2.'
evidence: [SELF_TUNING_MEM=SWITCH:text, automatic_areas=CONSUMERS]
query: db2 get db cfg for <database> show detail; SELECT BPNAME, NPAGES FROM SYSCAT.BUFFERPOOLS
references:
  - IBM documentation of self_tuning_mem (r0021626), self-tuning memory (c0021627) and sheapthres_shr (r0006014)
why: >-
  AUTOMATIC leaves the size of an area to self-tuning memory. If that is off, the area keeps its last size but looks
  managed.
not_if: >-
  Self-tuning is on and has two areas; it is off and the only AUTOMATIC areas do not depend on it (DATABASE_MEMORY,
  heaps, SORTHEAP with private sorts); the site sizes memory manually (stmm=OFF); partitioned databases, in which it is
  off by default; DB2_WORKLOAD is ANALYTICS; a change is pending; self-tuning is on and buffer pools are unknown.
note: >-
  A script that only switches self-tuning off leaves those areas at their default, AUTOMATIC. If areas lack memory,
  memory.stmm-off-or-ineffective shows the cost and the commands.
---*/
WITH PRIVATE_SORTS AS (
    SELECT COUNT(*) AS PRIVATE FROM TUNE.SETTING WHERE SCOPE = 'DBM' AND NAME = 'sheapthres' AND NUM > 0
),
SIZED_AREA AS (
    SELECT
        SUM(CASE WHEN NAME IN ('locklist', 'pckcachesz', 'sheapthres_shr') THEN AUTOMATIC ELSE 0 END) AS AREAS,
        SUM(CASE
            WHEN NAME NOT IN ('locklist', 'pckcachesz', 'sheapthres_shr', 'sortheap') THEN 0
            WHEN VALUE IS NOT NULL OR AUTOMATIC = 1 THEN 1
            ELSE 0
        END) AS KNOWN,
        MAX(CASE WHEN NAME = 'sortheap' AND P.PRIVATE = 0 THEN AUTOMATIC ELSE 0 END) AS SORTS,
        MAX(CASE WHEN NAME = 'locklist' AND AUTOMATIC = 1 THEN ', LOCKLIST' ELSE '' END)
        || MAX(CASE WHEN NAME = 'pckcachesz' AND AUTOMATIC = 1 THEN ', PCKCACHESZ' ELSE '' END)
        || MAX(CASE WHEN NAME = 'sheapthres_shr' AND AUTOMATIC = 1 THEN ', SHEAPTHRES_SHR' ELSE '' END)
        || MAX(CASE WHEN NAME = 'sortheap' AND AUTOMATIC = 1 AND P.PRIVATE = 0 THEN ', SORTHEAP' ELSE '' END) AS NAMES
    FROM TUNE.SETTING
    CROSS JOIN PRIVATE_SORTS AS P
    WHERE SCOPE = 'DB'
),
POOL AS (
    SELECT
        COUNT(*) AS POOLS,
        COALESCE(SUM(CASE WHEN NPAGES = -2 THEN 1 ELSE 0 END), 0) AS TUNED
    FROM TUNE.D_CAT_BUFFERPOOL
),
STATE AS (
    SELECT
        M.SWITCH,
        N.AREAS + P.TUNED + CASE WHEN M.SWITCH = 'OFF' THEN N.SORTS ELSE 0 END AS CONSUMERS,
        N.NAMES || CASE
            WHEN P.TUNED = 1 THEN ', a buffer pool'
            WHEN P.TUNED > 1 THEN ', ' || CAST(P.TUNED AS VARCHAR(20)) || ' buffer pools'
            ELSE ''
        END AS NAMES,
        P.POOLS,
        N.KNOWN,
        M.SORT_TUNED
    FROM TUNE.STMM AS M
    CROSS JOIN SIZED_AREA AS N
    CROSS JOIN POOL AS P
    CROSS JOIN TUNE.RUN_DATABASE AS D
    WHERE M.WANTED = 1 AND M.SWITCH IS NOT NULL AND M.ANALYTICS = 0 AND D.TOPOLOGY <> 'dpf'
)
SELECT
    S.SWITCH,
    S.CONSUMERS,
    SUBSTR(NULLIF(S.NAMES, ''), 3) AS AREAS,
    CASE WHEN S.CONSUMERS = 1 THEN 'is' ELSE 'are' END AS IS_ARE,
    D.DB_NAME
FROM STATE AS S
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE
    (S.SWITCH = 'OFF' AND (S.CONSUMERS > 0 OR S.KNOWN = 0))
    OR (S.SWITCH = 'ON' AND S.CONSUMERS < 2 AND S.SORT_TUNED = 0 AND S.POOLS > 0)
