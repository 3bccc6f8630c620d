-- Products that are installed, with their licences: the edition. Release as 11.5; a licence is Y or N.
SELECT
    T.INSTALLED_PROD_FULLNAME,
    T.PROD_RELEASE,
    T.LICENSE_INSTALLED,
    T.LICENSE_TYPE
FROM SYSIBMADM.ENV_PROD_INFO AS T
