-- The database's name as others read it, one row. NAME is a word that a shell and the command line processor read
-- alike: letters, digits and _; for any other name the texts keep <database>. ALIAS is for the command line processor:
-- in double quotes if Db2 does not accept it as an alias.
WITH COUNTED AS (
    SELECT
        DB.DB_NAME,
        SUM(
            CASE
                WHEN
                    INSTR(
                        'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_#$' || CHR(64),
                        SUBSTR(DB.DB_NAME, CHARACTERS.PLACE, 1)
                    ) = 0
                    THEN 1
                ELSE 0
            END
        ) AS OTHERS
    FROM TUNE.RUN_DATABASE AS DB
    LEFT JOIN TUNE.CHARACTER_PLACE AS CHARACTERS ON LENGTH(DB.DB_NAME) >= CHARACTERS.PLACE
    GROUP BY DB.DB_NAME
)
SELECT
    CASE
        WHEN OTHERS > 0 OR INSTR(DB_NAME, '#') + INSTR(DB_NAME, '$') + INSTR(DB_NAME, CHR(64)) > 0 THEN '<database>'
        ELSE DB_NAME
    END AS NAME,
    CASE WHEN OTHERS > 0 THEN '"' || REPLACE(DB_NAME, '"', '""') || '"' ELSE DB_NAME END AS ALIAS
FROM COUNTED
