/*---
rule: log.mirror-same-device
title: Log mirror is on the same device as the log
lane: safety
severity: high
takes_effect: database reactivation
steps_need: logpath
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
member: MEMBER
confidence: 0.6
actions:
  - manual: >-
      Choose a directory on other disks: UPDATE DB CFG FOR {DB_NAME:alias} USING MIRRORLOGPATH /path/you/chose. Or drop
      the mirror, which costs a second write per commit: MIRRORLOGPATH NULL
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:alias} USING MIRRORLOGPATH {BACK_PATH:path}'}
finding:
  - choose:
      - when: DEVICE IS NOT NULL
        text: >-
          Log {LOGPATH:text} and mirror {MIRRORLOGPATH:text} are on one device, {DEVICE:text}: a failure loses both.
      - 'Mirror {MIRRORLOGPATH:text} and log {LOGPATH:text} are in one directory: a failure loses both.'
evidence: [LOGPATH:text, MIRRORLOGPATH:text, 'device=DEVICE:text?']
query: df -h <LOGPATH> <MIRRORLOGPATH>; lsblk -s
references:
  - IBM documentation of mirrorlogpath (r0005781) and "Configuration parameters for database logging" (r0006082)
why: >-
  The mirror protects against a failure of the log's disk and deleted log files. On the same disk it only doubles the
  writes.
not_if: >-
  No mirror; they are on different devices; their devices are not known and neither path is inside the other; a path is
  pending.
note: >-
  An array device survives the loss of a disk, but not the loss of the array. A missing mirror is not reported: most
  arrays and standbys protect better.
---*/
WITH PATHS AS (
    SELECT
        L.MEMBER,
        L.VALUE AS LOGPATH,
        M.VALUE AS MIRRORLOGPATH,
        H.HOST_NAME
    FROM TUNE.CONFIG AS L
    INNER JOIN TUNE.CONFIG AS M
        ON L.MEMBER = M.MEMBER AND M.SCOPE = 'DB' AND M.NAME = 'mirrorlogpath' AND M.PENDING = 0
    LEFT JOIN TUNE.HOST AS H ON L.MEMBER = H.MEMBER
    WHERE L.SCOPE = 'DB' AND L.NAME = 'logpath' AND LENGTH(L.VALUE) > 1 AND LENGTH(M.VALUE) > 1
),
PLACED AS (
    SELECT
        P.*,
        -- with a separator at the end: /log1 is not below /log
        REPLACE(REPLACE('|' || P.LOGPATH || '/', '\', '/'), '//', '/') AS LOG_BELOW,
        REPLACE(REPLACE('|' || P.MIRRORLOGPATH || '/', '\', '/'), '//', '/') AS MIRROR_BELOW,
        A.DEVICE,
        B.DEVICE AS MIRROR_DEVICE
    FROM PATHS AS P
    LEFT JOIN TUNE.PLACEMENT AS A ON P.HOST_NAME = A.HOST AND A.KIND = 'path' AND P.LOGPATH = A.NAME
    LEFT JOIN TUNE.PLACEMENT AS B ON P.HOST_NAME = B.HOST AND B.KIND = 'path' AND P.MIRRORLOGPATH = B.NAME
)
SELECT
    P.MEMBER,
    P.LOGPATH,
    P.MIRRORLOGPATH,
    K.BACK_PATH,
    P.DEVICE,
    D.DB_NAME
FROM PLACED AS P
LEFT JOIN TUNE.LOG_PATH AS K ON P.MEMBER = K.MEMBER AND K.NAME = 'mirrorlogpath'
LEFT JOIN TUNE.SETTING AS N ON N.SCOPE = 'DB' AND N.NAME = 'newlogpath' AND N.IS_SET = 1
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE
    N.NAME IS NULL
    AND (
        P.DEVICE = P.MIRROR_DEVICE
        OR (
            (P.DEVICE IS NULL OR P.MIRROR_DEVICE IS NULL)
            AND (
                REPLACE(P.LOG_BELOW, P.MIRROR_BELOW, '') <> P.LOG_BELOW
                OR REPLACE(P.MIRROR_BELOW, P.LOG_BELOW, '') <> P.MIRROR_BELOW
            )
        )
    )
