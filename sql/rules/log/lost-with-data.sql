/*---
rule: log.lost-with-data
title: One disk that fails takes data and log
lane: condition
severity: high
takes_effect: database reactivation
applies: {not: [purescale, managed]}
judged_by: host
needs: [dbcfg.VALUE, host.device, host.raid_level]
object: DATABASE
member: MEMBER
confidence: 0.6
defers_to:
  - {rule: log.shares-data-device, within: object, only_if_larger: true}
actions:
  - manual: >-
      Keep a second copy of the log on another disk: UPDATE DB CFG FOR {DB_NAME:text} USING MIRRORLOGPATH
      /path/on/another/disk, which costs a second write with each commit; or move it there: NEWLOGPATH. Both wait for
      the next activation.
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:text} USING MIRRORLOGPATH NULL'}
finding: >-
  Log {LOGPATH:text} and data lie on {DEVICE:text}, which survives the loss of no disk: what was committed since the
  last archived log file would be lost with it.
evidence: [LOGPATH:text, device=DEVICE:text, raid_level=RAID_LEVEL:text, LOGARCHMETH1:text]
query: df -h <log path> <container paths>; lsblk -s; db2 get db cfg for <database> | grep -i log
references:
  - IBM documentation of mirrorlogpath (r0006023) and "Configuration parameters for database logging" (r0006082)
why: >-
  A restore brings back the last backup, archived logs what was done until the last of them was full. The rest is in the
  active log alone, which is to lie where a failure of the data does not reach it.
not_if: >-
  The device is redundant, or nobody said that it is not; a mirror lies elsewhere, or is about to; the log is about to
  move; a standby receives the log; logging is circular, where the last backup is what there is anyway (log.circular);
  pureScale; a managed database.
note: How fast the log is beside data is log.shares-data-device's to say.
---*/
SELECT
    L.MEMBER,
    L.LOGPATH,
    L.DEVICE,
    L.RAID_LEVEL,
    L.LOGARCHMETH1,
    D.DB_NAME
FROM TUNE.LOG_LOSS AS L
CROSS JOIN TUNE.RUN_DATABASE AS D
