-- Sets whether lengths of text are of bytes (SYSTEM) or characters (CODEUNITS32) in this session, and returns what it was; a
-- database that is not Unicode has no choice (42815). NULL is as the database is configured.
CREATE OR REPLACE PROCEDURE TUNE.STRING_UNITS (IN P_UNITS VARCHAR(11), OUT P_BEFORE VARCHAR(11))
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    DECLARE CONTINUE HANDLER FOR SQLSTATE '42815' BEGIN END;
    SET P_BEFORE = SYSIBM.NLS_STRING_UNITS;
    SET SYSIBM.NLS_STRING_UNITS = P_UNITS;
END
