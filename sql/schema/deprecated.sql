-- Settings that Db2 has deprecated: since which level (SINCE in words, SINCE_LEVEL as VVRRMMFF), whether deprecated,
-- ignored or discontinued, the values that count as not set (DEFAULTS, separated by blanks), the value that a command
-- resets to (NULL if a person must do more), and the replacement. SCOPE is as in CONFIG.
CREATE TABLE TUNE.DEPRECATED (
    SCOPE VARCHAR(3) NOT NULL,
    NAME VARCHAR(128) NOT NULL,
    SINCE VARCHAR(20) NOT NULL,
    SINCE_LEVEL INTEGER NOT NULL,
    STATE VARCHAR(20) NOT NULL,
    DEFAULTS VARCHAR(100),
    RESET_VALUE VARCHAR(100),
    REPLACEMENT VARCHAR(200) NOT NULL,
    PRIMARY KEY (SCOPE, NAME)
)
