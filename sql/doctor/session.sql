-- Which database this is, and as whom the connection works.
SELECT
    CURRENT SERVER AS DATABASE_NAME,
    SESSION_USER AS AUTHID
FROM SYSIBM.SYSDUMMY1
