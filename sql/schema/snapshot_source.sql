-- How each source fared in each snapshot: the rows that it gave, or why it was not collected.
CREATE TABLE TUNE.SNAPSHOT_SOURCE (
    SNAP_ID INTEGER NOT NULL,
    SOURCE VARCHAR(60) NOT NULL,
    ROWS_READ BIGINT,
    REASON VARCHAR(1000),
    PRIMARY KEY (SNAP_ID, SOURCE)
)
