-- The columns that a snapshot omits because they contain data of tables: option statement_text of the site is OFF.
SELECT D.SOURCE, D.COLUMN_NAME
FROM TUNE.COLLECT_COLUMN AS D
CROSS JOIN TUNE.OPTION AS O
WHERE
    D.COLUMN_NAME IN ('STMT_TEXT', 'LOW2KEY', 'HIGH2KEY')
    AND O.RULE = 'site' AND O.NAME = 'statement_text' AND UPPER(O.VALUE) = 'OFF'
