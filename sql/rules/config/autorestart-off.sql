/*---
rule: config.autorestart-off
title: Crash recovery does not start by itself (AUTORESTART OFF)
lane: condition
severity: low
takes_effect: immediately
applies: {not: [purescale]}
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
actions:
  - {manual: 'First check that no cluster script runs RESTART DATABASE itself and needs OFF.'}
  - set: {kind: DBCFG, name: AUTORESTART, from: '{AUTORESTART:text}', to: 'ON'}
finding: >-
  AUTORESTART is OFF: after a crash, connections fail with SQL1015N until RESTART DATABASE is run manually.
evidence: [AUTORESTART:text]
query: db2 get db cfg for <database> show detail
references:
  - IBM documentation of autorestart (r0000257) and SQL1015N
why: >-
  With ON, the default, the first connection or activation after a crash starts the recovery.
not_if: >-
  ON; pending; members differ; an HADR database, which a cluster manager may control.
---*/
SELECT S.VALUE AS AUTORESTART
FROM TUNE.SETTING AS S
LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'DB' AND R.NAME = 'hadr_db_role'
WHERE
    S.SCOPE = 'DB' AND S.NAME = 'autorestart' AND S.FIXED = 1 AND S.VALUE = 'OFF'
    AND COALESCE(R.VALUE, 'STANDARD') = 'STANDARD'
