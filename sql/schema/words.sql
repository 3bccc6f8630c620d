-- Tables of words: what sources, settings and messages mean, on which platform and level.

-- name: bucket
-- The buckets of database time for people. KIND is wait, overhead (processing that no application requested), work,
-- unknown (neither was measured), or beside (it overlaps the others). LEAST_PCT is the share from which it is worth a
-- look, unless the site's option unclaimed_pct decides; LOOK_AT is a query that shows more.
CREATE TABLE TUNE.BUCKET (
    BUCKET VARCHAR(20) NOT NULL,
    KIND VARCHAR(8) NOT NULL,
    TITLE VARCHAR(40) NOT NULL,
    LEAST_PCT DOUBLE,
    WHAT VARCHAR(200) NOT NULL,
    CAUSES VARCHAR(300) NOT NULL,
    LOOK_AT VARCHAR(400) NOT NULL,
    PRIMARY KEY (BUCKET)
)

-- name: deprecated
-- Settings that Db2 has deprecated: since which level (SINCE in words, SINCE_LEVEL as VVRRMMFF), whether deprecated,
-- ignored or discontinued, the values that count as not set (DEFAULTS, separated by blanks), the value that a command
-- resets to (NULL if a person must do more), and the replacement. SCOPE is as in CONFIG.
CREATE TABLE TUNE.DEPRECATED (
    SCOPE VARCHAR(3) NOT NULL,
    NAME VARCHAR(128) NOT NULL,
    SINCE VARCHAR(20) NOT NULL,
    SINCE_LEVEL INTEGER NOT NULL,
    STATE VARCHAR(20) NOT NULL,
    DEFAULTS VARCHAR(100),
    RESET_VALUE VARCHAR(100),
    REPLACEMENT VARCHAR(200) NOT NULL,
    PRIMARY KEY (SCOPE, NAME)
)

-- name: effect
-- When a change takes effect, from the least to the greatest interruption (PLACE), and how easy that makes the change
-- (1 is easiest).
CREATE TABLE TUNE.EFFECT (
    EFFECT VARCHAR(2) NOT NULL,
    PLACE SMALLINT NOT NULL,
    EASE DOUBLE NOT NULL,
    SHORT VARCHAR(16) NOT NULL,
    MEANING VARCHAR(200) NOT NULL,
    PRIMARY KEY (EFFECT)
)

-- name: event_rule
-- The rules that report events, by the CLASS of their messages, with their order by what fails (DOWN in
-- sql/schema/event_classes.csv): 1 is the database, 2 a table space, 3 a statement or job.
CREATE TABLE TUNE.EVENT_RULE (
    CLASS VARCHAR(20) NOT NULL,
    RULE VARCHAR(60) NOT NULL,
    EXTENT SMALLINT NOT NULL,
    PRIMARY KEY (CLASS)
)

-- name: fact_question
-- The question to ask for each unknown host fact.
CREATE TABLE TUNE.FACT_QUESTION (
    ITEM VARCHAR(60) NOT NULL,
    QUESTION VARCHAR(400) NOT NULL,
    PRIMARY KEY (ITEM)
)

-- name: host_item
-- The vocabulary of host facts: the items of each kind of fact, their type, their source, and their meaning.
CREATE TABLE TUNE.HOST_ITEM (
    KIND VARCHAR(60) NOT NULL,
    ITEM VARCHAR(60) NOT NULL,
    TYPE VARCHAR(6) NOT NULL,
    IS_NAMED SMALLINT NOT NULL,
    TOLD_BY VARCHAR(6) NOT NULL,
    MEANING VARCHAR(254) NOT NULL,
    PRIMARY KEY (KIND, ITEM)
)

-- name: introduced
-- Settings that show the least level of the Db2 that has them: the level that introduced each (SINCE_LEVEL as
-- VVRRMMFF). SCOPE is as in CONFIG.
CREATE TABLE TUNE.INTRODUCED (
    SCOPE VARCHAR(3) NOT NULL,
    NAME VARCHAR(128) NOT NULL,
    SINCE_LEVEL INTEGER NOT NULL,
    PRIMARY KEY (SCOPE, NAME)
)

-- name: lane
-- The lanes of advice in their order, most urgent first, with their names and headings.
CREATE TABLE TUNE.LANE (
    LANE VARCHAR(1) NOT NULL,
    LANE_ORDER INTEGER NOT NULL,
    NAME VARCHAR(20) NOT NULL,
    HEADING VARCHAR(80) NOT NULL,
    PRIMARY KEY (LANE)
)

-- name: message
-- The messages of Db2 that report a problem, by code (an SQLCODE with its reason, ADM, DIA, or a symbol of a return
-- code): their kind (CLASS), cause (CAUSE) and first step (FIRST_STEP), and their number (PLACE): the most
-- specific one comes first. In FIRST_STEP, <database> and <table space> are replaced if the text names them.
CREATE TABLE TUNE.MESSAGE (
    CODE VARCHAR(40) NOT NULL,
    PLACE SMALLINT NOT NULL,
    CLASS VARCHAR(20) NOT NULL,
    CAUSE VARCHAR(200) NOT NULL,
    FIRST_STEP VARCHAR(500) NOT NULL,
    PRIMARY KEY (CODE)
)

-- name: platform
-- The platforms of Db2: the name that people know (NAME), and who can change there what users cannot (PROVIDER).
CREATE TABLE TUNE.PLATFORM (
    RUNS_ON VARCHAR(10) NOT NULL,
    NAME VARCHAR(60) NOT NULL,
    PROVIDER VARCHAR(60),
    PRIMARY KEY (RUNS_ON)
)

-- name: severity
-- The severities of findings: possible consequences for a database, worst first.
CREATE TABLE TUNE.SEVERITY (
    SEVERITY INTEGER NOT NULL,
    NAME VARCHAR(10) NOT NULL,
    CONSEQUENCE VARCHAR(40) NOT NULL,
    PRIMARY KEY (SEVERITY)
)

-- name: tablespace_state
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

-- name: tuneable
-- The settings that a platform lets users change, if it has a list of them.
CREATE TABLE TUNE.TUNEABLE (
    RUNS_ON VARCHAR(10) NOT NULL,
    KIND VARCHAR(20) NOT NULL,
    NAME VARCHAR(60) NOT NULL,
    PRIMARY KEY (RUNS_ON, KIND, NAME)
)

-- name: way
-- How a platform changes what a step needs (NEEDS); without a row, as on a host of one's own. WAY is
--   command   with a command of the platform, in the texts of the settings
--   listed    so, if the setting is in TUNE.TUNEABLE; else its provider does it
--   manual    by a person, with REMARK before the text
--   request   the provider does it on request
--   never     nobody can change it
CREATE TABLE TUNE.WAY (
    RUNS_ON VARCHAR(10) NOT NULL,
    NEEDS VARCHAR(20) NOT NULL,
    WAY VARCHAR(10) NOT NULL,
    REMARK VARCHAR(200),
    PRIMARY KEY (RUNS_ON, NEEDS)
)
