-- The severities of findings: possible consequences for a database, worst first.
CREATE TABLE TUNE.SEVERITY (
    SEVERITY INTEGER NOT NULL,
    NAME VARCHAR(10) NOT NULL,
    CONSEQUENCE VARCHAR(40) NOT NULL,
    PRIMARY KEY (SEVERITY)
)
