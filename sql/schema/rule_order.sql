-- Pairs of rules whose changes have an order if both are advised; indirect pairs are listed, too.
CREATE TABLE TUNE.RULE_ORDER (
    RULE VARCHAR(60) NOT NULL,
    AFTER_RULE VARCHAR(60) NOT NULL
)
