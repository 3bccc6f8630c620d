-- The time buckets that each rule claims from, first one first.
CREATE TABLE TUNE.RULE_CLAIM (
    RULE VARCHAR(60) NOT NULL,
    POSITION INTEGER NOT NULL,
    BUCKET VARCHAR(20) NOT NULL
)
