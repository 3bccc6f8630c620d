-- The buckets of database time for people. KIND is wait, overhead (processing that no application requested), work,
-- unknown (neither was measured), or beside (it overlaps the others). LEAST_PCT is the share from which it is worth a
-- look, unless the site's option unclaimed_pct decides; LOOK_AT is a query that shows more.
CREATE TABLE TUNE.BUCKET (
    BUCKET VARCHAR(20) NOT NULL,
    KIND VARCHAR(8) NOT NULL,
    TITLE VARCHAR(40) NOT NULL,
    LEAST_PCT DOUBLE,
    WHAT VARCHAR(200) NOT NULL,
    CAUSES VARCHAR(300) NOT NULL,
    LOOK_AT VARCHAR(400) NOT NULL,
    PRIMARY KEY (BUCKET)
)
