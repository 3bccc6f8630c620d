/*---
rule: workload.classify
title: The declared kind of workload is not the one that was measured
lane: housekeeping
takes_effect: immediately
judged_by: load
needs: [workload.ROWS_RETURNED, workload.SELECT_SQL_STMTS, workload.ACT_COMPLETED_TOTAL]
object: DATABASE
confidence: 0.6
thresholds:
  min_distance: {default: 0.6, from: own, why: 'one class declared, and the features lean clearly to the other'}
actions:
  - set: {kind: OPTION, object: site, name: workload, from: '{DECLARED:text}'}
  - manual: >-
      Compare another hour of the day. If it looks the same, take back the site option workload = {DECLARED:text} and
      let the measurements decide.
    undo: {manual: 'Declare workload = {DECLARED:text} again.'}
finding: >-
  The site declares {DECLARED:text}, but what was measured looks like {MEASURED_CLASS:text}: {ROWS_PER_SELECT:1|an
  unknown number of} rows per SELECT, {MS_PER_ACTIVITY:1|an unknown number of} ms per activity.
evidence: [declared=DECLARED:text, measured_p_bi=MEASURED_P_BI:2, rows_per_select=ROWS_PER_SELECT:1,
  ms_per_activity=MS_PER_ACTIVITY:1, statements_per_s=STATEMENTS_PER_S:1]
references:
  - x445 (analysis)
  - system-z (transaction processing)
  - published features of Db2 workloads, see the view WORKLOAD_CLASS
why: >-
  Whether a change helps depends on the kind of work: the same table space wants a prefetch size of 0 for transaction
  processing and extent x containers for analysis. A declared class settles that question for every rule, so a wrong one
  makes all advice wrong.
not_if: >-
  No class is declared: then the measured one holds; MIXED is declared; the measurement agrees, or leans less than 0.6
  of the way to the other side; parts of the interval disagree.
note: >-
  The catalogue has this as a gate without a finding: the gate is the view, this is its check. One interval can be a
  batch window of a transaction system, so it only asks to look.
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
