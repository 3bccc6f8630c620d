-- The views that a run computes, in order: KIND model before the rules, KIND rank after them, KIND list after the
-- choice. COLUMNS_TEXT is the list of their columns. The rows of a view with KEPT 1 stay with the run; of the other
-- views only the last run's rows exist.
CREATE TABLE TUNE.MODEL_STEP (
    STEP_NO INTEGER NOT NULL,
    KIND VARCHAR(5) NOT NULL,
    VIEW_NAME VARCHAR(128) NOT NULL,
    KEPT SMALLINT NOT NULL,
    COLUMNS_TEXT VARCHAR(4000) NOT NULL,
    PRIMARY KEY (STEP_NO)
)
