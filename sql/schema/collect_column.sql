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
