-- The server's time in UTC. The time zone is hours, minutes and seconds in digits: a database with date_compat would
-- take the number itself for days.
WITH ZONE AS (
    SELECT CAST(CURRENT TIMEZONE AS INTEGER) AS HHMMSS FROM SYSIBM.SYSDUMMY1
)
SELECT CURRENT TIMESTAMP - (HHMMSS / 10000) HOURS - (MOD(HHMMSS, 10000) / 100) MINUTES AS NOW_UTC
FROM ZONE
