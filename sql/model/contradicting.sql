-- The contradictions among settings (sql/schema/contradictions.csv) in this database, one row each, numbered for the
-- database and for the instance: both settings with their values, the meaning and the remedy. A contradiction is left
-- out if one of its settings is pending or differs between members.
WITH STATE AS (
    SELECT
        S.SCOPE,
        S.NAME,
        S.VALUE,
        S.NUM,
        CASE WHEN S.AUTOMATIC = 1 THEN 'AUTOMATIC' WHEN S.IS_SET = 0 THEN 'EMPTY' ELSE UPPER(S.VALUE) END AS IS_NOW,
        CASE
            WHEN S.AUTOMATIC = 1 THEN 'AUTOMATIC'
            WHEN S.NUM > 1 THEN 'MANY'
            WHEN S.NUM = 1 THEN 'ONE'
            WHEN S.NUM IS NULL AND S.IS_SET = 1 THEN 'SET'
            ELSE 'OTHER'
        END AS KIND
    FROM TUNE.SETTING AS S
    WHERE S.SCOPE IN ('DB', 'DBM') AND S.PENDING = 0 AND (S.DIFFERS = 0 OR S.IS_SET = 0)
)
SELECT
    C.SCOPE,
    UPPER(C.NAME) AS SETTING_NAME,
    A.VALUE AS OLD_VALUE,
    UPPER(C.UNDER_NAME) AS OTHER_NAME,
    B.VALUE AS OTHER_VALUE,
    C.MEANING,
    C.REMEDY,
    ROW_NUMBER() OVER (PARTITION BY C.SCOPE ORDER BY C.NAME, C.UNDER_NAME, C.STATES) AS PLACE
FROM TUNE.CONTRADICTION AS C
INNER JOIN STATE AS A
    ON
        C.SCOPE = A.SCOPE AND C.NAME = A.NAME
        AND (
            REPLACE(' ' || C.STATES || ' ', ' ' || A.IS_NOW || ' ', '') <> ' ' || C.STATES || ' '
            OR REPLACE(' ' || C.STATES || ' ', ' ' || A.KIND || ' ', '') <> ' ' || C.STATES || ' '
        )
INNER JOIN STATE AS B
    ON
        C.UNDER_SCOPE = B.SCOPE AND C.UNDER_NAME = B.NAME
        AND (
            REPLACE(' ' || C.UNDER_STATES || ' ', ' ' || B.IS_NOW || ' ', '') <> ' ' || C.UNDER_STATES || ' '
            OR REPLACE(' ' || C.UNDER_STATES || ' ', ' ' || B.KIND || ' ', '') <> ' ' || C.UNDER_STATES || ' '
        )
LEFT JOIN STATE AS E ON C.UNDER_SCOPE = E.SCOPE AND C.ALSO_NAME = E.NAME
WHERE
    (C.ALSO_NAME IS NULL OR C.ALSO_STATES = E.IS_NOW)
    AND (C.TIMES IS NULL OR C.TIMES * A.NUM > B.NUM)
