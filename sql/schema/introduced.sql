-- Settings that show the least level of the Db2 that has them: the level that introduced each (SINCE_LEVEL as
-- VVRRMMFF). SCOPE is as in CONFIG.
CREATE TABLE TUNE.INTRODUCED (
    SCOPE VARCHAR(3) NOT NULL,
    NAME VARCHAR(128) NOT NULL,
    SINCE_LEVEL INTEGER NOT NULL,
    PRIMARY KEY (SCOPE, NAME)
)
