/*---
rule: config.deferred-pending
title: Changed settings have not taken effect
lane: prerequisite
severity: low
takes_effect: database reactivation
judged_by: config
object: '{OBJECT_TYPE:text} {OBJECT_NAME:text}'
confidence: 0.9
actions:
  - choose:
      - when: OBJECT_TYPE = 'DATABASE'
        manual: 'Deactivate and activate database {OBJECT_NAME:text} to apply: {NAMES:text}'
      - takes_effect: instance restart
        manual: 'Restart instance {OBJECT_NAME:text} (db2stop, db2start) to apply: {NAMES:text}'
    undo: {manual: 'Before that, set the old value again to cancel the change.'}
finding:
  - choose:
      - when: OBJECT_TYPE = 'DATABASE'
        text: 'Changed settings that wait for the next activation of the database: {NAMES:text}.'
      - 'Changed settings that wait for the next db2start: {NAMES:text}.'
evidence: [settings=SETTINGS, names=NAMES:text]
query: >-
  SELECT NAME, VALUE, DEFERRED_VALUE FROM SYSIBMADM.DBCFG WHERE VALUE <> DEFERRED_VALUE;
  SELECT NAME, VALUE, DEFERRED_VALUE FROM SYSIBMADM.DBMCFG WHERE VALUE <> DEFERRED_VALUE; db2set -all
references:
  - IBM's db2mon (configuration with deferred values)
  - vmware-netapp, section 5.4
why: >-
  Some settings take effect only at the next activation or instance start. Until then the old value is in use, and
  measurements reflect the old value.
not_if: Every value on disk equals the value in memory, or one of the two is not known.
note: >-
  The DBA decides when to deactivate or stop, so there is no command. The list contains at most eight names. Database,
  instance and registry are each judged if known, also alone. Parameters fixed at a default while others are AUTOMATIC
  are not reported: defaults differ between levels and the Configuration Advisor changes them.
---*/
WITH WAITING AS (
    SELECT
        CASE S.SCOPE WHEN 'DB' THEN 'DATABASE' ELSE 'INSTANCE' END AS OBJECT_TYPE,
        CASE S.SCOPE WHEN 'DB' THEN D.DB_NAME ELSE D.INSTANCE_NAME END AS OBJECT_NAME,
        UPPER(S.NAME) AS NAME
    FROM TUNE.SETTING AS S
    CROSS JOIN TUNE.RUN_DATABASE AS D
    INNER JOIN (SELECT SCOPE, COUNT(VALUE) AS KNOWN FROM TUNE.SETTING GROUP BY SCOPE) AS K ON S.SCOPE = K.SCOPE
    WHERE S.PENDING = 1 AND K.KNOWN > 0
),
NUMBERED AS (
    SELECT
        WAITING.*,
        ROW_NUMBER() OVER (PARTITION BY OBJECT_TYPE ORDER BY NAME) AS PLACE
    FROM WAITING
)
SELECT
    OBJECT_TYPE,
    OBJECT_NAME,
    COUNT(*) AS SETTINGS,
    MAX(CASE WHEN PLACE = 1 THEN NAME ELSE '' END)
    || MAX(CASE WHEN PLACE = 2 THEN ', ' || NAME ELSE '' END)
    || MAX(CASE WHEN PLACE = 3 THEN ', ' || NAME ELSE '' END)
    || MAX(CASE WHEN PLACE = 4 THEN ', ' || NAME ELSE '' END)
    || MAX(CASE WHEN PLACE = 5 THEN ', ' || NAME ELSE '' END)
    || MAX(CASE WHEN PLACE = 6 THEN ', ' || NAME ELSE '' END)
    || MAX(CASE WHEN PLACE = 7 THEN ', ' || NAME ELSE '' END)
    || MAX(CASE WHEN PLACE = 8 THEN ', ' || NAME ELSE '' END)
    || CASE WHEN COUNT(*) > 8 THEN ' and ' || CAST(COUNT(*) - 8 AS VARCHAR(20)) || ' more' ELSE '' END AS NAMES
FROM NUMBERED
GROUP BY OBJECT_TYPE, OBJECT_NAME
