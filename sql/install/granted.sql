-- Grants the earlier privileges again. A privilege that is already held stays; an object that is gone (42704) and a
-- privilege that may no longer be granted (42501) are ignored.
BEGIN
    DECLARE CONTINUE HANDLER FOR SQLSTATE '42704', SQLSTATE '42501' BEGIN END;
    FOR G AS SELECT GRANT_TEXT FROM TUNE.GRANTED DO
        EXECUTE IMMEDIATE G.GRANT_TEXT;
    END FOR;
END
