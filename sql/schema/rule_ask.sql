-- The optional host facts of each rule: with them it judges more. A list asks for those that are unknown.
CREATE TABLE TUNE.RULE_ASK (
    RULE VARCHAR(60) NOT NULL,
    ITEM VARCHAR(128) NOT NULL
)
