-- The question to a person that each unknown host fact stands for.
CREATE TABLE TUNE.FACT_QUESTION (
    ITEM VARCHAR(60) NOT NULL,
    QUESTION VARCHAR(400) NOT NULL,
    PRIMARY KEY (ITEM)
)
