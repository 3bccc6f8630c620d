-- Runs a statement that may fail with one SQLSTATE and is let go then: a CREATE whose object is there already
-- (42710), a DROP whose object is not (42704).
BEGIN
    DECLARE CONTINUE HANDLER FOR SQLSTATE '{state}' BEGIN END;
    EXECUTE IMMEDIATE {statement};
END
