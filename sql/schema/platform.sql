-- The platforms of Db2: the name that people know (NAME), and who can change there what users cannot (PROVIDER).
CREATE TABLE TUNE.PLATFORM (
    RUNS_ON VARCHAR(10) NOT NULL,
    NAME VARCHAR(60) NOT NULL,
    PROVIDER VARCHAR(60),
    PRIMARY KEY (RUNS_ON)
)
