-- CALL TUNE.SCHEDULE(cron): the administrative task scheduler runs TUNE.SCHEDULED at these times (minute hour day month
-- weekday), by default every night at two. It needs the registry variable DB2_ATS_ENABLE, the table space SYSTOOLSPACE
-- and an active database. The statements are dynamic, so installation works without access to registry and scheduler,
-- and on levels that lack a column. ATOMIC: if the scheduler rejects the new time, the previous task remains, whatever
-- the caller does afterwards.
CREATE OR REPLACE PROCEDURE TUNE.SCHEDULE (IN P_CRON VARCHAR(100) DEFAULT '0 2 * * *')
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN ATOMIC
    DECLARE V_ENABLED INTEGER;
    DECLARE V_REGISTRY VARCHAR(1000);
    DECLARE V_ADD VARCHAR(200);
    DECLARE C_REGISTRY CURSOR FOR S_REGISTRY;
    SET CURRENT LOCK TIMEOUT 10;
    SET CURRENT ISOLATION UR;
    IF P_CRON IS NULL THEN
        SIGNAL SQLSTATE '70041' SET MESSAGE_TEXT = 'use minute hour day month weekday, such as 0 2 * * *';
    END IF;
    SET V_REGISTRY = 'SELECT COUNT(*) FROM TABLE(SYSPROC.ENV_GET_REG_VARIABLES(-1, 0)) AS T'
        || ' WHERE T.REG_VAR_NAME = ''DB2_ATS_ENABLE'''
        || ' AND UPPER(T.REG_VAR_VALUE) IN (''YES'', ''TRUE'', ''1'', ''ON'')';
    PREPARE S_REGISTRY FROM V_REGISTRY;
    OPEN C_REGISTRY;
    FETCH C_REGISTRY INTO V_ENABLED;
    CLOSE C_REGISTRY;
    IF V_ENABLED = 0 THEN
        SIGNAL SQLSTATE '70042' SET MESSAGE_TEXT = 'first: db2set DB2_ATS_ENABLE=YES, then restart the instance';
    ELSEIF NOT EXISTS (SELECT 1 FROM SYSCAT.TABLESPACES AS S WHERE S.TBSPACE = 'SYSTOOLSPACE') THEN
        SIGNAL SQLSTATE '70043' SET MESSAGE_TEXT = 'first: create table space SYSTOOLSPACE in IBMCATGROUP';
    END IF;
    CALL TUNE.UNSCHEDULE();
    SET V_ADD = 'CALL SYSPROC.ADMIN_TASK_ADD(''TUNE.ADVISE'', NULL, NULL, NULL, ?, ''TUNE'', ''SCHEDULED'', NULL, NULL,'
        || ' ''Db2 tuning advice'')';
    PREPARE S_ADD FROM V_ADD;
    EXECUTE S_ADD USING P_CRON;
END
