-- Refuses a schema that another user owns or can change: that user's objects would run with the installer's rights.
BEGIN
    DECLARE V_MESSAGE VARCHAR(1000);
    FOR O AS
        {others}
    DO
        SET V_MESSAGE = O.FOUND;
        SIGNAL SQLSTATE '70081' SET MESSAGE_TEXT = V_MESSAGE;
    END FOR;
END
