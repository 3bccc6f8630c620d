-- The result of each source in each snapshot: its number of rows, or why it was not collected.
CREATE TABLE TUNE.SNAPSHOT_SOURCE (
    SNAP_ID INTEGER NOT NULL,
    SOURCE VARCHAR(60) NOT NULL,
    ROWS_READ BIGINT,
    REASON VARCHAR(1000),
    PRIMARY KEY (SNAP_ID, SOURCE)
)
