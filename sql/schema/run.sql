-- One row for every run of the rules: the two snapshots between which it judged (BEGIN_ID is NULL where counters
-- since activation were judged), who called it, and when it was done; a run without FINISHED_AT did not end well.
CREATE TABLE TUNE.RUN (
    RUN_ID INTEGER NOT NULL,
    BEGIN_ID INTEGER,
    END_ID INTEGER NOT NULL,
    STARTED_AT TIMESTAMP NOT NULL,
    FINISHED_AT TIMESTAMP,
    CALLED_BY VARCHAR(128) NOT NULL,
    PRIMARY KEY (RUN_ID)
)
