-- Grants again what was granted before: what is held already stays, and what is gone (42704) or may not be granted any more
-- (42501) is let go.
BEGIN
    DECLARE CONTINUE HANDLER FOR SQLSTATE '42704', SQLSTATE '42501' BEGIN END;
    FOR G AS SELECT GRANT_TEXT FROM TUNE.GRANTED DO
        EXECUTE IMMEDIATE G.GRANT_TEXT;
    END FOR;
END
