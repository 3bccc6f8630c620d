-- CALL TUNE.EXPLAIN(run, rank): one recommendation in full, as lines of text that the command line processor shows
-- whole: what was found, the evidence, why, when not, sources, what gave way to it, the commands and their undo. A
-- command that takes several lines is continued after a backslash; TUNE.COMMAND has each in one piece.
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
        SIGNAL SQLSTATE '70006' SET MESSAGE_TEXT = 'the list of this run has no such rank';
    END IF;
    OPEN C_TEXT;
END
