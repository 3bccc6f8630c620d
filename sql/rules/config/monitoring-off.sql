/*---
rule: config.monitoring-off
title: Metrics are switched off
lane: prerequisite
takes_effect: immediately
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.9
unit: level
actions:
  - set:
      - {kind: DBCFG, name: MON_REQ_METRICS, from: '{REQ_METRICS:text}', to: '{NEW_REQ_METRICS:text}'}
      - {kind: DBCFG, name: MON_ACT_METRICS, from: '{ACT_METRICS:text}', to: '{NEW_ACT_METRICS:text}'}
      - {kind: DBCFG, name: MON_OBJ_METRICS, from: '{OBJ_METRICS:text}', to: '{NEW_OBJ_METRICS:text}'}
finding: >-
  Metrics are not collected:[ MON_REQ_METRICS {REQ_METRICS:text}][ MON_ACT_METRICS {ACT_METRICS:text}][ MON_OBJ_METRICS
  {OBJ_METRICS:text}]. Rules that need them cannot run.
evidence: ['MON_REQ_METRICS=REQ_METRICS:text?', 'MON_ACT_METRICS=ACT_METRICS:text?',
  'MON_OBJ_METRICS=OBJ_METRICS:text?']
references:
  - vmware-netapp, appendices A (BASE) and B (NONE)
  - IBM's db2mon requires BASE
why: Without metrics the monitor functions return zeros, so the load cannot be judged.
not_if: The parameter is BASE or EXTENDED, or will be.
note: >-
  dpf.member-asymmetry handles a parameter set to NONE only on some members. A site that runs without metrics on
  purpose (a benchmark) suppresses the rule.
---*/
SELECT
    MAX(CASE WHEN NAME = 'mon_req_metrics' THEN VALUE END) AS REQ_METRICS,
    MAX(CASE WHEN NAME = 'mon_act_metrics' THEN VALUE END) AS ACT_METRICS,
    MAX(CASE WHEN NAME = 'mon_obj_metrics' THEN VALUE END) AS OBJ_METRICS,
    MAX(CASE WHEN NAME = 'mon_req_metrics' THEN 'BASE' END) AS NEW_REQ_METRICS,
    MAX(CASE WHEN NAME = 'mon_act_metrics' THEN 'BASE' END) AS NEW_ACT_METRICS,
    MAX(CASE WHEN NAME = 'mon_obj_metrics' THEN 'BASE' END) AS NEW_OBJ_METRICS
FROM TUNE.SETTING
WHERE
    SCOPE = 'DB' AND NAME IN ('mon_req_metrics', 'mon_act_metrics', 'mon_obj_metrics')
    AND FIXED = 1 AND VALUE = 'NONE'
