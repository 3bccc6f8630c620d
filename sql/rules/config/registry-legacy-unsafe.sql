/*---
rule: config.registry-legacy-unsafe
title: Registry variable for benchmarks or emergencies is set
lane: condition
severity: low
takes_effect: instance restart
judged_by: config
needs: [registry.REG_VAR_VALUE]
object: INSTANCE {INSTANCE_NAME:text} {VARIABLE:text}
confidence: 0.3
thresholds:
  min_swapped_per_s: {default: 10, from: own, why: 'pages swapped out per second: the host lacks memory'}
actions:
  - set: {kind: REGISTRY, name: '{VARIABLE:text}', from: '{VALUE:text}'}
finding:
  - choose:
      - when: VARIABLE = 'DB2_APM_PERFORMANCE'
        text: >-
          {VARIABLE:text} is {VALUE:text}: cached packages are not locked; binding may fail and the package cache may
          run out.
      - when: VARIABLE = 'DB2_AVOID_PREFETCH'
        text: '{VARIABLE:text} is {VALUE:text}: crash recovery reads page by page.'
      - when: VARIABLE = 'DB2_PINNED_BP'
        text: '{VARIABLE:text} is {VALUE:text}: the database memory cannot be paged out while the host swaps.'
      - when: VARIABLE = 'DB2_OVERRIDE_BPF'
        text: >-
          {VARIABLE:text} is {VALUE:text}: at each activation the buffer pools get this size instead of their own.
      - '{VARIABLE:text} is {VALUE:text}: no hash joins ran, and sorts take time.'
query: db2set -all
evidence: ['{VARIABLE:text}=VALUE:text']
references:
  - IBM documentation, performance variables (r0005665)
  - vmware-netapp, appendix B
why: >-
  DB2_APM_PERFORMANCE drops the locks on cached packages: binding and invalidation may fail, and the package cache may
  run out. DB2_AVOID_PREFETCH makes crash recovery read page by page. DB2_PINNED_BP keeps the buffer pools in memory
  while the rest of the host swaps. Without hash joins, analysis sorts both sides of a join. DB2_OVERRIDE_BPF starts a
  database whose buffer pools do not fit the memory; left behind, it keeps all pools tiny.
not_if: >-
  The value is the default; DB2_WORKLOAD sets it; it differs between members or another value is pending; the host does
  not swap (DB2_PINNED_BP); hash joins still ran, the workload is OLTP, or sorts take less than 1 % of the time
  (DB2_HASH_JOIN).
note: >-
  A benchmark that needs them accepts the risk; removing the first three promises no throughput. DB2_KEEPTABLELOCK,
  DB2_MAX_NON_TABLE_LOCKS, DB2_SELECTIVITY and DB2ASSUMEUPDATE of the same appendix change cost, not safety, so the rule
  ignores them. The manuals of 10.5 and later do not list DB2_HASH_JOIN, though scripts still set it: the rule reports
  it only if no hash join ran, with low confidence. The saving of hash joins was never measured, so no time is claimed.
---*/
WITH SWITCHED AS (
    SELECT
        NAME AS VARIABLE,
        VALUE,
        IS_SET,
        CASE
            WHEN UPPER(VALUE) IN ('ON', 'YES', 'Y', '1') THEN 'on'
            WHEN UPPER(VALUE) IN ('OFF', 'NO', 'N', '0') THEN 'off'
        END AS STATE
    FROM TUNE.SETTING
    WHERE
        SCOPE = 'REG' AND FIXED = 1
        AND NAME NOT IN (SELECT REG_VAR_NAME FROM TUNE.D_REGISTRY WHERE AGGREGATE_NAME IS NOT NULL)
),
MEASURED AS (
    SELECT
        W.USABLE,
        H.SWAPPED_PER_S,
        T.TOTAL_HASH_JOINS,
        T.SORT_PCT * K.P_BI AS SORT_PCT,
        K.CLASS,
        D.INSTANCE_NAME
    FROM TUNE.RUN_WINDOW AS W
    CROSS JOIN (SELECT MAX(SWAP_OUT_PER_S) AS SWAPPED_PER_S FROM TUNE.MEMORY_PRESSURE) AS H
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.RUN_DATABASE AS D
)
SELECT
    S.VARIABLE,
    S.VALUE,
    M.INSTANCE_NAME
FROM SWITCHED AS S
CROSS JOIN MEASURED AS M
CROSS JOIN TUNE.O_CONFIG_REGISTRY_LEGACY_UNSAFE AS O
CROSS JOIN TUNE.O_SITE AS SITE
WHERE
    (S.VARIABLE IN ('DB2_APM_PERFORMANCE', 'DB2_AVOID_PREFETCH') AND S.STATE = 'on')
    OR (S.VARIABLE = 'DB2_OVERRIDE_BPF' AND S.IS_SET = 1)
    OR (S.VARIABLE = 'DB2_PINNED_BP' AND S.STATE = 'on' AND M.SWAPPED_PER_S >= O.MIN_SWAPPED_PER_S)
    OR (
        S.VARIABLE = 'DB2_HASH_JOIN' AND S.STATE = 'off'
        AND M.USABLE = 1 AND M.TOTAL_HASH_JOINS = 0 AND M.CLASS <> 'OLTP' AND M.SORT_PCT >= SITE.TRACE_PCT
    )
