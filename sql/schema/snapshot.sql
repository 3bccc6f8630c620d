-- One row per snapshot: its time and database. Two snapshots are compared only when host, instance and database are the
-- same. TAKEN_AT is UTC, EPOCH_S the same moment in seconds since 1970.
CREATE TABLE TUNE.SNAPSHOT (
    SNAP_ID INTEGER NOT NULL,
    TAKEN_AT TIMESTAMP NOT NULL,
    EPOCH_S DOUBLE NOT NULL,
    DB_NAME VARCHAR(128) NOT NULL,
    HOST_NAME VARCHAR(255) NOT NULL,
    INSTANCE_NAME VARCHAR(128) NOT NULL,
    DB2_LEVEL INTEGER NOT NULL,
    PLATFORM VARCHAR(20) NOT NULL,
    TOPOLOGY VARCHAR(20) NOT NULL,
    TAKEN_BY VARCHAR(128) NOT NULL,
    PRIMARY KEY (SNAP_ID)
)
