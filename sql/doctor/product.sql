-- The installed products with their licences: the edition. The release has the form 11.5; a licence is Y or N.
SELECT
    T.INSTALLED_PROD_FULLNAME,
    T.PROD_RELEASE,
    T.LICENSE_INSTALLED,
    T.LICENSE_TYPE
FROM SYSIBMADM.ENV_PROD_INFO AS T
