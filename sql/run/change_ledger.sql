-- The change ledger for people: each change with the time when it was detected (UTC) and, if an earlier run advised it,
-- the rule and the last run that did.
WITH ENTRY AS (
    SELECT
        C.*,
        CASE C.SCOPE
            WHEN 'DB' THEN 'DBCFG:' || UPPER(C.NAME)
            WHEN 'DBM' THEN 'DBMCFG:' || UPPER(C.NAME)
            WHEN 'REG' THEN 'REGISTRY:' || C.NAME
            ELSE C.NAME
        END AS TARGET
    FROM TUNE.CHANGE AS C
),
ADVISED AS (
    SELECT
        R.RUN_ID,
        R.END_ID,
        F.RULE,
        F.TARGET,
        F.PROPOSED_VALUE
    FROM TUNE.RUN AS R
    INNER JOIN TUNE.M_ADVICE AS A ON R.RUN_ID = A.RUN_ID
    INNER JOIN TUNE.M_FINDING AS F
        ON
            A.RUN_ID = F.RUN_ID AND A.RULE = F.RULE AND A.OBJECT_TYPE = F.OBJECT_TYPE
            AND A.OBJECT_NAME = F.OBJECT_NAME
    WHERE A.POSITION IS NOT NULL
)
SELECT
    E.SNAP_ID,
    S.TAKEN_AT,
    E.SCOPE,
    E.MEMBER,
    E.NAME,
    E.OLD_VALUE,
    E.NEW_VALUE,
    MIN(A.RULE) AS CARRIES_OUT,
    MAX(A.RUN_ID) AS ADVISED_IN_RUN
FROM ENTRY AS E
LEFT JOIN TUNE.SNAPSHOT AS S ON E.SNAP_ID = S.SNAP_ID
LEFT JOIN ADVISED AS A
    ON
        A.TARGET IN (E.TARGET, E.TARGET || ':' || CAST(E.MEMBER AS VARCHAR(11)))
        AND E.NEW_VALUE = A.PROPOSED_VALUE
        AND E.SNAP_ID > A.END_ID
GROUP BY E.SNAP_ID, S.TAKEN_AT, E.SCOPE, E.MEMBER, E.NAME, E.OLD_VALUE, E.NEW_VALUE
