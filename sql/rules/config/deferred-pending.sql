/*---
rule: config.deferred-pending
title: Changed settings are not in force yet
lane: condition
severity: low
takes_effect: database reactivation
judged_by: config
object: '{OBJECT_TYPE:text} {OBJECT_NAME:text}'
confidence: 0.9
actions:
  - choose:
      - when: OBJECT_TYPE = 'DATABASE'
        manual: 'deactivate and activate database {OBJECT_NAME:text} to put into force: {NAMES:text}'
      - {manual: 'Restart instance {OBJECT_NAME:text} (db2stop, db2start) to put into force: {NAMES:text}'}
    undo: {manual: 'set the old value again before that, to drop the change'}
finding:
  - choose:
      - when: OBJECT_TYPE = 'DATABASE'
        text: '{SETTINGS} changed settings wait for the next activation of the database: {NAMES:text}.'
      - '{SETTINGS} changed settings wait for the next db2start: {NAMES:text}.'
evidence: [settings=SETTINGS, names=NAMES:text]
query: >-
  SELECT NAME, VALUE, DEFERRED_VALUE FROM SYSIBMADM.DBCFG WHERE VALUE <> DEFERRED_VALUE; the same of SYSIBMADM.DBMCFG;
  db2set -all
references:
  - IBM's db2mon (configuration with deferred values)
  - vmware-netapp, section 5.4
why: >-
  Some settings take effect only when the database is activated, or the instance started, again. Until then the old
  value works, and what is measured is the old value's.
not_if: Every value on disk is the one in memory, or one of the two is not known.
note: >-
  When to deactivate or stop is the DBA's decision: text for a person. The list of names ends after the eighth. Each of
  the database, the instance and the registry is judged where it is known, alone too. Parameters that are fixed at a
  default while others are AUTOMATIC are not reported: defaults differ between levels and are changed by the
  Configuration Advisor.
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
