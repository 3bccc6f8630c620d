-- The database's name as a word that a shell and the command line processor read alike, one row: letters, digits and _.
-- For any other name the texts keep <database>.
SELECT
    CASE
        WHEN
            REPLACE(DB_NAME, '!', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '"', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '#', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '$', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '%', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '&', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '''', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '(', '__') <> DB_NAME
            OR REPLACE(DB_NAME, ')', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '*', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '+', '__') <> DB_NAME
            OR REPLACE(DB_NAME, ',', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '-', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '.', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '/', '__') <> DB_NAME
            OR REPLACE(DB_NAME, ':', '__') <> DB_NAME
            OR REPLACE(DB_NAME, ';', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '<', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '=', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '>', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '?', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '[', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '\', '__') <> DB_NAME
            OR REPLACE(DB_NAME, ']', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '^', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '`', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '|', '__') <> DB_NAME
            OR REPLACE(DB_NAME, '~', '__') <> DB_NAME
            OR REPLACE(DB_NAME, ' ', '__') <> DB_NAME
            OR REPLACE(DB_NAME, CHR(64), '__') <> DB_NAME
            OR REPLACE(DB_NAME, CHR(123), '__') <> DB_NAME
            OR REPLACE(DB_NAME, CHR(125), '__') <> DB_NAME
            THEN '<database>'
        ELSE DB_NAME
    END AS NAME
FROM TUNE.RUN_DATABASE
