-- CALL TUNE.SCHEDULED(): the task of the administrative task scheduler. IBM does not document whether the scheduler
-- commits, so this call does. The task has its own session, so it commits no other work. It then deletes data older
-- than option keep_days (at least two), oldest day first, in one unit of work per day, which needs no more log than a
-- snapshot.
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
