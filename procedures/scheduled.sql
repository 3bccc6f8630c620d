-- CALL TUNE.SCHEDULED(): what the administrative task scheduler runs. The manual does not say that the scheduler
-- commits what a task did, so this call does. It keeps no other work of the same session: it has a session of its own.
-- What is older than the days that the site keeps (option keep_days, two at least) is deleted afterwards, the oldest day
-- first, in a unit of work for each: that takes no more log than a snapshot did.
CREATE OR REPLACE PROCEDURE TUNE.SCHEDULED ()
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    DECLARE V_KEEP_DAYS INTEGER;
    DECLARE V_DAYS INTEGER;
    CALL TUNE.ADVISE();
    COMMIT;
    SELECT INTEGER(CAST(O.VALUE AS DOUBLE)) INTO V_KEEP_DAYS
    FROM TUNE.OPTION AS O
    WHERE O.RULE = 'site' AND O.NAME = 'keep_days';
    SELECT COUNT(DISTINCT DATE(S.TAKEN_AT)) INTO V_DAYS
    FROM TUNE.SNAPSHOT AS S;
    WHILE V_DAYS > V_KEEP_DAYS AND V_DAYS > 2 DO
        SET V_DAYS = V_DAYS - 1;
        CALL TUNE.PURGE(V_DAYS);
        COMMIT;
    END WHILE;
END
