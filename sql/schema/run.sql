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
