-- The question to ask for each unknown host fact.
CREATE TABLE TUNE.FACT_QUESTION (
    ITEM VARCHAR(60) NOT NULL,
    QUESTION VARCHAR(400) NOT NULL,
    PRIMARY KEY (ITEM)
)
