-- The views that a run computes, in order: KIND model before the rules, KIND rank after them, KIND list after the
-- choice. The table is empty while an installation is not complete.
CREATE TABLE TUNE.MODEL_STEP (
    STEP_NO INTEGER NOT NULL,
    KIND VARCHAR(5) NOT NULL,
    VIEW_NAME VARCHAR(128) NOT NULL,
    PRIMARY KEY (STEP_NO)
)
