/*---
rule: catalog.table-pending
title: A table waits for SET INTEGRITY
lane: condition
severity: critical
takes_effect: immediately
risk: medium
applies: {not: [managed]}
judged_by: config
needs: [cat_table.STATUS]
object: TABLE {TABSCHEMA:text}.{TABNAME:text}
confidence: 0.9
actions:
  - manual: >-
      SET INTEGRITY FOR {TABSCHEMA:name}.{TABNAME:name} IMMEDIATE CHECKED reads the whole table and keeps others out
      meanwhile; parents before their children, or all of them in one statement.
    undo: {manual: 'SET INTEGRITY FOR {TABSCHEMA:name}.{TABNAME:name} OFF makes it wait again.'}
  - manual: >-
      Where rows violate a constraint it ends with SQL3603N: give them a table of their own, with FOR EXCEPTION IN
      {TABSCHEMA:name}.{TABNAME:name} USE <exception table>.
    undo: {manual: 'Rows of an exception table can be inserted again, once they are right.'}
finding:
  - choose:
      - when: READABLE = 1
        text: 'Its set integrity is pending: it can be read, and every change of it ends with SQL0668N.'
      - {when: READABLE = 0, text: 'Its set integrity is pending: whoever reads or changes it gets SQL0668N.'}
      - 'Its set integrity is pending: whoever changes it gets SQL0668N, and who reads it, too, unless it is readable.'
evidence: [STATUS:text, 'ACCESS_MODE:text?']
query: SELECT TABSCHEMA, TABNAME, TYPE, ACCESS_MODE, CONST_CHECKED FROM SYSCAT.TABLES WHERE STATUS = 'C'
references:
  - IBM documentation of SYSCAT.TABLES (r0001063), SET INTEGRITY (r0000998) and SQL0668N
why: >-
  After a load, an attached partition or a new constraint Db2 does not know whether the rows fit the constraints and the
  generated columns. Until SET INTEGRITY has looked, nobody may rely on them.
not_if: >-
  Its status is normal; it may be used all the same (full access, or no data movement only); a load is running; it is a
  materialized query table, which is not looked at; a managed database.
note: >-
  Warehouses let tables wait between loads on purpose: what is pending now is told, not for how long. Tables with reorg
  or load pending are told by catalog.table-unusable.
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
