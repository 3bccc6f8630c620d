-- What failed inside the procedures and was survived: where, with which SQLCODE, and the message.
CREATE TABLE TUNE.ERROR (
    HAPPENED_AT TIMESTAMP NOT NULL,
    SNAP_ID INTEGER,
    RUN_ID INTEGER,
    PLACE VARCHAR(128) NOT NULL,
    CODE INTEGER NOT NULL,
    STATE VARCHAR(5) NOT NULL,
    MESSAGE VARCHAR(2000)
)
