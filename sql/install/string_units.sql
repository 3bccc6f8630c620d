-- Lengths are of bytes from here on, whatever the database says of string units: what is not a Unicode database, or has
-- no such variable, counts bytes anyway.
BEGIN
    DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;
    EXECUTE IMMEDIATE 'SET SYSIBM.NLS_STRING_UNITS = ''{value}''';
END
