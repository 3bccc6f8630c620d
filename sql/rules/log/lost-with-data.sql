/*---
rule: log.lost-with-data
title: One disk failure loses data and log
lane: safety
severity: high
takes_effect: database reactivation
applies: {not: [purescale]}
steps_need: logpath
judged_by: host
needs: [dbcfg.VALUE, host.device, host.raid_level, container.CONTAINER_NAME, system.HOST_NAME]
object: DATABASE
member: MEMBER
confidence: 0.6
defers_to:
  - {rule: log.shares-data-device, within: object, only_if_larger: true}
actions:
  - manual: >-
      Keep a second copy of the log on another disk: UPDATE DB CFG FOR {DB_NAME:alias} USING MIRRORLOGPATH
      /path/on/another/disk. It costs a second write per commit. Or move the log there with NEWLOGPATH. Both take effect
      at the next activation.
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:alias} USING MIRRORLOGPATH {MIRROR:path|NULL}'}
finding: >-
  Log {LOGPATH:text} and data are on {DEVICE:text}, which has no redundancy. One disk failure loses all commits since
  the last archived log file.
evidence: [LOGPATH:text, device=DEVICE:text, raid_level=RAID_LEVEL:text, LOGARCHMETH1:text]
query: df -h <LOGPATH>; SELECT DISTINCT CONTAINER_NAME FROM TABLE(MON_GET_CONTAINER(NULL, -2)) AS T; lsblk -s
references:
  - IBM documentation of mirrorlogpath (r0005781) and "Configuration parameters for database logging" (r0006082)
why: >-
  A restore returns the last backup, and archived logs add changes up to the last full log file. The rest is only in the
  active log, so a failure of the data disks must not reach it.
not_if: >-
  The device is redundant, or its redundancy is not known; a mirror is on another device, or will be; the log is about
  to move; a standby receives the log; logging is circular, so only the last backup is recoverable (log.circular);
  pureScale.
note: log.shares-data-device reports the speed of a log next to data.
---*/
SELECT
    L.MEMBER,
    L.LOGPATH,
    L.DEVICE,
    L.RAID_LEVEL,
    L.LOGARCHMETH1,
    LOGDIR.BACK_PATH AS MIRROR,
    D.DB_NAME
FROM TUNE.LOG_LOSS AS L
LEFT JOIN TUNE.LOG_PATH AS LOGDIR ON L.MEMBER = LOGDIR.MEMBER AND LOGDIR.NAME = 'mirrorlogpath'
CROSS JOIN TUNE.RUN_DATABASE AS D
