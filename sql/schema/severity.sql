-- How bad it is what a rule finds: what may come of the condition of a database, the worst first.
CREATE TABLE TUNE.SEVERITY (
    SEVERITY INTEGER NOT NULL,
    NAME VARCHAR(10) NOT NULL,
    CONSEQUENCE VARCHAR(40) NOT NULL,
    PRIMARY KEY (SEVERITY)
)
