-- The sources: the text before and after the select list of the one statement that reads each.
CREATE TABLE TUNE.COLLECT (
    SOURCE VARCHAR(60) NOT NULL,
    DB2_OBJECT VARCHAR(128) NOT NULL,
    HEAD_TEXT VARCHAR(2000) NOT NULL,
    TAIL_TEXT VARCHAR(2000) NOT NULL,
    PRIMARY KEY (SOURCE)
)
