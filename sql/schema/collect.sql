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
