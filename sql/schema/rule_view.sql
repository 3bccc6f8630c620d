-- The computed views that a rule depends on: if one of them fails, the rule could not run.
CREATE TABLE TUNE.RULE_VIEW (
    RULE VARCHAR(60) NOT NULL,
    VIEW_NAME VARCHAR(128) NOT NULL
)
