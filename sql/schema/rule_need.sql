-- The data that each rule needs: columns of sources, or host facts (SOURCE host).
CREATE TABLE TUNE.RULE_NEED (
    RULE VARCHAR(60) NOT NULL,
    SOURCE VARCHAR(60) NOT NULL,
    ITEM VARCHAR(128) NOT NULL
)
