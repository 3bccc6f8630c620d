-- The computed views that a rule depends on, with commas around each: if one of them fails, the rule could not run.
CREATE TABLE TUNE.RULE_VIEW (
    RULE VARCHAR(60) NOT NULL,
    VIEWS VARCHAR(2000) NOT NULL
)
