/*---
rule: storage.paths-one-device
title: Storage paths of one storage group share a device
lane: condition
severity: low
takes_effect: immediately
risk: medium
applies: {not: [purescale]}
steps_need: storage
judged_by: config
needs: [storage_path.DB_STORAGE_PATH, container.FS_ID]
object: DATABASE
confidence: 0.3
actions:
  - manual: >-
      Choose a directory on separate disks: first ALTER STOGROUP {STORAGE_GROUP_NAME:name} ADD '/path/you/chose', then
      ALTER STOGROUP {STORAGE_GROUP_NAME:name} DROP {PATH:literal} and ALTER TABLESPACE with REBALANCE for each of its
      table spaces, at a quiet time. Or keep one path, and set the number of its disks with DB2_PARALLEL_IO.
    undo: {manual: 'ALTER STOGROUP {STORAGE_GROUP_NAME:name} ADD {PATH:literal}, then REBALANCE again.'}
finding:
  - choose:
      - when: DEVICE IS NULL
        text: >-
          {PATHS} storage paths of {STORAGE_GROUP_NAME:text} share one file system, among them {OTHER_PATH:text} and
          {PATH:text}. Table spaces are striped over the same disks, and all paths become full together.
      - >-
        {PATHS} storage paths of {STORAGE_GROUP_NAME:text} share device {DEVICE:text}, among them {OTHER_PATH:text} and
        {PATH:text}. Table spaces are striped over the same disks.
evidence: [STORAGE_GROUP_NAME:text, paths=PATHS, path=PATH:text, 'device=DEVICE:text?', 'FS_ID:text?']
query: >-
  df <path>; SELECT STORAGE_GROUP_NAME, DB_STORAGE_PATH, FS_TOTAL_SIZE, FS_USED_SIZE FROM
  TABLE(ADMIN_GET_STORAGE_PATHS('', -2)) AS T
references:
  - IBM documentation of automatic storage table spaces (c0052377), storage groups (c0058708) and DB2_PARALLEL_IO
why: >-
  Each path gets a container of each table space, and Db2 treats each container as separate disks: it distributes
  extents in turn, and PREFETCHSIZE AUTOMATIC counts the containers. On the same disks this only causes more head
  movement.
not_if: >-
  Each path has its own file system, or the file system is unknown; the device is flash, part of a pool of many disks,
  or has as many disks as paths; a path is being dropped; pureScale, in which all paths share one file system.
note: 'The containers show the file system of a path: a path without a container is not judged.'
---*/
SELECT
    P.STORAGE_GROUP_NAME,
    P.FS_ID,
    P.DEVICE,
    P.PATHS,
    P.OTHER_PATH,
    P.PATH
FROM (
    SELECT
        S.STORAGE_GROUP_NAME,
        S.FS_ID,
        S.DEVICE,
        COUNT(*) AS PATHS,
        MIN(S.DB_STORAGE_PATH) AS OTHER_PATH,
        MAX(S.DB_STORAGE_PATH) AS PATH,
        ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC, S.STORAGE_GROUP_NAME, S.MEMBER, MAX(S.DB_STORAGE_PATH)) AS N
    FROM (
        SELECT
            STORAGE_GROUP_NAME,
            MEMBER,
            DB_STORAGE_PATH,
            DEVICE,
            CASE WHEN DEVICE IS NULL THEN FS_ID END AS FS_ID,
            DATA_DISKS,
            ROTATIONAL,
            POOLED
        FROM TUNE.STORAGE_PLACE
        WHERE DEVICE IS NOT NULL OR FS_ID IS NOT NULL
    ) AS S
    GROUP BY S.STORAGE_GROUP_NAME, S.MEMBER, S.FS_ID, S.DEVICE
    HAVING
        COUNT(*) > 1
        AND COALESCE(MAX(S.ROTATIONAL), 1) = 1
        AND COALESCE(MAX(S.POOLED), 0) = 0
        AND COALESCE(MAX(S.DATA_DISKS), 1) < COUNT(*)
) AS P
WHERE P.N = 1
