-- Creates the schema if it does not exist: CREATE SCHEMA checks for DBADM first (SQL0552N), even if a DBADM has created
-- it.
BEGIN
    IF NOT EXISTS (SELECT 1 FROM SYSCAT.SCHEMATA WHERE SCHEMANAME = 'TUNE') THEN
        EXECUTE IMMEDIATE 'CREATE SCHEMA TUNE';
    END IF;
END
