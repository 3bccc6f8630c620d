-- The store of runs (advisor/nightly/history.py). Lists and structs are JSON; times are ISO 8601 or seconds since 1970.
CREATE TABLE run (
    run_id INTEGER PRIMARY KEY, database TEXT NOT NULL, night TEXT NOT NULL, started_epoch REAL NOT NULL,
    about TEXT NOT NULL, identity TEXT NOT NULL, interval_text TEXT NOT NULL, discarded TEXT, capture TEXT, says TEXT
) STRICT;
CREATE TABLE advice (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, rank INTEGER, lane TEXT NOT NULL, rule TEXT NOT NULL,
    object_type TEXT NOT NULL, object_name TEXT NOT NULL, member INTEGER, title TEXT NOT NULL, benefit REAL NOT NULL,
    target TEXT, current TEXT, proposed TEXT, superseded_by TEXT, accepted INTEGER NOT NULL, benefit_after REAL,
    by_hand INTEGER
) STRICT;
CREATE TABLE metric (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, name TEXT NOT NULL, unit TEXT NOT NULL, value REAL
) STRICT;
CREATE TABLE not_run (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, rule TEXT NOT NULL, reason TEXT NOT NULL
) STRICT;
CREATE TABLE time_spent (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, bucket TEXT NOT NULL, title TEXT NOT NULL,
    pct REAL NOT NULL, claimed_pct REAL NOT NULL, causes TEXT, query TEXT
) STRICT;
CREATE TABLE measured (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, kind TEXT NOT NULL, begin_at TEXT NOT NULL,
    end_at TEXT NOT NULL, seconds REAL NOT NULL, uptime_s REAL, discarded TEXT
) STRICT;
CREATE TABLE measured_value (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, kind TEXT NOT NULL, metric TEXT NOT NULL,
    unit TEXT NOT NULL, value REAL, events REAL, low_is_good INTEGER NOT NULL, guard INTEGER NOT NULL,
    too_little REAL NOT NULL
) STRICT;
CREATE TABLE measured_statement (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, kind TEXT NOT NULL, statement TEXT NOT NULL, text TEXT,
    executions INTEGER NOT NULL, ms REAL NOT NULL, time_pct REAL, rows_read REAL, planid INTEGER
) STRICT;
CREATE TABLE changed (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, text TEXT NOT NULL, target TEXT NOT NULL, rule TEXT,
    benefit REAL, undo TEXT NOT NULL, old TEXT, new TEXT, object_type TEXT, object_name TEXT, benefit_low REAL,
    benefit_high REAL, own_benefit REAL
) STRICT;
CREATE TABLE promise (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, target TEXT NOT NULL, statement TEXT NOT NULL,
    text TEXT NOT NULL, before_ms REAL NOT NULL, after_ms REAL NOT NULL, saved_ms REAL NOT NULL, rows_read REAL
) STRICT;
CREATE TABLE promised_statement (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, statement TEXT NOT NULL, executions REAL NOT NULL,
    ms REAL NOT NULL, rows_read REAL
) STRICT;
CREATE TABLE verdict (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, verdict TEXT NOT NULL, says TEXT NOT NULL
) STRICT;
CREATE TABLE regression (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, begin_at TEXT NOT NULL, earliest TEXT NOT NULL,
    latest TEXT NOT NULL, series TEXT NOT NULL, before REAL NOT NULL, after REAL NOT NULL, unit TEXT NOT NULL,
    change_pct REAL NOT NULL, low_pct REAL NOT NULL, high_pct REAL NOT NULL
) STRICT;
CREATE TABLE beside (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, place INTEGER NOT NULL, about TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE told (way TEXT NOT NULL, database TEXT NOT NULL, what TEXT NOT NULL, PRIMARY KEY (way, database)) STRICT;
CREATE TABLE lesson (
    database TEXT NOT NULL, made_on TEXT NOT NULL, rule TEXT, object TEXT, settings TEXT NOT NULL, promised_pct TEXT,
    brought_pct TEXT, verdict TEXT NOT NULL
) STRICT;
CREATE INDEX advice_run ON advice (run_id);
CREATE INDEX metric_run ON metric (run_id);
CREATE INDEX not_run_run ON not_run (run_id);
CREATE INDEX time_spent_run ON time_spent (run_id);
CREATE INDEX measured_run ON measured (run_id);
CREATE INDEX measured_value_run ON measured_value (run_id);
CREATE INDEX measured_statement_run ON measured_statement (run_id);
CREATE INDEX changed_run ON changed (run_id);
CREATE INDEX promise_run ON promise (run_id);
CREATE INDEX promised_statement_run ON promised_statement (run_id);
CREATE INDEX verdict_run ON verdict (run_id);
CREATE INDEX regression_run ON regression (run_id);
CREATE INDEX beside_run ON beside (run_id);
