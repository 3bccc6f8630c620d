/*---
rule: catalog.table-pending
title: Table is in set integrity pending state
lane: safety
severity: critical
takes_effect: immediately
risk: medium
judged_by: config
needs: [cat_table.STATUS]
object: TABLE {TABSCHEMA:text}.{TABNAME:text}
confidence: 0.9
actions:
  - manual: >-
      Run SET INTEGRITY FOR {TABSCHEMA:name}.{TABNAME:name} IMMEDIATE CHECKED. It reads the whole table and blocks other
      applications. Check parent tables before their children, or all of them in one statement.
    undo: {manual: 'SET INTEGRITY FOR {TABSCHEMA:name}.{TABNAME:name} OFF makes the table pending again.'}
  - manual: >-
      If rows violate a constraint (SQL3603N), choose a name for an exception table, create it LIKE
      {TABSCHEMA:name}.{TABNAME:name}, and add FOR EXCEPTION IN {TABSCHEMA:name}.{TABNAME:name} USE with that name.
    undo: {manual: Correct the rows in the exception table and insert them again.}
finding:
  - choose:
      - when: READABLE = 1
        text: 'Set integrity is pending: the table can be read, but every change fails with SQL0668N.'
      - {when: READABLE = 0, text: 'Set integrity is pending: every read and change fails with SQL0668N.'}
      - 'Set integrity is pending: every change fails with SQL0668N, and reads too unless its access mode allows them.'
evidence: [STATUS:text, 'ACCESS_MODE:text?']
query: SELECT TABSCHEMA, TABNAME, TYPE, ACCESS_MODE, CONST_CHECKED FROM SYSCAT.TABLES WHERE STATUS = 'C'
references:
  - IBM documentation of SYSCAT.TABLES (r0001063), SET INTEGRITY (r0000998) and SQL0668N
why: >-
  After a load, an attached partition or a new constraint, Db2 has not checked the rows against constraints and
  generated columns. Until SET INTEGRITY has checked them, they are not reliable.
not_if: >-
  Its status is normal; its access mode permits use (full access or no data movement); a load is running; it is a
  materialized query table, which the rule does not check.
note: >-
  Warehouses leave tables pending between loads on purpose; how long the state has lasted is not known.
  catalog.table-unusable reports tables in reorg or load pending state.
---*/
SELECT
    C.TABSCHEMA,
    C.TABNAME,
    C.STATUS,
    C.ACCESS_MODE,
    CASE C.ACCESS_MODE WHEN 'R' THEN 1 WHEN 'N' THEN 0 END AS READABLE
FROM TUNE.D_CAT_TABLE AS C
WHERE
    C.STATUS = 'C'
    AND COALESCE(C.ACCESS_MODE, 'N') IN ('N', 'R')
    AND NOT EXISTS (SELECT 1 FROM TUNE.D_UTILITY AS U WHERE U.UTILITY_TYPE = 'LOAD')
