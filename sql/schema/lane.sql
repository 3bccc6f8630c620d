-- The lanes of advice in their order, most urgent first, with their names and headings.
CREATE TABLE TUNE.LANE (
    LANE VARCHAR(1) NOT NULL,
    LANE_ORDER INTEGER NOT NULL,
    NAME VARCHAR(20) NOT NULL,
    HEADING VARCHAR(80) NOT NULL,
    PRIMARY KEY (LANE)
)
