/*---
rule: config.contradiction
title: Settings contradict each other
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [dbcfg.VALUE]
object: '{OBJECT_TYPE:text} {OBJECT_NAME:text}'
confidence: 0.6
defers_to:
  - {rule: memory.stmm-off-or-ineffective, within: any}
  - {rule: stats.stale-or-off, within: any}
actions:
  - manual: 'Resolve the contradiction: {REMEDY:text}'
    undo:
      manual: >-
        Set {SETTING_NAME:text} to {OLD_VALUE:text|its old value} and {OTHER_NAME:text} to {OTHER_VALUE:text|its old
        value} again.
finding: '{MEANINGS:text}.'
evidence: [contradictions=CONTRADICTIONS]
query: db2 get db cfg for <database>; db2 get dbm cfg
references:
  - IBM documentation of each setting (sql/schema/contradictions.csv)
why: One of the settings has no effect because of the other. Either it was meant to have one, or it was left over.
not_if: >-
  One of them is pending, differs between members, or is not known; DB2_WORKLOAD sets it; memory.stmm-off-or-ineffective
  or stats.stale-or-off gives advice about the same settings.
note: >-
  Which of the two is wrong is not known, so there is no command. Combinations that Db2 refuses are not listed. A
  default value counts too if the other value is not a default.
---*/
WITH LISTED AS (
    SELECT
        SCOPE,
        COUNT(*) AS CONTRADICTIONS,
        MAX(CASE WHEN PLACE = 1 THEN MEANING ELSE '' END)
        || MAX(CASE WHEN PLACE = 2 THEN '. ' || MEANING ELSE '' END)
        || MAX(CASE WHEN PLACE = 3 THEN '. ' || MEANING ELSE '' END)
        || MAX(CASE WHEN PLACE = 4 THEN '. ' || MEANING ELSE '' END)
        || CASE WHEN COUNT(*) > 4 THEN '. And ' || CAST(COUNT(*) - 4 AS VARCHAR(20)) || ' more' ELSE '' END AS MEANINGS
    FROM TUNE.CONTRADICTING
    GROUP BY SCOPE
)
SELECT
    CASE F.SCOPE WHEN 'DB' THEN 'DATABASE' ELSE 'INSTANCE' END AS OBJECT_TYPE,
    CASE F.SCOPE WHEN 'DB' THEN D.DB_NAME ELSE D.INSTANCE_NAME END AS OBJECT_NAME,
    F.SETTING_NAME,
    F.OLD_VALUE,
    F.OTHER_NAME,
    F.OTHER_VALUE,
    F.REMEDY,
    L.MEANINGS,
    L.CONTRADICTIONS
FROM TUNE.CONTRADICTING AS F
INNER JOIN LISTED AS L ON F.SCOPE = L.SCOPE
CROSS JOIN TUNE.RUN_DATABASE AS D
