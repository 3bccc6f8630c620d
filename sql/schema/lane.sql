-- The lanes of advice in their order, the most urgent first, with what people call them.
CREATE TABLE TUNE.LANE (
    LANE VARCHAR(1) NOT NULL,
    LANE_ORDER INTEGER NOT NULL,
    NAME VARCHAR(20) NOT NULL,
    PRIMARY KEY (LANE)
)
