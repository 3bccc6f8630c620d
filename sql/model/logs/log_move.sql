-- The members whose transaction log can be moved. NEW_PATH comes from the host fact logtarget/path, with the member
-- number appended if the database is partitioned; without the fact it is NULL and a person chooses. A member whose log
-- is already there, or that has a pending NEWLOGPATH, is not listed. OLD_PATH and BACK_PATH return the log:
-- BACK_PATH to its disks (TUNE.LOG_PATH), OLD_PATH to its directory, NULL for the default one. MEMBER_CLAUSE names the
-- member in a manual command: MEMBER, before 10.1 DBPARTITIONNUM, NULL with one member. LOG_MB is the size of
-- all its log files; NULL if it is not known.
WITH PATH AS (
    SELECT
        MEMBER,
        NAME,
        CAST(VALUE AS VARCHAR(255)) AS VALUE,
        LENGTH('x' || COALESCE(VALUE, '') || COALESCE(NEXT_VALUE, '')) AS EXTENT
    FROM TUNE.CONFIG
    WHERE SCOPE = 'DB' AND NAME IN ('logpath', 'newlogpath')
),
MOVE AS (
    SELECT
        L.MEMBER,
        DB.DB_NAME,
        CASE
            WHEN DB.TOPOLOGY = 'single' THEN CAST(NULL AS VARCHAR(40))
            WHEN DB.DB2_LEVEL < 10010000 THEN 'DBPARTITIONNUM ' || CAST(L.MEMBER AS VARCHAR(20))
            ELSE 'MEMBER ' || CAST(L.MEMBER AS VARCHAR(20))
        END AS MEMBER_CLAUSE,
        L.VALUE AS LOGPATH,
        CASE WHEN LOGDIR.IS_DEFAULT = 0 THEN LOGDIR.BACK_PATH END AS OLD_PATH,
        LOGDIR.BACK_PATH,
        CEIL(Z.NUM * CAST(P.NUM + GREATEST(0, S.NUM) AS DOUBLE) / 256) AS LOG_MB,
        CAST(FACT.VALUE AS VARCHAR(255))
        || CASE WHEN DB.TOPOLOGY = 'single' THEN '' ELSE CAST(L.MEMBER AS VARCHAR(20)) END AS NEW_PATH
    FROM PATH AS L
    CROSS JOIN TUNE.RUN_DATABASE AS DB
    INNER JOIN TUNE.LOG_PATH AS LOGDIR ON L.MEMBER = LOGDIR.MEMBER AND LOGDIR.NAME = 'logpath'
    LEFT JOIN PATH AS N ON L.MEMBER = N.MEMBER AND N.NAME = 'newlogpath'
    LEFT JOIN TUNE.CONFIG AS Z ON L.MEMBER = Z.MEMBER AND Z.SCOPE = 'DB' AND Z.NAME = 'logfilsiz'
    LEFT JOIN TUNE.CONFIG AS P ON L.MEMBER = P.MEMBER AND P.SCOPE = 'DB' AND P.NAME = 'logprimary'
    LEFT JOIN TUNE.CONFIG AS S ON L.MEMBER = S.MEMBER AND S.SCOPE = 'DB' AND S.NAME = 'logsecond'
    LEFT JOIN TUNE.HOST AS HOST ON L.MEMBER = HOST.MEMBER
    LEFT JOIN TUNE.HOST_FACT AS FACT
        ON HOST.HOST_NAME = FACT.HOST AND FACT.FACT_KEY = 'logtarget' AND FACT.ITEM = 'path'
    WHERE L.NAME = 'logpath' AND LENGTH(L.VALUE) > 0 AND COALESCE(N.EXTENT, 1) = 1
)
SELECT MEMBER, DB_NAME, MEMBER_CLAUSE, LOGPATH, OLD_PATH, BACK_PATH, NEW_PATH, LOG_MB
FROM MOVE
WHERE
    NEW_PATH IS NULL
    -- below it with a separator: /fast10 is not below /fast1
    OR REPLACE(
        REPLACE('|' || LOGPATH || '/', '\', '/'),
        REPLACE(REPLACE('|' || NEW_PATH || '/', '\', '/'), '//', '/'), ''
    ) = REPLACE('|' || LOGPATH || '/', '\', '/')
