/*---
rule: hadr.spooling-off
title: Slow replay on the standby stops the primary (HADR_SPOOL_LIMIT 0)
lane: condition
severity: low
takes_effect: database reactivation
applies: {from: '10.5'}
steps_need: hadr
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: hadr.standby-behind, within: any}
actions:
  - manual: >-
      Check that the log path of each standby has room for as much log again: AUTOMATIC spools up to the size of all log
      files.
  - set: {kind: DBCFG, name: HADR_SPOOL_LIMIT, from: '{HADR_SPOOL_LIMIT}', to: AUTOMATIC, unit: 4 KB pages}
  - manual: Make the same change on each standby, which does not inherit it.
    undo: {manual: Restore the old value on each standby too.}
finding: >-
  HADR_SPOOL_LIMIT is 0: once the standby's receive buffer is full, transactions on the primary wait for its replay.
evidence: [HADR_SPOOL_LIMIT, 'HADR_SYNCMODE=HADR_SYNCMODE:text?']
query: db2pd -db <database> -hadr
references:
  - IBM documentation of hadr_spool_limit (r0059155)
why: >-
  A reorganization, a large DELETE or an index build is replayed more slowly than it was logged. With spooling the
  standby writes the log to disk and replays it later. AUTOMATIC is the default since 10.5; upgrades keep 0.
not_if: >-
  A limit is set, or AUTOMATIC; pending; no HADR, or the role is not known; SUPERASYNC, which never waits; before
  10.5.
note: >-
  The replay of a long spool delays a takeover: a site that limits the takeover time may want 0.
---*/
SELECT
    S.NUM AS HADR_SPOOL_LIMIT,
    M.VALUE AS HADR_SYNCMODE
FROM TUNE.SETTING AS S
INNER JOIN TUNE.SETTING AS R ON R.SCOPE = 'DB' AND R.NAME = 'hadr_db_role' AND R.VALUE IN ('PRIMARY', 'STANDBY')
LEFT JOIN TUNE.SETTING AS M ON M.SCOPE = 'DB' AND M.NAME = 'hadr_syncmode'
WHERE
    S.SCOPE = 'DB' AND S.NAME = 'hadr_spool_limit' AND S.FIXED = 1 AND S.NUM = 0
    AND COALESCE(M.VALUE, 'NEARSYNC') <> 'SUPERASYNC'
