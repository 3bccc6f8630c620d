-- Makes lengths count bytes from here, whatever the database's string units. A database that is not Unicode, or lacks
-- this variable, counts bytes anyway.
BEGIN
    DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;
    EXECUTE IMMEDIATE 'SET SYSIBM.NLS_STRING_UNITS = ''{value}''';
END
