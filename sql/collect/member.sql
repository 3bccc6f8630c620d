-- Every member that the instance knows, started or not.
--
-- object: SYSIBMADM.DB2_MEMBER
SELECT
    T.ID AS MEMBER,  -- key SMALLINT
    T.HOME_HOST,     -- gauge VARCHAR(255)
    T.STATE          -- gauge VARCHAR(32)
FROM SYSIBMADM.DB2_MEMBER AS T
