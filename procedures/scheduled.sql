-- CALL TUNE.SCHEDULED(): what the administrative task scheduler runs. The manual does not say that the scheduler
-- commits what a task did, so this call does. It keeps no other work of the same session: it has a session of its own.
CREATE OR REPLACE PROCEDURE TUNE.SCHEDULED ()
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    CALL TUNE.ADVISE();
    COMMIT;
END
