-- The time by bucket, largest first: the share of each time bucket (PCT), the part of it that the list's
-- recommendations claim (CLAIMED_PCT), and the rest. The shares add up to 100, except those of KIND 'beside', which
-- overlap the others. If processor time was measured, NOT_CPU is the part of PROCESSING without it. NOTED is 1 if a big
-- share is a finding by itself, because the list claims less than a quarter of it; then WHAT, CAUSES and LOOK_AT
-- describe it. An unusable interval has no rows, and an idle database nothing NOTED.
WITH GIVEN AS (
    SELECT
        BUCKET,
        SUM(CLAIM_PCT) AS PCT
    FROM TUNE.CHOICE_CLAIM
    GROUP BY BUCKET
),
MEASURED AS (
    SELECT
        B.BUCKET,
        B.MS,
        B.PCT,
        CASE WHEN COALESCE(C.PCT, 0) > B.PCT THEN B.PCT ELSE COALESCE(C.PCT, 0) END AS CLAIMED_PCT
    FROM TUNE.TIME_BUCKET AS B
    CROSS JOIN TUNE.RUN_WINDOW AS W
    LEFT JOIN GIVEN AS C ON B.BUCKET = C.BUCKET
    WHERE W.USABLE = 1
),
QUEUED AS (
    SELECT
        P.MS,
        P.PCT,
        P.CLAIMED_PCT,
        CASE
            WHEN T.CPU_PCT IS NULL OR S.PCT <= T.CPU_PCT THEN 0
            WHEN S.PCT - T.CPU_PCT > P.PCT THEN P.PCT
            ELSE S.PCT - T.CPU_PCT
        END AS NOT_CPU_PCT
    FROM MEASURED AS P
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN (
        SELECT SUM(M.PCT) AS PCT
        FROM MEASURED AS M
        INNER JOIN TUNE.BUCKET AS K ON M.BUCKET = K.BUCKET
        WHERE K.KIND IN ('work', 'overhead')
    ) AS S
    WHERE P.BUCKET = 'PROCESSING'
),
SHARE (BUCKET, MS, PCT, CLAIMED_PCT) AS (
    SELECT BUCKET, CAST(MS AS DOUBLE) AS MS, PCT, CLAIMED_PCT FROM MEASURED WHERE BUCKET <> 'PROCESSING'
    UNION ALL
    SELECT
        'PROCESSING',
        (PCT - NOT_CPU_PCT) * CAST(MS AS DOUBLE) / NULLIF(PCT, 0),
        PCT - NOT_CPU_PCT,
        CASE WHEN CLAIMED_PCT > PCT - NOT_CPU_PCT THEN PCT - NOT_CPU_PCT ELSE CLAIMED_PCT END
    FROM QUEUED
    UNION ALL
    SELECT
        'NOT_CPU',
        NOT_CPU_PCT * CAST(MS AS DOUBLE) / NULLIF(PCT, 0),
        NOT_CPU_PCT,
        CASE WHEN CLAIMED_PCT > PCT - NOT_CPU_PCT THEN CLAIMED_PCT - (PCT - NOT_CPU_PCT) ELSE 0 END
    FROM QUEUED
),
NAMED AS (
    SELECT
        K.BUCKET,
        K.KIND,
        K.TITLE,
        K.WHAT,
        K.CAUSES,
        K.LOOK_AT,
        CAST(ROUND(LEAST(COALESCE(S.MS, 0), 9E18), 0) AS BIGINT) AS MS,
        S.PCT,
        S.CLAIMED_PCT,
        S.PCT - S.CLAIMED_PCT AS UNCLAIMED_PCT,
        CASE
            WHEN
                K.KIND <> 'beside' AND S.PCT >= COALESCE(K.LEAST_PCT, O.UNCLAIMED_PCT) AND 4 * S.CLAIMED_PCT < S.PCT
                AND I.IDLE = 0
                THEN 1
            ELSE 0
        END AS NOTED
    FROM SHARE AS S
    INNER JOIN TUNE.BUCKET AS K ON S.BUCKET = K.BUCKET
    CROSS JOIN TUNE.IDLE_WINDOW AS I
    CROSS JOIN TUNE.O_SITE AS O
)
SELECT
    ROW_NUMBER() OVER (ORDER BY CASE WHEN KIND = 'beside' THEN 1 ELSE 0 END, ROUND(PCT, 6) DESC, BUCKET) AS POSITION,
    BUCKET,
    KIND,
    TITLE,
    MS,
    PCT,
    CLAIMED_PCT,
    UNCLAIMED_PCT,
    NOTED,
    CASE WHEN NOTED = 1 THEN WHAT END AS WHAT,
    CASE WHEN NOTED = 1 THEN CAUSES END AS CAUSES,
    CASE WHEN NOTED = 1 THEN LOOK_AT END AS LOOK_AT
FROM NAMED
