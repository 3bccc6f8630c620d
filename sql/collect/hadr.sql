-- The standbys of a primary, or the primary of a standby, one row per log stream: connection and state, the lag of the
-- standby (bytes; REPLAY_LAG_S in seconds, by the log's own times), and the fill of its spool. STANDBY_REPLAY_DELAY is
-- a setting, in milliseconds; PEER_WINDOW is a setting, too. The heartbeats and the waits of the logger for the standby
-- (times in milliseconds) count from the start of the database.
--
-- object: MON_GET_HADR
-- reset:  restart
SELECT
    T.STANDBY_ID,               -- key SMALLINT
    T.LOG_STREAM_ID,            -- key INTEGER
    T.PRIMARY_MEMBER,           -- key SMALLINT
    T.HADR_ROLE,                -- gauge VARCHAR(13)
    T.HADR_STATE,               -- gauge VARCHAR(23)
    T.HADR_SYNCMODE,            -- gauge VARCHAR(10)
    T.HADR_CONNECT_STATUS,      -- gauge VARCHAR(12)
    (DAYS(CURRENT TIMESTAMP) - DAYS(T.HADR_CONNECT_STATUS_TIME)) * 86400
    + MIDNIGHT_SECONDS(CURRENT TIMESTAMP) - MIDNIGHT_SECONDS(T.HADR_CONNECT_STATUS_TIME)
        AS CONNECT_STATUS_S,    -- gauge BIGINT
    T.STANDBY_MEMBER_HOST,      -- gauge VARCHAR(255)
    T.HADR_LOG_GAP,             -- gauge BIGINT
    T.STANDBY_RECV_REPLAY_GAP,  -- gauge BIGINT
    T.STANDBY_REPLAY_DELAY,     -- gauge BIGINT
    (DAYS(T.PRIMARY_LOG_TIME) - DAYS(T.STANDBY_REPLAY_LOG_TIME)) * 86400
    + MIDNIGHT_SECONDS(T.PRIMARY_LOG_TIME) - MIDNIGHT_SECONDS(T.STANDBY_REPLAY_LOG_TIME)
        AS REPLAY_LAG_S,        -- gauge BIGINT
    T.STANDBY_SPOOL_LIMIT,      -- gauge BIGINT
    T.STANDBY_SPOOL_PERCENT,    -- gauge DOUBLE
    T.PEER_WINDOW,              -- gauge BIGINT
    T.HEARTBEAT_MISSED,         -- gauge BIGINT
    T.HEARTBEAT_EXPECTED,       -- gauge BIGINT
    T.LOG_HADR_WAIT_CUR,        -- gauge BIGINT
    T.LOG_HADR_WAIT_TIME,       -- gauge BIGINT
    T.LOG_HADR_WAITS_TOTAL      -- gauge BIGINT
FROM TABLE(SYSPROC.MON_GET_HADR(-2)) AS T
