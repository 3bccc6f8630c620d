/*---
rule: event.disk-full
title: A file system was full
lane: safety
severity: critical
takes_effect: immediately
judged_by: config
needs: [event.CODE]
object: DATABASE
confidence: 0.6
actions:
  - {include: event-steps}
finding:
  - {include: event-report}
  - {when: FULL_PATH IS NOT NULL, text: 'The file system of {FULL_PATH:text} has {FREE_MB} of {SIZE_MB} MB left.'}
evidence: [CODE:text, OCCURRENCES, 'LAST_TIME:text?', 'member=MEMBER?', 'APPLICATION_HANDLE=HANDLE?',
  'APPLICATION_ID:text?', 'OBJECT_NAME:text?', 'FUNCTION_NAME:text?', 'MESSAGE:text?', 'LOGPATH:text?',
  'path=FULL_PATH:text?', 'free_MB=FREE_MB?', 'size_MB=SIZE_MB?']
query: >-
  df -k; db2 get db cfg; SELECT DB_STORAGE_PATH, FS_TOTAL_SIZE, FS_USED_SIZE FROM TABLE(ADMIN_GET_STORAGE_PATHS(NULL,
  -2)) AS T
references:
  - IBM documentation of SQL0968C; APAR LI73164 (SQLO_DISK, DIA8312C)
why: >-
  Statements that need a new page, temporary table or log file fail while the file system is full. A full log path can
  stop the database.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. Temporary tables release their space when the statement fails, so
  the file system may no longer be full.
---*/
WITH ROOM AS (
    SELECT
        SUBSTR(FACT_KEY, 6) AS PATH,
        MAX(CASE WHEN ITEM = 'fs_total_mb' THEN NUM END) AS SIZE_MB,
        MAX(CASE WHEN ITEM = 'fs_free_mb' THEN NUM END) AS FREE_MB
    FROM TUNE.HOST_FACT
    WHERE FACT_KEY LIKE 'path:%'
    GROUP BY HOST, FACT_KEY
    UNION ALL
    SELECT
        DB_STORAGE_PATH AS PATH,
        FS_TOTAL_SIZE / CAST(1048576 AS DOUBLE) AS SIZE_MB,
        (FS_TOTAL_SIZE - FS_USED_SIZE) / CAST(1048576 AS DOUBLE) AS FREE_MB
    FROM TUNE.STORAGE_PLACE
),
FULLEST AS (
    SELECT
        ROOM.*,
        ROW_NUMBER() OVER (ORDER BY CAST(FREE_MB AS DOUBLE) / NULLIF(SIZE_MB, 0), PATH) AS PLACE
    FROM ROOM
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE SIZE_MB > 0 AND 100 * (SIZE_MB - FREE_MB) >= SITE.NEARLY_FULL_PCT * SIZE_MB
)
SELECT
    E.*,
    S1.VALUE AS LOGPATH,
    F.PATH AS FULL_PATH,
    F.FREE_MB,
    F.SIZE_MB
FROM TUNE.EVENT_CLASS AS E
LEFT JOIN TUNE.SETTING AS S1 ON S1.SCOPE = 'DB' AND S1.NAME = 'logpath'
LEFT JOIN FULLEST AS F ON F.PLACE = 1
WHERE E.CLASS = 'disk'
