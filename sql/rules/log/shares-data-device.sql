/*---
rule: log.shares-data-device
title: Log and data share a device
lane: performance
lane_without_claim: condition
severity: low
takes_effect: database reactivation
applies: {not: [purescale]}
steps_need: logpath
judged_by: structure
needs: [dbcfg.VALUE]
exclusive: log-path
object: DATABASE
member: MEMBER
claims: {LOG_DISK: {events: WAITS, cost_ms: SPARED_MS}}
recover: [0.3, 0.5, 0.8]
confidence: CONFIDENCE
actions:
  - {include: log-move}
finding:
  - choose:
      - {when: DEVICE IS NULL, text: 'The log at {LOGPATH:text} is under a storage path of the database.'}
      - The log at {LOGPATH:text} is on device {DEVICE:text}, together with data.
  - {when: LOST = 1, text: 'The device has no redundancy: a failure loses commits since the last archived log file.'}
  - {when: LOG_DISK_PCT > 0, text: 'Commits waited {LOG_DISK_PCT:1} % of database time for log writes.'}
evidence:
  - LOGPATH:text
  - device=DEVICE:text
  - choose:
      - when: MS_PER_WRITE IS NULL
        figures: [ms_per_write=NO_WRITES:text]
      - figures: [ms_per_write=MS_PER_WRITE:2]
  - LOG_DISK_WAIT_TIME_pct=LOG_DISK_PCT:2
query: df <LOGPATH>; SELECT DISTINCT CONTAINER_NAME FROM TABLE(MON_GET_CONTAINER(NULL, -2)) AS T
references:
  - x445, "Isolating logs"
  - system-z, "What to do with log files?"
why: >-
  The log is written sequentially and every commit waits for it. Data reads on the same disks move the heads away in
  between. Losing the device loses data and log together.
not_if: >-
  The device is a pool of many disks and log writes meet their target; another path is pending; the log is at the target
  path; the move gains no time, and log.lost-with-data reports the possible loss.
note: >-
  Log writes that meet their target gain nothing from a separate device: then only the loss of both counts, and no time
  is claimed. If the device is not known, a log under a storage path is assumed to share it, which claims no time. A
  mirror log on the log's device is not judged. NEWLOGPATH needs the space of all log files at the new path; the log
  moves at the next activation.
---*/
WITH SHARED AS (
    SELECT
        M.*,
        V.DEVICE,
        G.MS_PER_WRITE,
        CASE WHEN V.DATA_TOO = 1 THEN 0.6 ELSE 0.3 END AS CONFIDENCE,
        COALESCE(T.LOG_DISK_WAIT_TIME, 0) AS LOG_DISK_WAIT_TIME,
        COALESCE(V.POOLED, '0') AS POOLED,
        G.WAITS,
        G.WAITS * G.WAIT_MS AS WAITED_MS,
        CASE G.MEDIUM
            WHEN 'flash' THEN CONST.LOG_FLASH_MS
            WHEN 'disk' THEN CONST.LOG_DISK_MS
            ELSE CONST.LOG_ARRAY_MS
        END AS TARGET_MS
    FROM TUNE.LOG_MOVE AS M
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN TUNE.LOG_DEVICE AS V ON M.MEMBER = V.MEMBER
    LEFT JOIN TUNE.LOG AS G ON M.MEMBER = G.MEMBER
    LEFT JOIN TUNE.MEMBER_TIME AS T ON M.MEMBER = T.MEMBER
    WHERE
        V.DATA_TOO = 1
        OR (
            V.DEVICE IS NULL
            AND EXISTS (
                SELECT 1
                FROM TUNE.D_STORAGE_PATH AS P
                WHERE
                    P.DBPARTITIONNUM = M.MEMBER
                    AND LENGTH(P.DB_STORAGE_PATH) > 1
                    AND REPLACE('|' || M.LOGPATH, '|' || P.DB_STORAGE_PATH || '/', '') <> '|' || M.LOGPATH
            )
        )
),
JUDGED AS (
    SELECT
        SHARED.*,
        CASE WHEN MS_PER_WRITE > TARGET_MS THEN 1 ELSE 0 END AS SLOW,
        CASE
            WHEN MS_PER_WRITE > TARGET_MS THEN WAITED_MS * (1 - TARGET_MS / CAST(NULLIF(MS_PER_WRITE, 0) AS DOUBLE))
            ELSE 0
        END AS SPARED_MS
    FROM SHARED
),
WHOLE AS (
    SELECT
        S.*,
        SUM(S.WAITS) OVER () AS ALL_WAITS,
        SUM(S.SPARED_MS) OVER () AS ALL_SPARED_MS,
        COALESCE(100 * CAST(SUM(S.LOG_DISK_WAIT_TIME) OVER () AS DOUBLE) / NULLIF(T.DBT_MS, 0), 0) AS LOG_DISK_PCT,
        MIN(S.CONFIDENCE) OVER () AS LEAST_CONFIDENCE,
        MAX(S.SLOW) OVER () AS SOME_SLOW,
        MAX(CASE WHEN S.DEVICE IS NULL THEN 1 ELSE 0 END) OVER () AS NOT_TOLD
    FROM JUDGED AS S
    CROSS JOIN TUNE.DATABASE_TIME AS T
    WHERE S.SLOW = 1 OR S.POOLED <> '1'
)
SELECT
    W.MEMBER,
    W.DB_NAME,
    W.MEMBER_CLAUSE,
    W.LOGPATH,
    W.OLD_PATH,
    W.BACK_PATH,
    W.NEW_PATH,
    W.LOG_MB,
    W.DEVICE,
    W.MS_PER_WRITE,
    'no writes' AS NO_WRITES,
    W.LOG_DISK_PCT,
    W.LEAST_CONFIDENCE AS CONFIDENCE,
    -- a device that is only assumed to be shared claims nothing
    CASE WHEN W.LOG_DISK_PCT >= SITE.TRACE_PCT AND W.SOME_SLOW = 1 AND W.NOT_TOLD = 0 THEN W.ALL_WAITS END AS WAITS,
    CAST(W.ALL_SPARED_MS AS DOUBLE) / NULLIF(W.ALL_WAITS, 0) AS SPARED_MS,
    CASE WHEN X.MEMBER IS NULL THEN 0 ELSE 1 END AS LOST
FROM WHOLE AS W
CROSS JOIN TUNE.O_SITE AS SITE
LEFT JOIN TUNE.LOG_LOSS AS X ON W.MEMBER = X.MEMBER
WHERE X.MEMBER IS NULL OR (W.LOG_DISK_PCT >= SITE.TRACE_PCT AND W.SOME_SLOW = 1)
