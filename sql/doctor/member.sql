-- Every member that the instance knows, started or not.
SELECT
    T.ID,
    T.HOME_HOST,
    T.STATE
FROM SYSIBMADM.DB2_MEMBER AS T
ORDER BY T.ID
