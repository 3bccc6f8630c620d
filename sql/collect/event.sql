-- The problems that db2diag.log, applications and commands reported, from texts only: no statement reads them. A row
-- is about one message (sql/schema/messages.csv), object and application on a member; OCCURRENCES counts its records.
-- Times are local times of the server, such as 2026-03-02 01:40:55, NULL if the text has none.
--
-- object: TUNE.S_EVENT
SELECT
    T.EVENT_ID,            -- key INTEGER
    T.CODE,                -- gauge VARCHAR(40)
    T.OCCURRENCES,         -- gauge BIGINT
    T.FIRST_TIME,          -- gauge VARCHAR(26)
    T.LAST_TIME,           -- gauge VARCHAR(26)
    T.LEVEL,               -- gauge VARCHAR(10)
    T.MEMBER,              -- gauge SMALLINT
    T.APPLICATION_HANDLE,  -- gauge BIGINT
    T.APPLICATION_ID,      -- gauge VARCHAR(128)
    T.OBJECT_NAME,         -- gauge VARCHAR(256)
    T.FUNCTION_NAME,       -- gauge VARCHAR(128)
    T.MESSAGE              -- gauge VARCHAR(300)
FROM TUNE.S_EVENT AS T
