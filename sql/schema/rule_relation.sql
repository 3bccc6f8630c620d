-- Which rule defers to which other one, on the same object or anywhere, always or only to a larger benefit.
CREATE TABLE TUNE.RULE_RELATION (
    RULE VARCHAR(60) NOT NULL,
    OTHER VARCHAR(60) NOT NULL,
    SCOPE VARCHAR(10) NOT NULL,
    LARGER SMALLINT NOT NULL
)
