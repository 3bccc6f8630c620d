-- The views that a run computes, in this order: those of KIND model before the rules, of KIND rank after them, of KIND
-- list when all is chosen.
-- COLUMNS_TEXT is the list of their columns. Rows of a view with KEPT 1 stay with the run; of the others only the
-- last run's are there.
CREATE TABLE TUNE.MODEL_STEP (
    STEP_NO INTEGER NOT NULL,
    KIND VARCHAR(5) NOT NULL,
    VIEW_NAME VARCHAR(128) NOT NULL,
    KEPT SMALLINT NOT NULL,
    COLUMNS_TEXT VARCHAR(4000) NOT NULL,
    PRIMARY KEY (STEP_NO)
)
