-- Whether the administrative task scheduler is on: YES, TRUE, 1 or ON. The value on disk takes effect at db2start.
SELECT
    T.MEMBER,
    T.REG_VAR_VALUE,
    T.REG_VAR_ON_DISK_VALUE
FROM TABLE(SYSPROC.ENV_GET_REG_VARIABLES(-1, 0)) AS T
WHERE T.REG_VAR_NAME = 'DB2_ATS_ENABLE'
