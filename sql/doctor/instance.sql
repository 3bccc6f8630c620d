-- Instance, level and size. NUM_DBPARTITIONS is 1 if the database is not partitioned.
SELECT
    T.INST_NAME,
    T.SERVICE_LEVEL,
    T.FIXPACK_NUM,
    T.NUM_DBPARTITIONS,
    T.NUM_MEMBERS
FROM SYSIBMADM.ENV_INST_INFO AS T
