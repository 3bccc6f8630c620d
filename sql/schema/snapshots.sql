-- Tables of the collection: what is read, and what was read when.

-- name: snapshot
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

-- name: snapshot_source
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

-- name: collect
-- The sources: the text before and after the select list of the one statement that reads each. A source with EVERY_S is
-- read once in this number of seconds, and again at once while a row meets AGAIN_TEXT.
CREATE TABLE TUNE.COLLECT (
    SOURCE VARCHAR(60) NOT NULL,
    DB2_OBJECT VARCHAR(128) NOT NULL,
    HEAD_TEXT VARCHAR(3000) NOT NULL,
    TAIL_TEXT VARCHAR(2000) NOT NULL,
    EVERY_S INTEGER,
    AGAIN_TEXT VARCHAR(500),
    PRIMARY KEY (SOURCE)
)

-- name: collect_column
-- The columns of each source: the expression that reads one, its kind (key, gauge, hwm, counter) and its type.
CREATE TABLE TUNE.COLLECT_COLUMN (
    SOURCE VARCHAR(60) NOT NULL,
    ITEM_NO INTEGER NOT NULL,
    COLUMN_NAME VARCHAR(128) NOT NULL,
    EXPRESSION VARCHAR(500) NOT NULL,
    KIND VARCHAR(10) NOT NULL,
    TYPE_NAME VARCHAR(20) NOT NULL,
    PRIMARY KEY (SOURCE, ITEM_NO)
)

-- name: column_absent
-- Declared columns that a level of Db2 does not have; checked once, and again when the level changes.
CREATE TABLE TUNE.COLUMN_ABSENT (
    DB2_LEVEL INTEGER NOT NULL,
    SOURCE VARCHAR(60) NOT NULL,
    COLUMN_NAME VARCHAR(128) NOT NULL,
    PRIMARY KEY (DB2_LEVEL, SOURCE, COLUMN_NAME)
)

-- name: hostfact
-- Facts about the hosts that Db2 cannot see, imported from outside as flat rows.
CREATE TABLE TUNE.HOSTFACT (
    HOST VARCHAR(255) NOT NULL,
    FACT_KEY VARCHAR(300) NOT NULL,
    ITEM VARCHAR(60) NOT NULL,
    VALUE VARCHAR(1024),
    PRIMARY KEY (HOST, FACT_KEY, ITEM)
)
