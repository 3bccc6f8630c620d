-- Which rule's change comes after which other one's, wherever both are advised; what follows from that is listed too.
CREATE TABLE TUNE.RULE_ORDER (
    RULE VARCHAR(60) NOT NULL,
    AFTER_RULE VARCHAR(60) NOT NULL
)
