/*---
rule: config.files-closed-counted
title: Db2 closes files to open others, cost unknown
lane: condition
severity: low
takes_effect: immediately
judged_by: rates
needs: [bufferpool.FILES_CLOSED]
needs_timed: [dbcfg.VALUE, dbmcfg.VALUE]
object: DATABASE
confidence: 0.3
thresholds:
  min_closed_per_s: {default: 1, from: own, why: files closed per second to open others}
actions:
  - manual: >-
      Find MAXFILOP (GET DB CFG FOR {DB_NAME:alias} SHOW DETAIL) and raise it if the operating system allows that many
      open files for the instance owner.
finding: >-
  Db2 closed {FILES_CLOSED} files, {PER_S:1} per second, to open others[: MAXFILOP {MAXFILOP} is too small]. The share
  of database time is unknown.
evidence: [FILES_CLOSED, files_closed_per_s=PER_S:1, 'MAXFILOP?']
query: SELECT BP_NAME, FILES_CLOSED FROM TABLE(MON_GET_BUFFERPOOL(NULL, -2)) AS T
references:
  - IBM documentation of maxfilop and files_closed (r0001243)
why: Above MAXFILOP, Db2 closes a file before it opens another. Opening a file again takes time.
not_if: >-
  Database time and MAXFILOP are known (config.agents-and-files applies); Db2 closes fewer than one file per second;
  MAXFILOP is at
  its maximum.
note: Counts do not show what reopening costs, so the rule claims no time and proposes no value.
---*/
SELECT
    F.FILES_CLOSED,
    F.FILES_CLOSED / CAST(NULLIF(T.SECONDS, 0) AS DOUBLE) AS PER_S,
    L.NUM AS MAXFILOP,
    D.DB_NAME
FROM (SELECT SUM(FILES_CLOSED) AS FILES_CLOSED FROM TUNE.D_BUFFERPOOL) AS F
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.JUDGED_TIME AS J
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_CONFIG_FILES_CLOSED_COUNTED AS O
LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'maxfilop'
WHERE
    J.RULE = 'config.files-closed-counted' AND (J.DBT_MS IS NULL OR L.NUM IS NULL)
    AND F.FILES_CLOSED >= O.MIN_CLOSED_PER_S * T.SECONDS
    AND COALESCE(L.NUM, 0) < CASE D.PLATFORM WHEN 'Windows' THEN 65335 ELSE 61440 END
