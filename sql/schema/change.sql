-- The change ledger: settings that differ between a snapshot and the one before it.
CREATE TABLE TUNE.CHANGE (
    SNAP_ID INTEGER NOT NULL,
    SCOPE VARCHAR(3) NOT NULL,
    MEMBER SMALLINT,
    NAME VARCHAR(256) NOT NULL,
    OLD_VALUE VARCHAR(2048),
    NEW_VALUE VARCHAR(2048)
)
