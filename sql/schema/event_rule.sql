-- The rules that report events, by the CLASS of their messages, with their order by what fails (DOWN in
-- sql/schema/event_classes.csv): 1 is the database, 2 a table space, 3 a statement or job.
CREATE TABLE TUNE.EVENT_RULE (
    CLASS VARCHAR(20) NOT NULL,
    RULE VARCHAR(60) NOT NULL,
    EXTENT SMALLINT NOT NULL,
    PRIMARY KEY (CLASS)
)
