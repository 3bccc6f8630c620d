-- The cluster caching facilities: only pureScale has them.
SELECT
    T.ID,
    T.CURRENT_HOST,
    T.STATE
FROM SYSIBMADM.DB2_CF AS T
