/*---
rule: hadr.peer-window-short
title: HADR peer window is shorter than recommended
lane: condition
severity: low
takes_effect: database reactivation
applies: {not: [purescale]}
steps_need: hadr
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
actions:
  - set: {kind: DBCFG, name: HADR_PEER_WINDOW, from: '{HADR_PEER_WINDOW}', to: '120', unit: seconds}
  - manual: Make the same change on each standby; both sites need the same value.
    undo: {manual: Restore the old value on each standby too.}
finding: >-
  HADR_PEER_WINDOW is {HADR_PEER_WINDOW} seconds; the manual recommends at least 120.
evidence: [HADR_PEER_WINDOW, 'HADR_SYNCMODE=HADR_SYNCMODE:text?']
query: db2pd -db <database> -hadr
references:
  - IBM documentation of hadr_peer_window (r0052656)
why: >-
  A takeover BY FORCE PEER WINDOW ONLY loses no committed data, but works only within the window after the connection
  broke. In a short one, the cluster manager cannot detect the failure and finish the takeover.
not_if: >-
  0, which means no peer window; 120 or more; pending; members differ; not the primary (an auxiliary standby ignores
  it), or the role is not known; ASYNC and SUPERASYNC, which ignore it (config.contradiction).
note: >-
  While the primary waits in the window, no transaction commits: a longer window costs availability if only the
  standby fails.
---*/
SELECT
    S.NUM AS HADR_PEER_WINDOW,
    M.VALUE AS HADR_SYNCMODE
FROM TUNE.SETTING AS S
INNER JOIN TUNE.SETTING AS R ON R.SCOPE = 'DB' AND R.NAME = 'hadr_db_role' AND R.VALUE = 'PRIMARY'
LEFT JOIN TUNE.SETTING AS M ON M.SCOPE = 'DB' AND M.NAME = 'hadr_syncmode'
WHERE
    S.SCOPE = 'DB' AND S.NAME = 'hadr_peer_window' AND S.FIXED = 1 AND S.NUM > 0 AND S.NUM < 120
    AND COALESCE(M.VALUE, 'NEARSYNC') IN ('SYNC', 'NEARSYNC')
