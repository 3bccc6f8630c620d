-- Every table space on every member in a state that does not end by itself, one row per such state: its name, its
-- meaning and its remedy, with the names of this table space and database filled in (sql/schema/tablespace_states.csv).
-- STATES is their number on the member, PLACE 1 for the table space's state that blocks most. An unknown state has no
-- name.
SELECT
    T.TBSP_NAME,
    T.MEMBER,
    T.TBSP_STATE,
    S.NAME AS STATE_NAME,
    S.MEANS,
    REPLACE(
        REPLACE(
            REPLACE(S.WAY_OUT, '<table space>', '"' || REPLACE(T.TBSP_NAME, '"', '""') || '"'),
            '<database>', B.DB_NAME
        ),
        '<number>', CAST(T.TBSP_ID AS VARCHAR(20))
    ) AS WAY_OUT,
    COUNT(S.STATE) OVER (PARTITION BY T.TBSP_NAME, T.MEMBER) AS STATES,
    ROW_NUMBER() OVER (PARTITION BY T.TBSP_NAME ORDER BY S.BIT DESC NULLS LAST, T.MEMBER) AS PLACE
FROM TUNE.L_TABLESPACE AS T
CROSS JOIN TUNE.RUN_DATABASE AS B
LEFT JOIN TUNE.TABLESPACE_STATE AS S
    ON S.BLOCKED = 1 AND INSTR('+' || T.TBSP_STATE || '+', '+' || S.STATE || '+') > 0
WHERE
    T.TBSP_STATE <> 'NORMAL' AND LENGTH(T.TBSP_STATE) > 0
    AND (
        S.STATE IS NOT NULL
        OR NOT EXISTS (
            SELECT 1 FROM TUNE.TABLESPACE_STATE AS K
            WHERE INSTR('+' || T.TBSP_STATE || '+', '+' || K.STATE || '+') > 0
        )
    )
