-- The data that each rule needs: columns of sources, or host facts (SOURCE host). TIMED is 1 for data that it needs
-- only to judge by database time; without it, it judges by rates or counts.
CREATE TABLE TUNE.RULE_NEED (
    RULE VARCHAR(60) NOT NULL,
    SOURCE VARCHAR(60) NOT NULL,
    ITEM VARCHAR(128) NOT NULL,
    TIMED SMALLINT NOT NULL
)
