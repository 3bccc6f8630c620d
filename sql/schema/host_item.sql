-- The vocabulary of host facts: the items of each kind of fact, their type, their source, and their meaning.
CREATE TABLE TUNE.HOST_ITEM (
    KIND VARCHAR(60) NOT NULL,
    ITEM VARCHAR(60) NOT NULL,
    TYPE VARCHAR(6) NOT NULL,
    IS_NAMED SMALLINT NOT NULL,
    TOLD_BY VARCHAR(6) NOT NULL,
    MEANING VARCHAR(254) NOT NULL,
    PRIMARY KEY (KIND, ITEM)
)
