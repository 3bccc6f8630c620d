-- The computed views without whose rows a rule may not judge: when one of them fails, the rule could not run.
CREATE TABLE TUNE.RULE_VIEW (
    RULE VARCHAR(60) NOT NULL,
    VIEW_NAME VARCHAR(128) NOT NULL
)
