-- Pairs of settings of which one makes the other ineffective. A contradiction exists if each of its settings has one of
-- its STATES, separated by blanks: a value, AUTOMATIC, SET (any text), ONE, or MANY (a number above one). Its
-- meaning (MEANING) and its remedy (REMEDY) are for a person, who decides which of the two was meant. ALSO_NAME is NULL
-- if two settings are enough; its scope is UNDER_NAME's. If TIMES is not NULL, both are numbers, and the contradiction
-- exists if TIMES times the first is more than the second. DB2_WORKLOAD=UNLESS_WORKLOAD gives both settings a meaning.
CREATE TABLE TUNE.CONTRADICTION (
    SCOPE VARCHAR(3) NOT NULL,
    NAME VARCHAR(128) NOT NULL,
    STATES VARCHAR(100) NOT NULL,
    UNDER_SCOPE VARCHAR(3) NOT NULL,
    UNDER_NAME VARCHAR(128) NOT NULL,
    UNDER_STATES VARCHAR(100) NOT NULL,
    ALSO_NAME VARCHAR(128),
    ALSO_STATES VARCHAR(100),
    TIMES SMALLINT,
    UNLESS_WORKLOAD VARCHAR(20),
    MEANING VARCHAR(200) NOT NULL,
    REMEDY VARCHAR(300) NOT NULL,
    PRIMARY KEY (SCOPE, NAME, STATES, UNDER_SCOPE, UNDER_NAME)
)
