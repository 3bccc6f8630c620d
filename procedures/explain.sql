-- CALL TUNE.EXPLAIN(run, rank): one recommendation in full, in lines of text that the command line processor does not
-- cut off: finding, evidence, reason, exceptions, references, advice that deferred to it, commands and undo. A command
-- on several lines continues after a backslash; TUNE.COMMAND contains each in one piece.
CREATE OR REPLACE PROCEDURE TUNE.EXPLAIN (IN P_RUN_ID INTEGER DEFAULT NULL, IN P_RANK INTEGER DEFAULT 1)
DYNAMIC RESULT SETS 1
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    DECLARE C_TEXT CURSOR WITH RETURN TO CLIENT FOR
        SELECT TEXT FROM TUNE.TEXT_LINE WHERE EXPLAINS = 1 AND RANK = P_RANK ORDER BY PART, PLACE, LINE_NO, N;
    SET CURRENT LOCK TIMEOUT 10;
    SET CURRENT ISOLATION UR;
    CALL TUNE.CHOOSE_RUN(P_RUN_ID);
    IF NOT EXISTS (SELECT 1 FROM TUNE.ADVICE WHERE POSITION = P_RANK) THEN
        SIGNAL SQLSTATE '70006' SET MESSAGE_TEXT = 'the list of this run does not contain this rank';
    END IF;
    OPEN C_TEXT;
END
