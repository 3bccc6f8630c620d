-- Indexes that a program outside of the database proposes for the statements of a run, before the rules; always empty
-- inside Db2. KEY_TEXT and INCLUDE_TEXT are quoted columns, WIDENS is the quoted index that a proposed index replaces.
-- STATEMENT is the statement that gains most, with milliseconds per execution now and with all proposed indexes.
-- CPU_MS, READ_MS and WAIT_MS are the most that it can save in the interval, by kind of time; LOW_PART and
-- EXPECTED_PART are the parts of it that are at least saved, and expected. WRITE_MS is the time to maintain it.
-- RUNSTATS_TEXT is a command that comes first. DOUBTS are the reasons for low confidence.
CREATE TABLE TUNE.PROPOSED_INDEX (
    INDEX_NO INTEGER NOT NULL,
    INDSCHEMA VARCHAR(128) NOT NULL,
    INDNAME VARCHAR(128) NOT NULL,
    TABSCHEMA VARCHAR(128) NOT NULL,
    TABNAME VARCHAR(128) NOT NULL,
    KEY_TEXT VARCHAR(1500) NOT NULL,
    INCLUDE_TEXT VARCHAR(500),
    IS_UNIQUE SMALLINT NOT NULL,
    WIDENS VARCHAR(520),
    SIZE_MB DOUBLE NOT NULL,
    STATEMENT VARCHAR(64) NOT NULL,
    STATEMENTS INTEGER NOT NULL,
    BEFORE_MS DOUBLE NOT NULL,
    AFTER_MS DOUBLE NOT NULL,
    CPU_MS DOUBLE NOT NULL,
    READ_MS DOUBLE NOT NULL,
    WAIT_MS DOUBLE NOT NULL,
    LOW_PART DOUBLE NOT NULL,
    EXPECTED_PART DOUBLE NOT NULL,
    WRITE_MS DOUBLE NOT NULL,
    CONFIDENCE DOUBLE NOT NULL,
    RUNSTATS_TEXT VARCHAR(2000),
    DOUBTS VARCHAR(1000),
    PRIMARY KEY (INDEX_NO)
)
