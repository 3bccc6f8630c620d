/*---
rule: hadr.not-replicated
title: Changes are not fully logged for the standby
lane: safety
severity: high
takes_effect: immediately
steps_need: hadr
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.6
actions:
  - when: OPEN_TABLES = 1
    set: {kind: DBCFG, name: BLOCKNONLOGGED, from: '{BLOCKNONLOGGED:text}', to: 'YES'}
  - when: OPEN_INDEXES = 1
    set: {kind: DBCFG, name: LOGINDEXBUILD, from: '{LOGINDEXBUILD:text}', to: 'ON'}
  - manual: Make the same change on each standby, which does not inherit it.
    undo: {manual: Restore the old values on each standby too.}
finding:
  - when: OPEN_TABLES = 1
    text: >-
      BLOCKNONLOGGED is NO: after a takeover, tables changed with NOT LOGGED INITIALLY or loaded with COPY NO cannot be
      used.
  - when: OPEN_INDEXES = 1
    text: >-
      LOGINDEXBUILD is OFF: indexes that are built or reorganized are invalid on the standby and must be rebuilt after a
      takeover.
evidence: [hadr_db_role=HADR_DB_ROLE:text, 'BLOCKNONLOGGED:text?', 'LOGINDEXBUILD:text?']
query: db2 get db cfg for <database> | grep -i -e BLOCKNONLOGGED -e LOGINDEXBUILD -e "HADR database role"
references:
  - >-
    IBM documentation of blocknonlogged, "Index logging and HADR" (c0011691) and "HADR non-replicated operations"
    (c0011765)
why: >-
  HADR sends the log. Unlogged changes never reach the standby. This shows only after a takeover, when a table or index
  cannot be used.
not_if: >-
  No HADR, or the role is not known; the settings are YES and ON, or will be; members differ. For BLOCKNONLOGGED also:
  DB2_WORKLOAD shows a vendor application, which may need tables that are not logged.
note: >-
  With BLOCKNONLOGGED YES, statements that create unlogged tables fail, and so does LOAD with COPY NO or NONRECOVERABLE:
  check that no job needs them. Logging index builds takes log space and time. A table's LOG INDEX BUILD overrides the
  setting.
---*/
SELECT
    HADR_DB_ROLE, BLOCKNONLOGGED, LOGINDEXBUILD, OPEN_TABLES, OPEN_INDEXES
FROM (
    SELECT
        R.VALUE AS HADR_DB_ROLE,
        B.VALUE AS BLOCKNONLOGGED,
        X.VALUE AS LOGINDEXBUILD,
        CASE WHEN B.FIXED = 1 AND B.VALUE = 'NO' AND COALESCE(V.IS_SET, 0) = 0 THEN 1 END AS OPEN_TABLES,
        CASE WHEN X.FIXED = 1 AND X.VALUE = 'OFF' THEN 1 END AS OPEN_INDEXES
    FROM TUNE.SETTING AS R
    LEFT JOIN TUNE.SETTING AS B ON B.SCOPE = 'DB' AND B.NAME = 'blocknonlogged'
    LEFT JOIN TUNE.SETTING AS X ON X.SCOPE = 'DB' AND X.NAME = 'logindexbuild'
    LEFT JOIN TUNE.SETTING AS V ON V.SCOPE = 'REG' AND V.NAME = 'DB2_WORKLOAD'
    WHERE R.SCOPE = 'DB' AND R.NAME = 'hadr_db_role' AND R.VALUE = 'PRIMARY'
) AS S
WHERE OPEN_TABLES = 1 OR OPEN_INDEXES = 1
