/*---
rule: storage.path-full
title: The file system of a storage path is nearly full
lane: condition
severity: critical
takes_effect: host change
applies: {not: [managed]}
judged_by: config
needs: [storage_path.FS_TOTAL_SIZE, storage_path.FS_USED_SIZE]
object: DATABASE
confidence: 0.9
thresholds:
  full_pct: {default: 95, from: own, why: of the file system in use}
  max_free_gb: {default: 50, from: own, why: what a very large file system has left in its last part may last for years}
actions:
  - manual: >-
      Enlarge the file system of {PATH:text}, move what else lies there, or add a path to the storage group: ALTER
      STOGROUP {STORAGE_GROUP_NAME:name} ADD '<path>', then ALTER TABLESPACE ... REBALANCE for each of its table spaces,
      at a quiet time.
    undo: {manual: ALTER STOGROUP ... DROP takes a path out again.}
finding:
  - 'The file system of {PATH:text} is {FULL_PCT:1} % full: {FREE_MB} MB are left, and table spaces grow into it.'
  - {when: PATHS > 1, text: '{PATHS} file systems are like that.'}
evidence: [path=PATH:text, stogroup=STORAGE_GROUP_NAME:text, FS_USED_SIZE_pct=FULL_PCT:2, free_MB=FREE_MB,
  file_systems=PATHS]
query: >-
  SELECT STORAGE_GROUP_NAME, DB_STORAGE_PATH, DBPARTITIONNUM, DB_STORAGE_PATH_STATE, FS_TOTAL_SIZE, FS_USED_SIZE FROM
  TABLE(ADMIN_GET_STORAGE_PATHS('', -2)) AS T
references:
  - IBM documentation of ADMIN_GET_STORAGE_PATHS (r0054227) and automatic storage table spaces (c0052377)
why: >-
  Table spaces of automatic storage and temporary tables grow while applications run. Where the file system has no room,
  the statement that needs it ends with SQL0289N or SQL0968C.
not_if: More than 50 GB are left; the path is being dropped.
note: >-
  A file system of several paths is told once where its size and use are the same on all of them. Of containers
  elsewhere storage.container-full tells.
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
    CROSS JOIN TUNE.O_STORAGE_PATH_FULL AS O
    WHERE
        100 * CAST(G.FS_USED_SIZE AS DOUBLE) >= O.FULL_PCT * G.FS_TOTAL_SIZE
        AND G.FS_TOTAL_SIZE - G.FS_USED_SIZE < O.MAX_FREE_GB * 1073741824
)
SELECT
    PATH,
    STORAGE_GROUP_NAME,
    FULL_PCT,
    FREE_MB,
    PATHS
FROM WORST
WHERE PLACE = 1
