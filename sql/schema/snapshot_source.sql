-- The result of each source in each snapshot: its number of rows, or why it was not collected. FROM_ID is the snapshot
-- from which the rows were copied, if they were not read.
CREATE TABLE TUNE.SNAPSHOT_SOURCE (
    SNAP_ID INTEGER NOT NULL,
    SOURCE VARCHAR(60) NOT NULL,
    ROWS_READ BIGINT,
    REASON VARCHAR(1000),
    FROM_ID INTEGER,
    PRIMARY KEY (SNAP_ID, SOURCE)
)
