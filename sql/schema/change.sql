-- The change ledger: settings that differ between the ends of two consecutive runs, one row per change. SCOPE is DB,
-- DBM, REG, or DDL for table spaces and buffer pools; MEMBER is NULL if all members changed alike.
CREATE TABLE TUNE.CHANGE (
    SNAP_ID INTEGER NOT NULL,
    SCOPE VARCHAR(3) NOT NULL,
    MEMBER SMALLINT,
    NAME VARCHAR(256) NOT NULL,
    OLD_VALUE VARCHAR(2048),
    NEW_VALUE VARCHAR(2048)
)
