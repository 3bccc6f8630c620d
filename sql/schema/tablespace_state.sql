-- What a table space's state can be, one row for each of its words in TBSP_STATE and its bit in older reports. BLOCKED
-- is 1 where applications cannot work with all of it until somebody does something; MEANS is what they see, WAY_OUT
-- what ends it. A state that ends by itself has BLOCKED 0.
CREATE TABLE TUNE.TABLESPACE_STATE (
    STATE VARCHAR(32) NOT NULL,
    BIT BIGINT NOT NULL,
    BLOCKED SMALLINT NOT NULL,
    NAME VARCHAR(40) NOT NULL,
    MEANS VARCHAR(200) NOT NULL,
    WAY_OUT VARCHAR(400) NOT NULL,
    PRIMARY KEY (STATE)
)
