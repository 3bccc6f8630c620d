/*---
rule: workload.classify
title: Declared workload differs from the measured one
lane: housekeeping
takes_effect: immediately
judged_by: load
needs: [workload.ROWS_RETURNED, workload.SELECT_SQL_STMTS, workload.ACT_COMPLETED_TOTAL]
object: DATABASE
confidence: 0.6
thresholds:
  min_distance: {default: 0.6, from: own, why: 'one class is declared, and the measurements clearly show the other'}
actions:
  - set: {kind: OPTION, object: site, name: workload, from: '{DECLARED:text}'}
  - manual: >-
      Compare another hour of the day. If it gives the same result, remove the site option workload = {DECLARED:text},
      so that the measurement decides.
    undo: {manual: 'Declare workload = {DECLARED:text} again.'}
finding: >-
  The site declares {DECLARED:text}, but measures {MEASURED_CLASS:text}: {ROWS_PER_SELECT:1|an unknown number of} rows
  per SELECT, {MS_PER_ACTIVITY:1|an unknown number of} ms per activity.
evidence: [declared=DECLARED:text, measured_p_bi=MEASURED_P_BI:2, rows_per_select=ROWS_PER_SELECT:1,
  ms_per_activity=MS_PER_ACTIVITY:1, statements_per_s=STATEMENTS_PER_S:1]
references:
  - x445 (analytics)
  - system-z (transaction processing)
  - published features of Db2 workloads, see the view WORKLOAD_CLASS
why: >-
  The effect of a change depends on the workload: the same table space needs prefetch size 0 for transaction processing
  and extent x containers for analytics. Every rule uses the declared class, so a wrong one makes all advice wrong.
not_if: >-
  No class is declared (the measured class applies); MIXED is declared; the measurement agrees, or leans less than 0.6
  to the other side; parts of the interval disagree.
note: >-
  The view WORKLOAD_CLASS decides, this rule checks it. One interval can be a batch window of a transaction system, so
  the rule only asks for a check.
---*/
SELECT
    K.DECLARED,
    K.MEASURED_P_BI,
    K.ROWS_PER_SELECT,
    K.MS_PER_ACTIVITY,
    K.STATEMENTS_PER_S,
    CASE K.DECLARED WHEN 'BI' THEN 'transaction processing' ELSE 'analysis' END AS MEASURED_CLASS
FROM TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_WORKLOAD_CLASSIFY AS O
WHERE
    K.WINDOWS_DISAGREE = 0
    AND (
        (K.DECLARED = 'BI' AND 1 - K.MEASURED_P_BI >= O.MIN_DISTANCE)
        OR (K.DECLARED = 'OLTP' AND K.MEASURED_P_BI >= O.MIN_DISTANCE)
    )
