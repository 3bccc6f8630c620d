-- rule:       config.contradiction
-- title:      Settings that contradict each other
-- area:       config
-- lane:       C
-- severity:   low
-- effect:     ON
-- applies:    not=managed
-- judged-by:  config
-- confidence: 0.6
-- yields:     memory.stmm-off-or-ineffective@any, stats.stale-or-off@any
-- needs:      dbcfg.VALUE
-- object:     {OBJECT_TYPE:text} {OBJECT_NAME:text}
-- by-hand:    Decide which was meant: {REMEDY:text}
-- undo-by-hand: set {SETTING_NAME:text} to {OLD_VALUE:text|its old value} and {OTHER_NAME:text} to
--             {OTHER_VALUE:text|its old value} again
-- finding:    {MEANINGS:text}.
-- evidence:   contradictions=CONTRADICTIONS
-- look-at:    db2 get db cfg for <database>; db2 get dbm cfg
-- source:     IBM documentation of each setting (sql/schema/contradictions.csv)
-- why:        One of the settings does nothing while the other is as it is. Somebody believes that it does, or forgot to
--             take it back.
-- not-if:     One of them waits, differs between members, or is not known; DB2_WORKLOAD sets it; self-tuning memory or
--             the switches of statistics are advised about by themselves (memory.stmm-off-or-ineffective,
--             stats.stale-or-off).
-- note:       Which of the two is wrong is not written anywhere: no commands. What Db2 refuses anyway is not listed. A value
--             that is a default counts too, where its opposite is none.
WITH STATE AS (
    SELECT
        S.SCOPE,
        S.NAME,
        S.VALUE,
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
),
FOUND AS (
    SELECT
        CASE C.SCOPE WHEN 'DB' THEN 'DATABASE' ELSE 'INSTANCE' END AS OBJECT_TYPE,
        UPPER(C.NAME) AS SETTING_NAME,
        A.VALUE AS OLD_VALUE,
        UPPER(C.UNDER_NAME) AS OTHER_NAME,
        B.VALUE AS OTHER_VALUE,
        C.MEANING,
        C.REMEDY,
        ROW_NUMBER() OVER (PARTITION BY C.SCOPE ORDER BY C.NAME, C.UNDER_NAME) AS PLACE
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
    WHERE C.ALSO_NAME IS NULL OR C.ALSO_STATES = E.IS_NOW
),
LISTED AS (
    SELECT
        OBJECT_TYPE,
        COUNT(*) AS CONTRADICTIONS,
        MAX(CASE WHEN PLACE = 1 THEN MEANING ELSE '' END)
        || MAX(CASE WHEN PLACE = 2 THEN '. ' || MEANING ELSE '' END)
        || MAX(CASE WHEN PLACE = 3 THEN '. ' || MEANING ELSE '' END)
        || MAX(CASE WHEN PLACE = 4 THEN '. ' || MEANING ELSE '' END)
        || CASE WHEN COUNT(*) > 4 THEN '. And ' || CAST(COUNT(*) - 4 AS VARCHAR(20)) || ' more' ELSE '' END AS MEANINGS
    FROM FOUND
    GROUP BY OBJECT_TYPE
)
SELECT
    F.OBJECT_TYPE,
    CASE F.OBJECT_TYPE WHEN 'DATABASE' THEN D.DB_NAME ELSE D.INSTANCE_NAME END AS OBJECT_NAME,
    F.SETTING_NAME,
    F.OLD_VALUE,
    F.OTHER_NAME,
    F.OTHER_VALUE,
    F.REMEDY,
    L.MEANINGS,
    L.CONTRADICTIONS
FROM FOUND AS F
INNER JOIN LISTED AS L ON F.OBJECT_TYPE = L.OBJECT_TYPE
CROSS JOIN TUNE.RUN_DATABASE AS D
