/*---
rule: log.disk-latency-high
title: Commits wait for a slow log device
lane: performance
severity: low
takes_effect: database reactivation
applies: {not: [purescale]}
judged_by: rates
needs: [transaction_log.LOG_WRITE_TIME, transaction_log.NUM_LOG_WRITE_IO]
needs_timed: [workload.LOG_DISK_WAIT_TIME]
exclusive: log-path
object: DATABASE
member: MEMBER
claims: {LOG_DISK: {events: WAITS, cost_ms: SPARED_MS}}
recover: [0.5, 0.9, 1]
confidence: CONFIDENCE
thresholds:
  min_commits_per_s:
    default: 1
    from: own
    why: 'commits or log writes per second; with fewer, log waits must take 3 % of the time'
  unknown_ms:
    default: 2.5
    from: field
    why: 'unknown medium: flash, array caches and clouds are faster'
actions:
  - {include: log-move}
  - when: OWN_DEVICE = 1
    takes_effect: host change
    manual: >-
      Give the log faster storage than {DEVICE:text}, with fewer milliseconds per write. No data is on that device, so
      another directory on storage of its kind gains nothing.
  - when: LOG_FIXED = 1
    manual: Give the log faster storage, with more operations per second. The platform does not move it.
  - when: BACK_PATH IS NULL AND LOG_FIXED = 0 AND OWN_DEVICE = 0
    manual: >-
      Find the path of the log (GET DB CFG FOR {DB_NAME:alias} SHOW DETAIL) and the device behind it. Move the log to a
      faster device of its own with NEWLOGPATH.
finding:
  - A log write takes {MS_PER_WRITE:1} ms; {TARGET_MS:1} ms is usual.
  - choose:
      - {when: LOG_DISK_PCT IS NOT NULL, text: 'Commits waited {LOG_DISK_PCT:1} % of database time for log writes.'}
      - >-
        {NUM_LOG_WRITE_IO} log writes, {WRITES_PER_S:1} per second. The waits' share of database time is unknown.
evidence: ['LOGPATH:text?', medium=MEDIUM:text, ms_per_write=MS_PER_WRITE:2, bound_ms=BOUND_MS:2, NUM_LOG_WRITE_IO,
  NUM_LOG_PART_PAGE_IO, 'LOG_DISK_WAIT_TIME_pct=LOG_DISK_PCT:2?']
query: SELECT MEMBER, LOG_WRITE_TIME, NUM_LOG_WRITE_IO FROM TABLE(MON_GET_TRANSACTION_LOG(-2)) AS T
references:
  - system-z, "Optimizing the log I/O is key"
  - vmware-netapp, logs on SSD
  - milliseconds per write as in IBM's db2mon
why: A commit returns when its log records are on disk. Every transaction that changes data pays for this write.
not_if: >-
  Writes are as fast as the medium allows (then see log.commit-pattern); the logger waits for the standby
  (log.hadr-wait); another path is pending.
note: >-
  The medium comes from the host facts of LOGPATH's device: not rotating is flash, several data disks are an array. If
  unknown, a limit between flash and disks applies, with less confidence. log.shares-data-device has the same target;
  the better score is shown. A log whose device holds no data needs faster storage, not another path, unless the host
  facts name a target. If database time is unknown, Db2 must write the log at least once per second. The new path
  needs (LOGPRIMARY + LOGSECOND) x (LOGFILSIZ + 2) x 4 KB, and redundancy.
---*/
WITH MEDIUM AS (
    SELECT
        G.MEMBER,
        G.MEDIUM,
        G.DEVICE,
        G.DATA_TOO,
        G.MS_PER_WRITE,
        G.NUM_LOG_WRITE_IO,
        G.LOGPATH,
        COALESCE(G.NUM_LOG_PART_PAGE_IO, 0) AS NUM_LOG_PART_PAGE_IO,
        G.WAITS,
        G.WAIT_MS,
        CASE G.MEDIUM
            WHEN 'flash' THEN SITE.LOG_MS_FLASH
            WHEN 'array' THEN SITE.LOG_MS_ARRAY
            WHEN 'disk' THEN SITE.LOG_MS_DISK
            ELSE O.UNKNOWN_MS
        END AS BOUND_MS,
        CASE G.MEDIUM
            WHEN 'flash' THEN CONST.LOG_FLASH_MS
            WHEN 'disk' THEN CONST.LOG_DISK_MS
            ELSE CONST.LOG_ARRAY_MS
        END AS TARGET_MS
    FROM TUNE.LOG AS G
    CROSS JOIN TUNE.JUDGED_TIME AS J
    CROSS JOIN TUNE.O_LOG_DISK_LATENCY_HIGH AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        J.RULE = 'log.disk-latency-high'
        AND G.NUM_LOG_WRITE_IO >= CONST.ENOUGH_EVENTS
        AND (G.LOG_DISK_PCT >= SITE.HIGH_PCT OR J.DBT_MS IS NULL)
        AND COALESCE(G.HADR_PART, 0) < CONST.MAIN_PART
),
SLOW AS (
    SELECT
        M.*,
        SUM(M.WAITS) OVER () AS ALL_WAITS,
        -- the time saved per wait, over all members, weighted by their waits
        SUM(M.WAITS * M.WAIT_MS * (1 - CAST(M.TARGET_MS AS DOUBLE) / NULLIF(M.MS_PER_WRITE, 0))) OVER ()
            AS ALL_SPARED_MS
    FROM MEDIUM AS M
    WHERE M.MS_PER_WRITE > M.BOUND_MS
)
SELECT
    S.MEMBER,
    D.DB_NAME,
    M.MEMBER_CLAUSE,
    S.LOGPATH,
    CASE WHEN W.LOG_FIXED = 0 THEN M.OLD_PATH END AS OLD_PATH,
    CASE
        WHEN W.LOG_FIXED = 0 AND (M.NEW_PATH IS NOT NULL OR COALESCE(S.DATA_TOO, 1) = 1) THEN M.BACK_PATH
    END AS BACK_PATH,
    CASE WHEN W.LOG_FIXED = 0 THEN M.NEW_PATH END AS NEW_PATH,
    S.DEVICE,
    CASE WHEN W.LOG_FIXED = 0 AND M.NEW_PATH IS NULL AND S.DATA_TOO = 0 THEN 1 ELSE 0 END AS OWN_DEVICE,
    M.LOG_MB,
    W.LOG_FIXED,
    S.MEDIUM,
    S.MS_PER_WRITE,
    S.BOUND_MS,
    S.TARGET_MS,
    S.NUM_LOG_WRITE_IO,
    S.NUM_LOG_PART_PAGE_IO,
    T.LOG_DISK_PCT,
    S.NUM_LOG_WRITE_IO / CAST(NULLIF(T.SECONDS, 0) AS DOUBLE) AS WRITES_PER_S,
    S.ALL_WAITS AS WAITS,
    CAST(S.ALL_SPARED_MS AS DOUBLE) / NULLIF(S.ALL_WAITS, 0) AS SPARED_MS,
    CASE WHEN S.MEDIUM = 'unknown' THEN 0.6 ELSE 0.9 END AS CONFIDENCE
FROM SLOW AS S
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.JUDGED_TIME AS J
CROSS JOIN TUNE.RUNS_ON AS W
CROSS JOIN TUNE.O_LOG_DISK_LATENCY_HIGH AS O
CROSS JOIN TUNE.O_SITE AS SITE
LEFT JOIN TUNE.LOG_MOVE AS M ON S.MEMBER = M.MEMBER
WHERE
    J.RULE = 'log.disk-latency-high'
    AND (M.MEMBER IS NOT NULL OR S.LOGPATH IS NULL)
    AND (
        T.COMMITS_PER_S >= O.MIN_COMMITS_PER_S OR T.LOG_DISK_PCT >= SITE.SOME_PCT
        OR (J.DBT_MS IS NULL AND S.NUM_LOG_WRITE_IO >= O.MIN_COMMITS_PER_S * T.SECONDS)
    )
