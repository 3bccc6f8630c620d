-- Every table space on every member in a state that does not end by itself, one row per such state: its name, its
-- meaning and its remedy, with the names of this table space and database filled in (sql/schema/tablespace_states.csv).
-- STATES is their number on the member, PLACE 1 for the table space's state that blocks most. An unknown state has no
-- name.
SELECT
    LASTSPACE.TBSP_NAME,
    LASTSPACE.MEMBER,
    LASTSPACE.TBSP_STATE,
    STATUS.NAME AS STATE_NAME,
    STATUS.MEANS,
    REPLACE(
        REPLACE(
            REPLACE(STATUS.WAY_OUT, '<table space>', '"' || REPLACE(LASTSPACE.TBSP_NAME, '"', '""') || '"'),
            '<database>', WORD.NAME
        ),
        '<number>', CAST(LASTSPACE.TBSP_ID AS VARCHAR(20))
    ) AS WAY_OUT,
    COUNT(STATUS.STATE) OVER (PARTITION BY LASTSPACE.TBSP_NAME, LASTSPACE.MEMBER) AS STATES,
    ROW_NUMBER() OVER (PARTITION BY LASTSPACE.TBSP_NAME ORDER BY STATUS.BIT DESC NULLS LAST, LASTSPACE.MEMBER) AS PLACE
FROM TUNE.L_TABLESPACE AS LASTSPACE
CROSS JOIN TUNE.DATABASE_WORD AS WORD
LEFT JOIN TUNE.TABLESPACE_STATE AS STATUS
    ON STATUS.BLOCKED = 1 AND INSTR('+' || LASTSPACE.TBSP_STATE || '+', '+' || STATUS.STATE || '+') > 0
WHERE
    LASTSPACE.TBSP_STATE <> 'NORMAL'
    AND LENGTH('x' || REPLACE(REPLACE(LASTSPACE.TBSP_STATE, '0', ''), 'x', '')) > 1 -- 0 and 0x0000 are normal
    AND (
        STATUS.STATE IS NOT NULL
        OR NOT EXISTS (
            SELECT 1 FROM TUNE.TABLESPACE_STATE AS OTHER
            WHERE INSTR('+' || LASTSPACE.TBSP_STATE || '+', '+' || OTHER.STATE || '+') > 0
        )
    )
