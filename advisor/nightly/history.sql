-- The tables of a new store of runs (advisor/nightly/history.py); history_since.sql adds the later ones.
CREATE TABLE version (version INTEGER NOT NULL);
CREATE SEQUENCE run_number;
CREATE TABLE run (
    run_id BIGINT PRIMARY KEY DEFAULT nextval('run_number'), database VARCHAR NOT NULL, night DATE NOT NULL,
    started_epoch DOUBLE NOT NULL, about VARCHAR NOT NULL, identity VARCHAR[] NOT NULL, interval_text VARCHAR NOT NULL,
    discarded VARCHAR, capture VARCHAR, says VARCHAR
);
CREATE TABLE advice (
    run_id BIGINT NOT NULL, rank INTEGER, lane VARCHAR NOT NULL, rule VARCHAR NOT NULL, object_type VARCHAR NOT NULL,
    object_name VARCHAR NOT NULL, member INTEGER, title VARCHAR NOT NULL, benefit DOUBLE NOT NULL, target VARCHAR,
    current VARCHAR, proposed VARCHAR, superseded_by VARCHAR, accepted BOOLEAN NOT NULL
);
CREATE TABLE metric (run_id BIGINT NOT NULL, name VARCHAR NOT NULL, unit VARCHAR NOT NULL, value DOUBLE);
CREATE TABLE not_run (run_id BIGINT NOT NULL, rule VARCHAR NOT NULL, reason VARCHAR NOT NULL);
