-- The possible states of a table space, one row per word of TBSP_STATE with its bit in older reports. BLOCKED is 1 if
-- applications cannot use all of it until a person acts; MEANS is the effect on them, WAY_OUT the remedy. A state that
-- ends by itself has BLOCKED 0.
CREATE TABLE TUNE.TABLESPACE_STATE (
    STATE VARCHAR(32) NOT NULL,
    BIT BIGINT NOT NULL,
    BLOCKED SMALLINT NOT NULL,
    NAME VARCHAR(40) NOT NULL,
    MEANS VARCHAR(200) NOT NULL,
    WAY_OUT VARCHAR(400) NOT NULL,
    PRIMARY KEY (STATE)
)
