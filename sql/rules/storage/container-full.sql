/*---
rule: storage.container-full
title: File system of growing containers is nearly full
lane: safety
severity: critical
takes_effect: host change
steps_need: disks
judged_by: config
needs: [container.CONTAINER_NAME, tablespace.TBSP_TYPE]
object: DATABASE
confidence: 0.9
actions:
  - manual: Enlarge the file system of {PATH:text}, or move other data off it.
finding:
  - >-
    {FULL_PCT:1} % full: the file system of {PATH:text} has {FREE_MB} MB left. Table space {TBSP_NAME:text} grows into
    it[ with {MORE} others].
  - {when: PATHS > 1, text: 'This applies to {PATHS} file systems.'}
evidence: [container=PATH:text, tablespace=TBSP_NAME:text, FS_USED_SIZE_pct=FULL_PCT:2, free_MB=FREE_MB,
  file_systems=PATHS]
query: >-
  SELECT TBSP_NAME, CONTAINER_NAME, MEMBER, FS_TOTAL_SIZE, FS_USED_SIZE FROM TABLE(MON_GET_CONTAINER('', -2)) AS T ORDER
  BY FS_TOTAL_SIZE - FS_USED_SIZE
references:
  - IBM documentation of MON_GET_CONTAINER (r0053941) and automatic storage table spaces (c0052377)
why: >-
  Automatic storage and SMS table spaces, temporary tables and AUTORESIZE containers grow while applications run. If the
  file system is full, the statement that needs space fails with SQL0289N or SQL0968C.
not_if: >-
  More than 50 GB are left; the file system holds only containers of fixed size, which may fill it; it also holds a
  storage path (storage.path-full).
note: >-
  File systems are distinguished by their size and use. Db2 reports whether a table space uses automatic storage;
  otherwise the container name shows it (<path>/<instance>/NODE0000/<database>/T0000004/C0000000.LRG).
---*/
WITH GROWING AS (
    SELECT
        C.CONTAINER_NAME,
        C.MEMBER,
        C.FS_TOTAL_SIZE,
        C.FS_USED_SIZE,
        T.TBSP_NAME
    FROM TUNE.L_CONTAINER AS C
    INNER JOIN TUNE.L_TABLESPACE AS T ON C.TBSP_NAME = T.TBSP_NAME AND C.MEMBER = T.MEMBER
    WHERE
        C.FS_TOTAL_SIZE > 0
        AND COALESCE(C.CONTAINER_TYPE, 'FILE') <> 'FILE_REMOTE'
        AND (
            T.TBSP_TYPE = 'SMS'
            OR (T.TBSP_AUTO_RESIZE_ENABLED = 1 AND C.CONTAINER_TYPE LIKE 'FILE%')
            OR (
                COALESCE(T.TBSP_AUTO_RESIZE_ENABLED, 1) = 1
                AND COALESCE(
                    T.TBSP_USING_AUTO_STORAGE,
                    CASE WHEN C.CONTAINER_NAME LIKE '/%/NODE0%/%/T0%/C0%.%' THEN 1 ELSE 0 END
                ) = 1
            )
        )
),
ONE_EACH AS (
    SELECT
        MEMBER,
        FS_TOTAL_SIZE,
        FS_USED_SIZE,
        MIN(CONTAINER_NAME) AS PATH,
        MIN(TBSP_NAME) AS TBSP_NAME,
        COUNT(DISTINCT TBSP_NAME) AS SPACES
    FROM GROWING
    GROUP BY MEMBER, FS_TOTAL_SIZE, FS_USED_SIZE
),
WORST AS (
    SELECT
        G.PATH,
        G.TBSP_NAME,
        NULLIF(G.SPACES - 1, 0) AS MORE,
        100 * CAST(G.FS_USED_SIZE AS DOUBLE) / NULLIF(G.FS_TOTAL_SIZE, 0) AS FULL_PCT,
        (G.FS_TOTAL_SIZE - G.FS_USED_SIZE) / CAST(1048576 AS DOUBLE) AS FREE_MB,
        COUNT(*) OVER () AS PATHS,
        ROW_NUMBER() OVER (ORDER BY G.FS_TOTAL_SIZE - G.FS_USED_SIZE, G.PATH, G.MEMBER) AS PLACE
    FROM ONE_EACH AS G
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE
        100 * CAST(G.FS_USED_SIZE AS DOUBLE) >= SITE.FULL_PCT * G.FS_TOTAL_SIZE
        AND G.FS_TOTAL_SIZE - G.FS_USED_SIZE < SITE.FREE_GB * 1073741824
        AND NOT EXISTS (
            SELECT 1
            FROM TUNE.D_STORAGE_PATH AS P
            WHERE
                P.DBPARTITIONNUM = G.MEMBER AND P.FS_TOTAL_SIZE = G.FS_TOTAL_SIZE AND P.FS_USED_SIZE = G.FS_USED_SIZE
        )
)
SELECT
    PATH,
    TBSP_NAME,
    MORE,
    FULL_PCT,
    FREE_MB,
    PATHS
FROM WORST
WHERE PLACE = 1
