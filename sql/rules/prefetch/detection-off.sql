/*---
rule: prefetch.detection-off
title: Sequential detection is off (SEQDETECT NO)
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: prefetch.sync-scan-reads, within: any}
  - {rule: workload.opposite-settings, within: any}
actions:
  - set: {kind: DBCFG, name: SEQDETECT, from: '{SEQDETECT:text}', to: 'YES'}
finding: >-
  SEQDETECT is NO: index scans, RUNSTATS and INSPECT read every page synchronously, even in sequence.
evidence: [SEQDETECT:text]
query: db2 get db cfg for <database> show detail
references:
  - IBM documentation of seqdetect (r0000336)
why: >-
  Db2 starts to prefetch when it notices that an index scan reads pages in sequence, and reads ahead if they are
  scattered. NO switches both off. The manual advises NO only if other tuning of a serious problem failed.
not_if: >-
  YES; pending; members differ; transaction processing, which reads single pages, unless the reads of statements of a
  second and more take 5 % of database time; DB2_WORKLOAD shows a vendor application.
---*/
SELECT S.VALUE AS SEQDETECT
FROM TUNE.SETTING AS S
LEFT JOIN TUNE.SETTING AS V ON V.SCOPE = 'REG' AND V.NAME = 'DB2_WORKLOAD'
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN (
    -- the class counts statements: a few long ones may still read most of the time
    SELECT 100 * CAST(SUM(X.READ_MS) AS DOUBLE) / NULLIF(MAX(T.DBT_MS), 0) AS LONG_READ_PCT
    FROM TUNE.STATEMENT AS X
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE X.ACT_MS >= CONST.LONG_STATEMENT_MS * X.EXECUTIONS
) AS L
WHERE
    S.SCOPE = 'DB' AND S.NAME = 'seqdetect' AND S.FIXED = 1 AND S.VALUE = 'NO'
    AND (K.CLASS <> 'OLTP' OR L.LONG_READ_PCT >= SITE.HIGH_PCT)
    AND COALESCE(V.IS_SET, 0) = 0
