-- Thresholds of the rules and facts about the site (RULE site): the value in force and the default. PROVENANCE is the
-- origin of the value; site marks a value that the site set, which an upgrade keeps. KIND is number, text or names
-- (patterns of names separated by semicolons); CHOICES are the words that a text may be, or the
-- largest number (the smallest is 0).
CREATE TABLE TUNE.OPTION (
    RULE VARCHAR(60) NOT NULL,
    NAME VARCHAR(60) NOT NULL,
    VALUE VARCHAR(254),
    PROVENANCE VARCHAR(40) NOT NULL,
    DEFAULT_VALUE VARCHAR(254),
    DEFAULT_PROVENANCE VARCHAR(40) NOT NULL,
    KIND VARCHAR(6) NOT NULL,
    CHOICES VARCHAR(100),
    PRIMARY KEY (RULE, NAME)
)
