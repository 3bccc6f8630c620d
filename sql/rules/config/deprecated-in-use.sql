/*---
rule: config.deprecated-in-use
title: Deprecated or discontinued settings are in use
lane: housekeeping
takes_effect: instance restart
judged_by: config
needs: [dbcfg.VALUE]
object: '{OBJECT_TYPE:text} {OBJECT_NAME:text}'
confidence: 0.9
actions:
  - choose:
      - when: IS_COMMAND = 0 AND SETTING_KIND = 'REGISTRY'
        manual: >-
          Remove it with db2set {SETTING_NAME:shell}= if db2set still accepts the name; replacement: {REPLACEMENT:text}
      - when: IS_COMMAND = 0 AND SETTING_KIND = 'DBCFG'
        takes_effect: immediately
        manual: '{SETTING_NAME:text}: {REPLACEMENT:text}'
      - {when: IS_COMMAND = 0, manual: '{SETTING_NAME:text}: {REPLACEMENT:text}'}
    undo: {manual: 'Set {SETTING_NAME:text} to {VALUE:text} again.'}
  - choose:
      - when: SETTING_NAME IN ('INDEXSORT', 'MINCOMMIT')
        takes_effect: immediately
        set: {kind: DBCFG, name: '{SETTING_NAME:text}', from: '{VALUE:text}', to: '{RESET_VALUE:text}'}
      - when: SETTING_KIND = 'DBCFG'
        takes_effect: database reactivation
        set: {kind: DBCFG, name: '{SETTING_NAME:text}', from: '{VALUE:text}', to: '{RESET_VALUE:text}'}
      - when: IS_COMMAND = 1 OR SETTING_KIND = 'DBMCFG'
        set: {kind: '{SETTING_KIND:text}', name: '{SETTING_NAME:text}', from: '{VALUE:text}', to: '{RESET_VALUE:text}'}
finding:
  - 'Given up by Db2: {NAMES:text}.'
  - {when: SETTINGS = 1, text: 'Replacement: {REPLACEMENT:text}.'}
evidence: [settings=SETTINGS, names=NAMES:text]
references:
  - IBM documentation, deprecated and discontinued functionality (each setting in sql/schema/deprecated.csv)
  - vmware-netapp, appendices (valid at their 9.7)
why: >-
  A later level removes a deprecated setting. An ignored or discontinued one already has no effect, although it looks
  active.
not_if: >-
  The running level still supports it; it has its default value; another value is pending; DB2_WORKLOAD sets it; it
  differs between members (dpf.member-asymmetry).
note: >-
  The list ends at level 11.5.7: no manual page about later levels was found. It has only settings with a documented
  end; none was found for DB2PROCESSORS, DB2MEMDISCLAIM, DB2_DIRECT_IO, MAXDARI and NUMSEGS. LOGRETAIN and USEREXIT
  follow LOGARCHMETH1, so their values are ignored. SOFTMAX belongs to cleaning.softmax-or-pageage, HEALTH_MON to
  config.monitor-overhead. MINCOMMIT takes effect immediately, the rest at the next db2start or activation. A registry
  variable whose value contains blanks or quotes needs a manual step. So does a discontinued one, because no manual
  documents that db2set still accepts its name. Without a level, the newest setting of the configuration shows the
  least one (sql/schema/introduced.csv).
---*/
WITH NUMBERED AS (
    SELECT
        CASE S.SCOPE WHEN 'DB' THEN 'DATABASE' ELSE 'INSTANCE' END AS OBJECT_TYPE,
        CASE S.SCOPE WHEN 'DB' THEN D.DB_NAME ELSE D.INSTANCE_NAME END AS OBJECT_NAME,
        CASE S.SCOPE WHEN 'DB' THEN 'DBCFG' WHEN 'DBM' THEN 'DBMCFG' ELSE 'REGISTRY' END AS SETTING_KIND,
        UPPER(S.NAME) AS SETTING_NAME,
        S.VALUE,
        S.RESET_VALUE,
        S.REPLACEMENT,
        CASE
            WHEN S.SCOPE <> 'REG' THEN CASE WHEN S.RESET_VALUE IS NULL THEN 0 ELSE 1 END
            WHEN S.STATE = 'discontinued' THEN 0
            WHEN REPLACE(REPLACE(REPLACE(S.VALUE, ' ', ''), '"', ''), '''', '') = S.VALUE THEN 1
            ELSE 0
        END AS IS_COMMAND,
        CAST(
            UPPER(S.NAME) || '=' || S.VALUE || ' (' || S.STATE || ' since ' || S.SINCE || ')' AS VARCHAR(1000)
        ) AS SETTING_TEXT,
        ROW_NUMBER() OVER (
            PARTITION BY CASE S.SCOPE WHEN 'DB' THEN 'DATABASE' ELSE 'INSTANCE' END ORDER BY S.SCOPE, S.NAME
        ) AS PLACE
    FROM TUNE.DEPRECATED_SETTING AS S
    CROSS JOIN TUNE.RUN_DATABASE AS D
),
LISTED AS (
    SELECT
        OBJECT_TYPE,
        COUNT(*) AS SETTINGS,
        MAX(CASE WHEN PLACE = 1 THEN SETTING_TEXT ELSE '' END)
        || MAX(CASE WHEN PLACE = 2 THEN ', ' || SETTING_TEXT ELSE '' END)
        || MAX(CASE WHEN PLACE = 3 THEN ', ' || SETTING_TEXT ELSE '' END)
        || MAX(CASE WHEN PLACE = 4 THEN ', ' || SETTING_TEXT ELSE '' END)
        || MAX(CASE WHEN PLACE = 5 THEN ', ' || SETTING_TEXT ELSE '' END)
        || MAX(CASE WHEN PLACE = 6 THEN ', ' || SETTING_TEXT ELSE '' END)
        || CASE WHEN COUNT(*) > 6 THEN ' and ' || CAST(COUNT(*) - 6 AS VARCHAR(20)) || ' more' ELSE '' END AS NAMES
    FROM NUMBERED
    GROUP BY OBJECT_TYPE
)
SELECT
    N.OBJECT_TYPE, N.OBJECT_NAME, N.SETTING_KIND, N.SETTING_NAME, N.VALUE, N.RESET_VALUE, N.REPLACEMENT, N.IS_COMMAND,
    L.SETTINGS, L.NAMES
FROM NUMBERED AS N
INNER JOIN LISTED AS L ON N.OBJECT_TYPE = L.OBJECT_TYPE
