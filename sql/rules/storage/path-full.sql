/*---
rule: storage.path-full
title: File system of a storage path is nearly full
lane: safety
severity: critical
takes_effect: host change
steps_need: disks
judged_by: config
needs: [storage_path.FS_TOTAL_SIZE, storage_path.FS_USED_SIZE]
object: DATABASE
confidence: 0.9
actions:
  - manual: >-
      Enlarge the file system of {PATH:text} or move other data off it. Or choose a directory on another file system:
      ALTER STOGROUP {STORAGE_GROUP_NAME:name} ADD '/path/you/chose', then ALTER TABLESPACE with REBALANCE for each of
      its table spaces, at a quiet time.
    undo: {manual: 'ALTER STOGROUP {STORAGE_GROUP_NAME:name} DROP and the added path removes it again.'}
finding:
  - '{FULL_PCT:1} % full: the file system of {PATH:text} has {FREE_MB} MB left, and table spaces grow into it.'
  - {when: PATHS > 1, text: 'This applies to {PATHS} file systems.'}
evidence: [path=PATH:text, stogroup=STORAGE_GROUP_NAME:text, FS_USED_SIZE_pct=FULL_PCT:2, free_MB=FREE_MB,
  file_systems=PATHS]
query: >-
  SELECT STORAGE_GROUP_NAME, DB_STORAGE_PATH, DBPARTITIONNUM, DB_STORAGE_PATH_STATE, FS_TOTAL_SIZE, FS_USED_SIZE FROM
  TABLE(ADMIN_GET_STORAGE_PATHS('', -2)) AS T
references:
  - IBM documentation of ADMIN_GET_STORAGE_PATHS (r0054227) and automatic storage table spaces (c0052377)
why: >-
  Automatic storage table spaces and temporary tables grow while applications run. If the file system is full, the
  statement that needs space fails with SQL0289N or SQL0968C.
not_if: More than 50 GB are left; the path is being dropped.
note: >-
  A file system with several paths is reported once if its size and use are the same on all of them. For other
  containers see storage.container-full.
---*/
WITH ONE_EACH AS (
    SELECT
        DBPARTITIONNUM AS MEMBER,
        FS_TOTAL_SIZE,
        FS_USED_SIZE,
        MAX(STORAGE_GROUP_NAME) AS STORAGE_GROUP_NAME,
        MIN(DB_STORAGE_PATH) AS PATH
    FROM TUNE.D_STORAGE_PATH
    WHERE COALESCE(DB_STORAGE_PATH_STATE, 'IN_USE') <> 'DROP_PENDING' AND FS_TOTAL_SIZE > 0
    GROUP BY DBPARTITIONNUM, FS_TOTAL_SIZE, FS_USED_SIZE
),
WORST AS (
    SELECT
        G.PATH,
        G.STORAGE_GROUP_NAME,
        100 * CAST(G.FS_USED_SIZE AS DOUBLE) / NULLIF(G.FS_TOTAL_SIZE, 0) AS FULL_PCT,
        (G.FS_TOTAL_SIZE - G.FS_USED_SIZE) / CAST(1048576 AS DOUBLE) AS FREE_MB,
        COUNT(*) OVER () AS PATHS,
        ROW_NUMBER() OVER (ORDER BY G.FS_TOTAL_SIZE - G.FS_USED_SIZE, G.PATH, G.MEMBER) AS PLACE
    FROM ONE_EACH AS G
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE
        100 * CAST(G.FS_USED_SIZE AS DOUBLE) >= SITE.FULL_PCT * G.FS_TOTAL_SIZE
        AND G.FS_TOTAL_SIZE - G.FS_USED_SIZE < SITE.FREE_GB * 1073741824
)
SELECT
    PATH,
    STORAGE_GROUP_NAME,
    FULL_PCT,
    FREE_MB,
    PATHS
FROM WORST
WHERE PLACE = 1
