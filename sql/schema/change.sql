-- The change ledger: settings that differ between the end of a run and the end of the run before it, one row a change.
-- SCOPE is DB, DBM, REG, or DDL for table spaces and buffer pools; MEMBER is NULL where all members changed alike.
CREATE TABLE TUNE.CHANGE (
    SNAP_ID INTEGER NOT NULL,
    SCOPE VARCHAR(3) NOT NULL,
    MEMBER SMALLINT,
    NAME VARCHAR(256) NOT NULL,
    OLD_VALUE VARCHAR(2048),
    NEW_VALUE VARCHAR(2048)
)
