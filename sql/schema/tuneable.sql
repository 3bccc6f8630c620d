-- The settings that a platform lets users change, if it has a list of them.
CREATE TABLE TUNE.TUNEABLE (
    RUNS_ON VARCHAR(10) NOT NULL,
    KIND VARCHAR(20) NOT NULL,
    NAME VARCHAR(60) NOT NULL,
    PRIMARY KEY (RUNS_ON, KIND, NAME)
)
