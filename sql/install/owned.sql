-- What is there already can be replaced by its owner alone: another user is told whose it is before anything changes.
BEGIN
    DECLARE V_OWNER VARCHAR(128);
    DECLARE V_MESSAGE VARCHAR(70);
    SELECT MIN(OWNER) INTO V_OWNER
    FROM (
        SELECT OWNER FROM SYSCAT.TABLES WHERE TABSCHEMA = 'TUNE'
        UNION ALL
        SELECT OWNER FROM SYSCAT.ROUTINES WHERE ROUTINESCHEMA = 'TUNE'
    ) AS X
    WHERE OWNER <> SESSION_USER;
    IF V_OWNER IS NOT NULL THEN
        SET V_MESSAGE = 'schema TUNE is upgraded by its owner ' || CAST(V_OWNER AS VARCHAR(40));
        SIGNAL SQLSTATE '70081' SET MESSAGE_TEXT = V_MESSAGE;
    END IF;
END
