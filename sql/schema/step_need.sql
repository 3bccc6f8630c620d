-- What a step needs by the words of its text; the first row (PLACE) whose WORDS are in it counts.
CREATE TABLE TUNE.STEP_NEED (
    PLACE SMALLINT NOT NULL,
    WORDS VARCHAR(40) NOT NULL,
    NEEDS VARCHAR(20) NOT NULL,
    PRIMARY KEY (PLACE)
)
