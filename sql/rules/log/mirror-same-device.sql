/*---
rule: log.mirror-same-device
title: The mirror of the log lies beside the log
lane: condition
severity: high
takes_effect: database reactivation
applies: {not: [managed]}
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
member: MEMBER
confidence: 0.6
actions:
  - manual: >-
      Name a path on other disks: UPDATE DB CFG FOR {DB_NAME:text} USING MIRRORLOGPATH /path/on/other/disks; or drop the
      mirror, which costs a second write with each commit: MIRRORLOGPATH NULL
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:text} USING MIRRORLOGPATH {MIRRORLOGPATH:path}'}
finding:
  - choose:
      - when: DEVICE IS NOT NULL
        text: >-
          Log {LOGPATH:text} and mirror {MIRRORLOGPATH:text} lie on one device, {DEVICE:text}: what loses the one loses
          the other.
      - 'Mirror {MIRRORLOGPATH:text} and log {LOGPATH:text} lie in one directory: what loses the one loses the other.'
evidence: [LOGPATH:text, MIRRORLOGPATH:text, 'device=DEVICE:text?']
query: df -h <log path> <mirror path>; lsblk -s
references:
  - IBM documentation of mirrorlogpath (r0006023) and "Configuration parameters for database logging" (r0006082)
why: >-
  The mirror is there for the day on which the log's disk fails or somebody deletes its files. On the same disk it only
  doubles the writing.
not_if: >-
  There is no mirror; they lie on different devices; nobody said on which, and neither path is inside the other; a path
  waits.
note: >-
  A device of an array survives the loss of a disk, but not that of the array. That there is no mirror is no finding:
  most arrays and standbys do better.
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
    P.DEVICE,
    D.DB_NAME
FROM PLACED AS P
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
