-- Whether the installation is complete: a script of the command line processor continues after errors unless an option
-- stops it.
BEGIN
    IF
        (SELECT COUNT(*) FROM TUNE.RULE) <> {rules}
        OR (SELECT COUNT(*) FROM TUNE.COLLECT_COLUMN) <> {columns}
        OR (SELECT COUNT(*) FROM TUNE.MODEL_STEP) <> {steps}
    THEN
        SIGNAL SQLSTATE '70082' SET MESSAGE_TEXT = 'not all rows of the rules are there: run the script again, with -s';
    ELSEIF (SELECT COUNT(*) FROM SYSCAT.ROUTINES WHERE ROUTINESCHEMA = 'TUNE' AND ROUTINETYPE = 'P') < {procedures} THEN
        SIGNAL SQLSTATE '70082' SET MESSAGE_TEXT = 'procedures are missing: run the script again, with -s';
    ELSEIF
        EXISTS (
            SELECT 1 FROM SYSCAT.ROUTINES
            WHERE
                ROUTINESCHEMA = 'TUNE' AND ROUTINETYPE = 'P' AND PRECOMPILE_OPTIONS LIKE '%DYNAMICRULES RUN%'
                AND ROUTINENAME NOT IN ('STEP', 'READ_SOURCE') AND SUBSTR(ROUTINENAME || '  ', 1, 2) <> 'S_'
        )
    THEN
        SIGNAL SQLSTATE '70082' SET MESSAGE_TEXT = 'procedures run with the rights of their callers: run it with -s';
    END IF;
END
