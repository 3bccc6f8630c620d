-- CALL TUNE.ACCEPT(rule, object, reason, until): accepts a risk. The rule's advice for the object (a name, a prefix and
-- an asterisk, or * for all) remains visible, marked and without rank until the end of that day. Then it is ranked
-- again, marked as expired.
CREATE OR REPLACE PROCEDURE TUNE.ACCEPT (
    IN P_RULE VARCHAR(60), IN P_OBJECT VARCHAR(300), IN P_REASON VARCHAR(1000), IN P_UNTIL DATE DEFAULT NULL
)
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    SET CURRENT LOCK TIMEOUT 10;
    SET CURRENT ISOLATION UR;
    IF P_RULE IS NULL OR NOT EXISTS (SELECT 1 FROM TUNE.RULE WHERE RULE = P_RULE) THEN
        SIGNAL SQLSTATE '70011' SET MESSAGE_TEXT = 'no such rule; SELECT RULE FROM TUNE.RULE lists the rules';
    ELSEIF
        LENGTH('x' || RTRIM(COALESCE(P_OBJECT, ' '))) = 1 OR LENGTH('x' || RTRIM(COALESCE(P_REASON, ' '))) = 1
    THEN
        SIGNAL SQLSTATE '70012' SET MESSAGE_TEXT = 'an acceptance needs an object (* is all) and a reason';
    ELSEIF DAYS(P_UNTIL) < DAYS(CURRENT TIMESTAMP) THEN
        SIGNAL SQLSTATE '70013' SET MESSAGE_TEXT = 'the last day of the acceptance is in the past';
    END IF;
    DELETE FROM TUNE.ACCEPTED WHERE RULE = P_RULE AND OBJECT_PATTERN = P_OBJECT;
    INSERT INTO TUNE.ACCEPTED (RULE, OBJECT_PATTERN, REASON, UNTIL_DATE, ACCEPTED_BY, ACCEPTED_AT)
    VALUES (P_RULE, P_OBJECT, P_REASON, P_UNTIL, SESSION_USER, CURRENT TIMESTAMP);
END
