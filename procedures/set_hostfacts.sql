-- CALL TUNE.SET_HOSTFACTS(host, fact, item, value): sets one fact about a host, such as 'db1', 'device:sda', 'strip_kb',
-- '64'. Without a value, it deletes the fact; without a fact, all facts of the host.
CREATE OR REPLACE PROCEDURE TUNE.SET_HOSTFACTS (
    IN P_HOST VARCHAR(255),
    IN P_FACT VARCHAR(300) DEFAULT NULL,
    IN P_ITEM VARCHAR(60) DEFAULT NULL,
    IN P_VALUE VARCHAR(1024) DEFAULT NULL
)
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    DECLARE V_COLON INTEGER;
    DECLARE V_TYPE VARCHAR(6);
    DECLARE V_REST VARCHAR(1025);
    SET CURRENT LOCK TIMEOUT 10;
    SET CURRENT ISOLATION UR;
    IF P_HOST IS NULL OR LENGTH('x' || RTRIM(P_HOST)) = 1 THEN
        SIGNAL SQLSTATE '70061' SET MESSAGE_TEXT = 'the host is missing; use its name from uname -n';
    ELSEIF P_FACT IS NULL AND P_VALUE IS NULL THEN
        DELETE FROM TUNE.HOSTFACT WHERE HOST = P_HOST;
        RETURN 0;
    END IF;
    SET V_COLON = LOCATE(':', COALESCE(P_FACT, ''));
    SELECT TYPE INTO V_TYPE FROM TUNE.HOST_ITEM
    WHERE ITEM = P_ITEM AND (
        (IS_NAMED = 0 AND KIND = P_FACT)
        OR (IS_NAMED = 1 AND LENGTH(P_FACT) > V_COLON AND KIND || ':' = SUBSTR(P_FACT, 1, V_COLON))
    );
    IF V_TYPE IS NULL THEN
        SIGNAL SQLSTATE '70062' SET MESSAGE_TEXT = 'no such fact or item; SELECT KIND, ITEM FROM TUNE.HOST_ITEM';
    ELSEIF V_TYPE = 'number' AND P_VALUE IS NOT NULL THEN
        -- digits with at most one point among them
        SET V_REST = 'x' || P_VALUE;
        SET V_REST = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(V_REST, '0', ''), '1', ''), '2', ''), '3', ''), '4', '');
        SET V_REST = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(V_REST, '5', ''), '6', ''), '7', ''), '8', ''), '9', '');
        IF LENGTH(P_VALUE) < LENGTH(V_REST) OR V_REST NOT IN ('x', 'x.') THEN
            SIGNAL SQLSTATE '70063' SET MESSAGE_TEXT = 'the value of this item must be a number';
        END IF;
    ELSEIF V_TYPE = 'flag' AND P_VALUE NOT IN ('0', '1') THEN
        SIGNAL SQLSTATE '70064' SET MESSAGE_TEXT = 'the value of this item must be 0 or 1';
    END IF;
    DELETE FROM TUNE.HOSTFACT WHERE HOST = P_HOST AND FACT_KEY = P_FACT AND ITEM = P_ITEM;
    IF P_VALUE IS NOT NULL THEN
        INSERT INTO TUNE.HOSTFACT (HOST, FACT_KEY, ITEM, VALUE) VALUES (P_HOST, P_FACT, P_ITEM, P_VALUE);
    END IF;
END
