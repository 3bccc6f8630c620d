-- rule:       log.path-short
-- title:      The log's file system has no room for the secondary log files
-- area:       log
-- lane:       C
-- severity:   medium
-- effect:     HR
-- applies:    not=purescale,managed
-- judged-by:  config
-- confidence: 0.6
-- yields:     storage.path-full@object
-- needs:      storage_path.FS_TOTAL_SIZE, storage_path.FS_USED_SIZE, dbcfg.VALUE, transaction_log.SEC_LOGS_ALLOCATED
-- object:     DATABASE
-- by-hand:    Enlarge the file system of {LOGPATH:text} or move what else lies there; or give the log one of its own,
--             which waits for the next activation: UPDATE DB CFG FOR {DB_NAME:text} USING NEWLOGPATH <path>.
-- undo-by-hand: UPDATE DB CFG FOR {DB_NAME:text} USING NEWLOGPATH {LOGPATH:path}, before that, leaves the log where it
--             is.
-- finding:    {FILES} secondary log files may still be made, {NEED_MB} MB, and the file system of storage path
--             {PATH:text}, where the log lies, has {FREE_MB} MB left: data grows into it as well.
-- evidence:   LOGPATH:text, DB_STORAGE_PATH=PATH:text, free_MB=FREE_MB, LOGSECOND, SEC_LOGS_ALLOCATED, LOGFILSIZ,
--             member=MEMBER
-- look-at:    df -h <log path>; db2pd -db <database> -logs
-- source:     IBM documentation of logsecond (r0000241), ADMIN_GET_STORAGE_PATHS (r0054227) and SQL0964C
-- why:        Secondary files are made when the primary ones are used up, by a long transaction, and not before. Where
--             there is no room then, whoever writes is rolled back as if the log were full, although its settings say
--             that it is not.
-- not-if:     They fit; they are there already; the log does not lie below a storage path, or on another device all the
--             same; logging is infinite (LOGSECOND -1); a size or a path waits; the file system is that full that
--             storage.path-full says it; pureScale; a managed database.
-- note:       No function of Db2 tells how full the file system of the log is. It is known where the log lies below a
--             storage path, as in the directory of the database. Files that wait to be archived need room, too.
WITH BELOW AS (
    SELECT
        L.MEMBER,
        L.VALUE AS LOGPATH,
        S.DB_STORAGE_PATH,
        S.FS_TOTAL_SIZE - S.FS_USED_SIZE AS FREE_BYTES,
        ROW_NUMBER() OVER (PARTITION BY L.MEMBER ORDER BY LENGTH(S.DB_STORAGE_PATH) DESC, S.DB_STORAGE_PATH) AS PLACE
    FROM TUNE.CONFIG AS L
    INNER JOIN TUNE.STORAGE_PLACE AS S
        ON
            L.MEMBER = S.MEMBER AND LENGTH(S.DB_STORAGE_PATH) > 1
            AND SUBSTR(L.VALUE, 1, LENGTH(S.DB_STORAGE_PATH)) = S.DB_STORAGE_PATH
            AND SUBSTR(L.VALUE, LENGTH(S.DB_STORAGE_PATH) + 1, 1) IN ('/', '\')
    LEFT JOIN TUNE.LOG_DEVICE AS V ON L.MEMBER = V.MEMBER
    WHERE L.SCOPE = 'DB' AND L.NAME = 'logpath' AND COALESCE(V.DEVICE, S.DEVICE, '') = COALESCE(S.DEVICE, V.DEVICE, '')
),
SIZED AS (
    SELECT
        B.*,
        F.NUM AS LOGFILSIZ,
        S.NUM AS LOGSECOND,
        T.SEC_LOGS_ALLOCATED,
        S.NUM - T.SEC_LOGS_ALLOCATED AS FILES,
        CAST(4096 AS DOUBLE) * F.NUM * (S.NUM - T.SEC_LOGS_ALLOCATED) AS NEED_BYTES,
        ROW_NUMBER() OVER (ORDER BY B.FREE_BYTES, B.MEMBER) AS WORST
    FROM BELOW AS B
    INNER JOIN TUNE.D_TRANSACTION_LOG AS T ON B.MEMBER = T.MEMBER
    INNER JOIN TUNE.SETTING AS F ON F.SCOPE = 'DB' AND F.NAME = 'logfilsiz' AND F.FIXED = 1 AND F.NUM > 0
    INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'logsecond' AND S.FIXED = 1 AND S.NUM > 0
    LEFT JOIN TUNE.SETTING AS N ON N.SCOPE = 'DB' AND N.NAME = 'newlogpath' AND N.IS_SET = 1
    WHERE
        B.PLACE = 1 AND N.NAME IS NULL
        AND B.FREE_BYTES < CAST(4096 AS DOUBLE) * F.NUM * (S.NUM - T.SEC_LOGS_ALLOCATED)
)
SELECT
    Z.MEMBER,
    Z.LOGPATH,
    Z.DB_STORAGE_PATH AS PATH,
    Z.LOGFILSIZ,
    Z.LOGSECOND,
    Z.SEC_LOGS_ALLOCATED,
    Z.FILES,
    Z.NEED_BYTES / CAST(1048576 AS DOUBLE) AS NEED_MB,
    Z.FREE_BYTES / CAST(1048576 AS DOUBLE) AS FREE_MB,
    D.DB_NAME
FROM SIZED AS Z
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE Z.WORST = 1
