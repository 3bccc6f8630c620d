-- Declared columns that a level of Db2 does not have; checked once, and again when the level changes.
CREATE TABLE TUNE.COLUMN_ABSENT (
    DB2_LEVEL INTEGER NOT NULL,
    SOURCE VARCHAR(60) NOT NULL,
    COLUMN_NAME VARCHAR(128) NOT NULL,
    PRIMARY KEY (DB2_LEVEL, SOURCE, COLUMN_NAME)
)
