-- Sets the unit of text lengths in this session, bytes (SYSTEM) or characters (CODEUNITS32), and returns the old unit.
-- A database that is not Unicode allows no change (42815). NULL means the database's configuration.
CREATE OR REPLACE PROCEDURE TUNE.STRING_UNITS (IN P_UNITS VARCHAR(11), OUT P_BEFORE VARCHAR(11))
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    DECLARE CONTINUE HANDLER FOR SQLSTATE '42815' BEGIN END;
    SET P_BEFORE = SYSIBM.NLS_STRING_UNITS;
    SET SYSIBM.NLS_STRING_UNITS = P_UNITS;
END
