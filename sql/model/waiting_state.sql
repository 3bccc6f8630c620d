-- Every table space on every member that is in a state which does not end by itself, one row for each such state: its
-- name, what it means, and what ends it, with the names of this table space and database in it (sql/schema/
-- tablespace_states.csv). STATES is how many there are on the member, PLACE 1 for the one of the table space that keeps
-- most out. A state that is not known there has no name.
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
