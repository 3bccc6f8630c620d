-- How a platform changes what a step needs (NEEDS); without a row, as on a host of one's own. WAY is
--   command   with a command of the platform, in the texts of the settings
--   listed    so, if the setting is in TUNE.TUNEABLE; else its provider does it
--   manual    by a person, with REMARK before the text
--   request   the provider does it on request
--   never     nobody can change it
CREATE TABLE TUNE.WAY (
    RUNS_ON VARCHAR(10) NOT NULL,
    NEEDS VARCHAR(20) NOT NULL,
    WAY VARCHAR(10) NOT NULL,
    REMARK VARCHAR(200),
    PRIMARY KEY (RUNS_ON, NEEDS)
)
