/*---
rule: config.file-limit-small
title: Few open files per database (MAXFILOP)
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: config.agents-and-files, within: any}
thresholds:
  few_files: {default: 512, from: own, why: 'the default is 61,440; published tuned databases have 512 and 800'}
actions:
  - {manual: Check that the operating system lets the instance owner open as many files (ulimit -n).}
  - set: {kind: DBCFG, name: MAXFILOP, from: '{MAXFILOP}', to: '61440', unit: files}
finding: >-
  MAXFILOP is {MAXFILOP}: with more files in use, Db2 closes one before it opens the next.
evidence: [MAXFILOP]
query: SELECT SUM(FILES_CLOSED) AS FILES_CLOSED FROM TABLE(MON_GET_BUFFERPOOL(NULL, -2)) AS T
references:
  - IBM documentation of maxfilop (r0000280) and files_closed (r0001243)
why: >-
  Each container, and each object in an SMS table space, is a file. 64 was the default of early levels, and upgrades
  keep it.
not_if: >-
  At least 512; pending; members differ; files were seen closed (config.agents-and-files gives the advice).
---*/
SELECT S.NUM AS MAXFILOP
FROM TUNE.SETTING AS S
CROSS JOIN TUNE.O_CONFIG_FILE_LIMIT_SMALL AS O
WHERE S.SCOPE = 'DB' AND S.NAME = 'maxfilop' AND S.FIXED = 1 AND S.NUM < O.FEW_FILES
