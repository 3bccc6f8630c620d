-- The database and the server's clock: the instance, the level as VVRRMMFF, the platform, and whether there are several
-- members and of which kind. TAKEN_AT is UTC, so the change to summer time does not count. A part of the level that is
-- not a number counts as 0. The time zone is hours, minutes and seconds in digits: a database with date_compat would
-- take the number itself for days. pureScale is recognized by the counts of the instance, several members and one
-- partition; the other ways to detect it are documented for pureScale alone. With one member it counts as single, since
-- no other member shares data.
WITH ZONE AS (
    SELECT CAST(CURRENT TIMEZONE AS INTEGER) AS HHMMSS FROM SYSIBM.SYSDUMMY1
),
CLOCK AS (
    SELECT CURRENT TIMESTAMP - (HHMMSS / 10000) HOURS - (MOD(HHMMSS, 10000) / 100) MINUTES AS NOW_UTC FROM ZONE
),
INSTANCE AS (
    SELECT
        I.INST_NAME,
        I.NUM_DBPARTITIONS,
        I.NUM_MEMBERS,
        SUBSTR(I.SERVICE_LEVEL, LOCATE(' v', LOWER(I.SERVICE_LEVEL)) + 2) || '.0.0.0.' AS PARTS
    FROM SYSIBMADM.ENV_INST_INFO AS I
),
DOT1 AS (
    SELECT INSTANCE.*, LOCATE('.', PARTS) AS D1
    FROM INSTANCE
),
DOT2 AS (
    SELECT DOT1.*, LOCATE('.', PARTS, D1 + 1) AS D2
    FROM DOT1
),
DOT3 AS (
    SELECT DOT2.*, LOCATE('.', PARTS, D2 + 1) AS D3
    FROM DOT2
),
DOT4 AS (
    SELECT DOT3.*, LOCATE('.', PARTS, D3 + 1) AS D4
    FROM DOT3
),
TOKEN (FACTOR, SAID) AS (
    SELECT 1000000, SUBSTR(PARTS, 1, D1 - 1) FROM DOT4
    UNION ALL
    SELECT 10000, SUBSTR(PARTS, D1 + 1, D2 - D1 - 1) FROM DOT4
    UNION ALL
    SELECT 100, SUBSTR(PARTS, D2 + 1, D3 - D2 - 1) FROM DOT4
    UNION ALL
    SELECT 1, SUBSTR(PARTS, D3 + 1, D4 - D3 - 1) FROM DOT4
),
VERSION AS (
    SELECT
        CAST(SUM(
            FACTOR * CASE
                WHEN
                    LENGTH(SAID) BETWEEN 1 AND 2
                    AND REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
                        'x' || SAID, '0', ''
                    ), '1', ''), '2', ''), '3', ''), '4', ''), '5', ''), '6', ''), '7', ''), '8', ''), '9', '') = 'x'
                    THEN CAST(SAID AS INTEGER)
                ELSE 0
            END
        ) AS INTEGER) AS DB2_LEVEL
    FROM TOKEN
)
SELECT
    C.NOW_UTC AS TAKEN_AT,
    CAST(DAYS(C.NOW_UTC) - DAYS('1970-01-01') AS DOUBLE) * 86400 + MIDNIGHT_SECONDS(C.NOW_UTC)
    + CAST(MICROSECOND(C.NOW_UTC) AS DOUBLE) / 1000000 AS EPOCH_S,
    CAST(RTRIM(CURRENT SERVER) AS VARCHAR(128)) AS DB_NAME,
    S.HOST_NAME,
    L.INST_NAME AS INSTANCE_NAME,
    V.DB2_LEVEL,
    CAST(CASE
        WHEN UPPER(S.OS_NAME) LIKE 'AIX%' THEN 'AIX'
        WHEN UPPER(S.OS_NAME) LIKE 'WIN%' THEN 'Windows'
        WHEN UPPER(S.OS_NAME) LIKE 'HP%' THEN 'HP-UX'
        WHEN UPPER(S.OS_NAME) LIKE 'SUN%' OR UPPER(S.OS_NAME) LIKE 'SOL%' THEN 'Solaris'
        ELSE 'Linux'
    END AS VARCHAR(20)) AS PLATFORM,
    CAST(CASE
        WHEN L.NUM_DBPARTITIONS > 1 THEN 'dpf'
        WHEN L.NUM_MEMBERS > 1 THEN 'purescale'
        ELSE 'single'
    END AS VARCHAR(20)) AS TOPOLOGY
FROM DOT4 AS L
CROSS JOIN VERSION AS V
CROSS JOIN SYSIBMADM.ENV_SYS_INFO AS S
CROSS JOIN CLOCK AS C
