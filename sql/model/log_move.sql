-- The members whose transaction log can be moved, with the command that does it and the one that moves it
-- back. NEW_PATH comes from the host fact logtarget/path, to which the member number is appended when the
-- database is partitioned; without the fact it is NULL and the texts are for a person. A member whose log
-- already lies there, or that has a NEWLOGPATH waiting, is not listed. From 10.1 Db2 appends the database
-- partition and log stream (NODE0000/LOGSTREAM0000/) to a log path itself, so OLD_PATH is without them.
-- The clause that names one member is MEMBER, and DBPARTITIONNUM before 10.1.
WITH SETTING AS (
    SELECT
        MEMBER,
        NAME,
        CAST(VALUE AS VARCHAR(255)) AS VALUE,
        LENGTH('x' || COALESCE(VALUE, '') || COALESCE(NEXT_VALUE, '')) AS EXTENT
    FROM TUNE.CONFIG
    WHERE SCOPE = 'DB' AND NAME IN ('logpath', 'newlogpath')
),
TARGET AS (
    SELECT
        HOST,
        CAST(VALUE AS VARCHAR(255)) AS VALUE
    FROM TUNE.HOST_FACT
    WHERE FACT_KEY = 'logtarget' AND ITEM = 'path'
),
PATH AS (
    SELECT
        L.MEMBER,
        L.VALUE AS LOGPATH,
        CASE
            WHEN L.VALUE LIKE '%_NODE_____LOGSTREAM_____' THEN SUBSTR(L.VALUE, 1, LENGTH(L.VALUE) - 23)
            ELSE L.VALUE
        END AS OLD_PATH,
        F.VALUE || CASE WHEN D.TOPOLOGY = 'single' THEN '' ELSE CAST(L.MEMBER AS VARCHAR(20)) END AS NEW_PATH,
        'UPDATE DB CFG FOR ' || D.DB_NAME
        || CASE
            WHEN D.TOPOLOGY = 'single' THEN ''
            WHEN D.DB2_LEVEL < 10010000 THEN ' DBPARTITIONNUM ' || CAST(L.MEMBER AS VARCHAR(20))
            ELSE ' MEMBER ' || CAST(L.MEMBER AS VARCHAR(20))
        END || ' USING NEWLOGPATH ' AS COMMAND
    FROM SETTING AS L
    CROSS JOIN TUNE.RUN_DATABASE AS D
    LEFT JOIN SETTING AS N ON L.MEMBER = N.MEMBER AND N.NAME = 'newlogpath'
    LEFT JOIN TUNE.HOST AS H ON L.MEMBER = H.MEMBER
    LEFT JOIN TARGET AS F ON H.HOST_NAME = F.HOST
    WHERE L.NAME = 'logpath' AND LENGTH(L.VALUE) > 0 AND COALESCE(N.EXTENT, 1) = 1
),
QUOTED AS (
    SELECT
        PATH.*,
        CASE
            WHEN REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
                OLD_PATH, ' ', ''), ';', ''), '"', ''), '''', ''), CHR(10), '') = OLD_PATH
                THEN OLD_PATH
            ELSE '"' || REPLACE(OLD_PATH, '"', '""') || '"'
        END AS OLD_TEXT,
        CASE
            WHEN REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
                NEW_PATH, ' ', ''), ';', ''), '"', ''), '''', ''), CHR(10), '') = NEW_PATH
                THEN NEW_PATH
            ELSE '"' || REPLACE(NEW_PATH, '"', '""') || '"'
        END AS NEW_TEXT
    FROM PATH
)
SELECT
    MEMBER,
    LOGPATH,
    OLD_PATH,
    NEW_PATH,
    COALESCE(
        COMMAND || NEW_TEXT,
        '-- choose a file system on a device of its own, then: ' || COMMAND || '<path>'
    ) AS ACTION_TEXT,
    CASE WHEN NEW_PATH IS NULL THEN '-- back to where it was: ' ELSE '' END || COMMAND || OLD_TEXT AS UNDO_TEXT
FROM QUOTED
WHERE NEW_PATH IS NULL OR REPLACE('|' || LOGPATH, '|' || NEW_PATH, '') = '|' || LOGPATH
