-- The host facts that each rule judges more with, and can do without: they are asked for where nobody told them.
CREATE TABLE TUNE.RULE_ASK (
    RULE VARCHAR(60) NOT NULL,
    ITEM VARCHAR(128) NOT NULL
)
