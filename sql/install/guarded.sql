-- Runs a statement and ignores one SQLSTATE: a CREATE whose object already exists (42710), a DROP whose object does not
-- (42704).
BEGIN
    DECLARE CONTINUE HANDLER FOR SQLSTATE '{state}' BEGIN END;
    EXECUTE IMMEDIATE {statement};
END
