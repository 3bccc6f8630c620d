/*---
rule: dpf.row-skew
title: Distribution key puts too many rows on one partition
lane: performance
takes_effect: object rebuilt or moved
risk: medium
applies: {topology: dpf}
judged_by: load
needs: [table_size.DATA_OBJECT_P_SIZE, cat_table.PARTITION_MODE, partition_group.DBPARTITIONNUM,
  cat_tablespace.DBPGNAME, table.ROWS_READ, workload.FCM_RECV_WAIT_TIME]
object: TABLE {TABSCHEMA:text}.{TABNAME:text}
claims: {FCM: {events: RECV_WAITS, cost_ms: SPARED_MS}}
recover: [0.5, 0.8, 1]
confidence: 0.9
after: [dpf.partition-map-uneven]
thresholds:
  min_skew: {default: 1.1, from: own, why: the fullest partition holds 10 % more than its share of the table}
  min_rows: {default: 100000, from: own, why: 'a smaller table cannot be spread evenly, and need not be'}
  values_per_partition: {default: 50, from: own, why: 'with fewer key values, chance decides how they spread'}
actions:
  - set: {name: DISTRIBUTION, from: '{KEY_COLUMNS:text}'}
  - manual: >-
      Choose another distribution key for {TABSCHEMA:name}.{TABNAME:name}: at least {ENOUGH_VALUES} values, none of them
      frequent; a simple type, rarely updated, among the columns of its large joins, and part of every unique index.
  - {manual: 'Test it on a copy in the same table space, filled from a sample: count its rows by DBPARTITIONNUM.'}
  - choose:
      - {when: DB2_LEVEL < 9070000, manual: 'Then export the table, create it again with that key, and load it.'}
      - {manual: Then move the table online with SYSPROC.ADMIN_MOVE_TABLE; its argument partkey_cols takes the new key.}
    undo: {manual: 'Move the table back in the same way, to the old distribution key: {KEY_COLUMNS:text}'}
  - when: FEW_VALUES IS NULL
    manual: >-
      If joins require the present key: REDISTRIBUTE DATABASE PARTITION GROUP {DBPGNAME:name} USING DISTFILE, with the
      rows per bucket in the file, evens out frequent values.
finding:
  - >-
    Partition {MEMBER} holds {SKEW:2} times its share of the table. {WAITING_PCT} % of each scan is spent waiting for
    it.
  - choose:
      - when: FEW_VALUES IS NULL
        text: 'The distribution key has enough values, or their number is not known: some are probably frequent.'
      - The distribution key has {FEW_VALUES} values for {PARTITIONS} partitions.
evidence: [DATA_OBJECT_P_SIZE_max_KB=KB, DATA_OBJECT_P_SIZE_min_KB=MIN_KB, partitions=PARTITIONS, skew=SKEW:2,
  ROWS_READ_skew=READ_SKEW:2, 'key_values=FEW_VALUES?']
references:
  - x445, "Localizing the data"
  - IBM documentation of distribution keys
why: >-
  The partition with most rows determines the time of a scan; the others wait for it. The lost part of the scan time is
  1 - average / largest.
not_if: >-
  The table is not hashed (one partition, or replicated), has fewer than min_rows rows, or is read evenly; it is only as
  uneven as the distribution map of its group, which dpf.partition-map-uneven reports.
note: >-
  Statistics of other columns and frequent values are not collected. So no new key is named, and frequent values are
  only inferred from a key with enough values. Column-organized tables store their pages elsewhere and are not judged.
---*/
WITH SKEWED AS (
    -- skewed data costs time only if it is also read unevenly
    SELECT
        S.*,
        S.READ_PART * (1 - CAST(1 AS DOUBLE) / NULLIF(LEAST(COALESCE(S.READ_SKEW, 1), S.SKEW), 0)) AS LOST_PART,
        CEIL(ROUND(O.VALUES_PER_PARTITION * S.PARTITIONS, 6)) AS ENOUGH_VALUES
    FROM TUNE.TABLE_SPREAD AS S
    CROSS JOIN TUNE.O_DPF_ROW_SKEW AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE
        (S.CARD < 0 OR S.CARD >= O.MIN_ROWS)
        AND S.KB - S.MIN_KB >= 1024 * SITE.SMALL_MB
        AND S.SKEW >= O.MIN_SKEW
        AND S.READ_SKEW >= O.MIN_SKEW
)
SELECT
    S.TABSCHEMA, S.TABNAME, S.DBPGNAME, S.PARTITIONS, S.MEMBER, S.KB, S.MIN_KB, S.SKEW, S.READ_SKEW, S.KEY_COLUMNS,
    S.ENOUGH_VALUES, D.DB2_LEVEL,
    CASE WHEN S.KEY_VALUES < S.ENOUGH_VALUES THEN S.KEY_VALUES END AS FEW_VALUES,
    100 * (1 - CAST(1 AS DOUBLE) / NULLIF(S.SKEW, 0)) AS WAITING_PCT,
    GREATEST(1, T.FCM_RECV_WAITS_TOTAL) AS RECV_WAITS,
    S.LOST_PART * T.FCM_RECV_WAIT_TIME / CAST(NULLIF(GREATEST(1, T.FCM_RECV_WAITS_TOTAL), 0) AS DOUBLE) AS SPARED_MS
FROM SKEWED AS S
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE S.LOST_PART * T.FCM_RECV_WAIT_TIME > 0
