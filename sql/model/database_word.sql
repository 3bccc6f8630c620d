-- The database's name as a word that a shell and the command line processor read alike, one row: letters, digits and _.
-- For any other name the texts keep <database>.
SELECT
    CASE
        WHEN
            EXISTS (
                SELECT 1
                FROM TUNE.CHARACTER_PLACE AS CHARACTERS
                WHERE
                    CHARACTERS.PLACE <= LENGTH(DB.DB_NAME)
                    AND INSTR(
                        'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_',
                        SUBSTR(DB.DB_NAME, CHARACTERS.PLACE, 1)
                    ) = 0
            )
            THEN '<database>'
        ELSE DB.DB_NAME
    END AS NAME
FROM TUNE.RUN_DATABASE AS DB
