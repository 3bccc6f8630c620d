-- Tables of the runs: their steps, the changes between them, and their errors.

-- name: run
-- One row per run of the rules: the two snapshots of its interval (BEGIN_ID is NULL if it judged counters since
-- activation), its user, and its end; a run without FINISHED_AT failed. QUIET_ID is the first snapshot of an interval
-- with too little load, which was therefore not judged.
CREATE TABLE TUNE.RUN (
    RUN_ID INTEGER NOT NULL,
    BEGIN_ID INTEGER,
    END_ID INTEGER NOT NULL,
    QUIET_ID INTEGER,
    STARTED_AT TIMESTAMP NOT NULL,
    FINISHED_AT TIMESTAMP,
    CALLED_BY VARCHAR(128) NOT NULL,
    PRIMARY KEY (RUN_ID)
)

-- name: model_step
-- The views that a run computes, in order: KIND model before the rules, KIND rank after them, KIND list after the
-- choice. The table is empty while an installation is not complete.
CREATE TABLE TUNE.MODEL_STEP (
    STEP_NO INTEGER NOT NULL,
    KIND VARCHAR(5) NOT NULL,
    VIEW_NAME VARCHAR(128) NOT NULL,
    PRIMARY KEY (STEP_NO)
)

-- name: step_need
-- What a step needs by the words of its text; the first row (PLACE) whose WORDS are in it counts.
CREATE TABLE TUNE.STEP_NEED (
    PLACE SMALLINT NOT NULL,
    WORDS VARCHAR(40) NOT NULL,
    NEEDS VARCHAR(20) NOT NULL,
    PRIMARY KEY (PLACE)
)

-- name: change
-- The change ledger: settings that differ between the ends of two consecutive runs, one row per change. SCOPE is DB,
-- DBM, REG, or DDL for table spaces and buffer pools; MEMBER is NULL if all members changed alike.
CREATE TABLE TUNE.CHANGE (
    SNAP_ID INTEGER NOT NULL,
    SCOPE VARCHAR(3) NOT NULL,
    MEMBER SMALLINT,
    NAME VARCHAR(256) NOT NULL,
    OLD_VALUE VARCHAR(2048),
    NEW_VALUE VARCHAR(2048)
)

-- name: proposed_index
-- Indexes that a program outside of the database proposes for the statements of a run, before the rules; always empty
-- inside Db2. KEY_TEXT and INCLUDE_TEXT are quoted columns, WIDENS is the quoted index that a proposed index replaces.
-- STATEMENT is the statement that gains most, with milliseconds per execution now and with all proposed indexes.
-- CPU_MS, READ_MS and WAIT_MS are the most that it can save in the interval, by kind of time; LOW_PART and
-- EXPECTED_PART are the parts of it that are at least saved, and expected. WRITE_MS is the time to maintain it.
-- Of GIVEN statements ANALYZED were analyzed, with ANALYZED_PCT percent of the statements' time.
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
    ANALYZED INTEGER NOT NULL,
    GIVEN INTEGER NOT NULL,
    ANALYZED_PCT DOUBLE NOT NULL,
    RUNSTATS_TEXT VARCHAR(2000),
    DOUBTS VARCHAR(1000),
    PRIMARY KEY (INDEX_NO)
)

-- name: proposed_index_use
-- The statements that each proposed index makes faster, with milliseconds per execution now and with all of them.
-- INDEX_NO is 0 for a statement that was analyzed and that no index helps; REMEDY is what helps instead.
CREATE TABLE TUNE.PROPOSED_INDEX_USE (
    INDEX_NO INTEGER NOT NULL,
    STATEMENT VARCHAR(64) NOT NULL,
    BEFORE_MS DOUBLE NOT NULL,
    AFTER_MS DOUBLE NOT NULL,
    REMEDY VARCHAR(1000),
    PRIMARY KEY (INDEX_NO, STATEMENT)
)

-- name: missing
-- What a run lacks, with Db2's reason: RUN_ID is 0 for everything that the server refused at the installation,
-- otherwise the run in which it failed. KIND is model, rank or list for a view, else rule, rows, object or the step of
-- the run. NAME is the view, the rule, or the name of the step.
CREATE TABLE TUNE.MISSING (
    RUN_ID INTEGER NOT NULL,
    KIND VARCHAR(10) NOT NULL,
    NAME VARCHAR(128) NOT NULL,
    REASON VARCHAR(1000) NOT NULL
)

-- name: error
-- The errors that the procedures survived: place, SQLCODE and message.
CREATE TABLE TUNE.ERROR (
    HAPPENED_AT TIMESTAMP NOT NULL,
    SNAP_ID INTEGER,
    RUN_ID INTEGER,
    PLACE VARCHAR(128) NOT NULL,
    CODE INTEGER NOT NULL,
    STATE VARCHAR(5) NOT NULL,
    MESSAGE VARCHAR(2000)
)
