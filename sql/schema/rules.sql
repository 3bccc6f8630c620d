-- Tables of the rules and of the site: the headers of their files, options, accepted findings, installed versions.

-- name: rule
-- The rules, from their headers: the fields that decide about ranking (docs/writing-rules.md documents each field).
CREATE TABLE TUNE.RULE (
    RULE VARCHAR(60) NOT NULL,
    LANE VARCHAR(1) NOT NULL,
    LANE_UNCLAIMED VARCHAR(1) NOT NULL,
    EFFECT VARCHAR(2) NOT NULL,
    JUDGED_BY VARCHAR(10) NOT NULL,
    RISK VARCHAR(10) NOT NULL,
    SEVERITY INTEGER NOT NULL,
    EXCLUSIVE VARCHAR(60),
    DONOR SMALLINT NOT NULL,
    TOPOLOGY VARCHAR(20),
    ON_PURESCALE SMALLINT NOT NULL,
    STEPS_NEED VARCHAR(20),
    QUIET SMALLINT NOT NULL,
    MIN_LEVEL INTEGER,
    MAX_LEVEL INTEGER,
    PLATFORM VARCHAR(20),
    ON_GUEST SMALLINT NOT NULL,
    ON_STANDBY SMALLINT NOT NULL,
    PRIMARY KEY (RULE)
)

-- name: rule_ask
-- The optional host facts of each rule: with them it judges more. A list asks for those that are unknown.
CREATE TABLE TUNE.RULE_ASK (
    RULE VARCHAR(60) NOT NULL,
    ITEM VARCHAR(128) NOT NULL
)

-- name: rule_claim
-- The time buckets that each rule claims from, first one first.
CREATE TABLE TUNE.RULE_CLAIM (
    RULE VARCHAR(60) NOT NULL,
    POSITION INTEGER NOT NULL,
    BUCKET VARCHAR(20) NOT NULL
)

-- name: rule_need
-- The data that each rule needs: columns of sources, or host facts (SOURCE host). TIMED is 1 for data that it needs
-- only to judge by database time; without it, it judges by rates or counts.
CREATE TABLE TUNE.RULE_NEED (
    RULE VARCHAR(60) NOT NULL,
    SOURCE VARCHAR(60) NOT NULL,
    ITEM VARCHAR(128) NOT NULL,
    TIMED SMALLINT NOT NULL
)

-- name: rule_order
-- Pairs of rules whose changes have an order if both are advised; indirect pairs are listed, too.
CREATE TABLE TUNE.RULE_ORDER (
    RULE VARCHAR(60) NOT NULL,
    AFTER_RULE VARCHAR(60) NOT NULL
)

-- name: rule_relation
-- Which rule defers to which other one, on the same object or anywhere, always or only to a larger benefit.
CREATE TABLE TUNE.RULE_RELATION (
    RULE VARCHAR(60) NOT NULL,
    OTHER VARCHAR(60) NOT NULL,
    SCOPE VARCHAR(10) NOT NULL,
    LARGER SMALLINT NOT NULL
)

-- name: rule_step
-- The steps of a rule, by their number in the header, whose EFFECT is not the rule's.
CREATE TABLE TUNE.RULE_STEP (
    RULE VARCHAR(60) NOT NULL,
    STEP INTEGER NOT NULL,
    EFFECT VARCHAR(2) NOT NULL,
    PRIMARY KEY (RULE, STEP)
)

-- name: rule_text
-- The rules, from their headers: the texts for people, and the name of the procedure that finds.
CREATE TABLE TUNE.RULE_TEXT (
    RULE VARCHAR(60) NOT NULL,
    AREA VARCHAR(20) NOT NULL,
    TITLE VARCHAR(200) NOT NULL,
    WHY VARCHAR(1500) NOT NULL,
    NOT_IF VARCHAR(1500) NOT NULL,
    NOTE VARCHAR(1500),
    LOOK_AT VARCHAR(1500),
    SOURCE VARCHAR(1000) NOT NULL,
    PROCEDURE_NAME VARCHAR(128) NOT NULL,
    PRIMARY KEY (RULE)
)

-- name: rule_view
-- The computed views that a rule depends on, with commas around each: if one of them fails, the rule could not run.
CREATE TABLE TUNE.RULE_VIEW (
    RULE VARCHAR(60) NOT NULL,
    VIEWS VARCHAR(2000) NOT NULL
)

-- name: option
-- Thresholds of the rules and facts about the site (RULE site): the value in force and the default. PROVENANCE is the
-- origin of the value; site marks a value that the site set, which an upgrade keeps. KIND is number, text or names
-- (patterns of names separated by semicolons); CHOICES are the words that a text may be, or the
-- largest number (the smallest is 0).
CREATE TABLE TUNE.OPTION (
    RULE VARCHAR(60) NOT NULL,
    NAME VARCHAR(60) NOT NULL,
    VALUE VARCHAR(254),
    PROVENANCE VARCHAR(40) NOT NULL,
    DEFAULT_VALUE VARCHAR(254),
    DEFAULT_PROVENANCE VARCHAR(40) NOT NULL,
    KIND VARCHAR(6) NOT NULL,
    CHOICES VARCHAR(100),
    PRIMARY KEY (RULE, NAME)
)

-- name: contradiction
-- Pairs of settings of which one makes the other ineffective. A contradiction exists if each of its settings has one of
-- its STATES, separated by blanks: a value, AUTOMATIC, SET (any text), ONE, or MANY (a number above one). Its
-- meaning (MEANING) and its remedy (REMEDY) are for a person, who decides which of the two was meant. ALSO_NAME is NULL
-- if two settings are enough; its scope is UNDER_NAME's. If TIMES is not NULL, both are numbers, and the contradiction
-- exists if TIMES times the first is more than the second. DB2_WORKLOAD=UNLESS_WORKLOAD gives both settings a meaning.
CREATE TABLE TUNE.CONTRADICTION (
    SCOPE VARCHAR(3) NOT NULL,
    NAME VARCHAR(128) NOT NULL,
    STATES VARCHAR(100) NOT NULL,
    UNDER_SCOPE VARCHAR(3) NOT NULL,
    UNDER_NAME VARCHAR(128) NOT NULL,
    UNDER_STATES VARCHAR(100) NOT NULL,
    ALSO_NAME VARCHAR(128),
    ALSO_STATES VARCHAR(100),
    TIMES SMALLINT,
    UNLESS_WORKLOAD VARCHAR(20),
    MEANING VARCHAR(200) NOT NULL,
    REMEDY VARCHAR(300) NOT NULL,
    PRIMARY KEY (SCOPE, NAME, STATES, UNDER_SCOPE, UNDER_NAME)
)

-- name: accepted
-- Accepted risks: findings of RULE on objects of a name, or whose name matches a pattern that ends in an asterisk, stay
-- visible and marked, but are not ranked until the end of UNTIL_DATE (NULL: permanently). After that day they are
-- ranked again, marked as expired.
CREATE TABLE TUNE.ACCEPTED (
    RULE VARCHAR(60) NOT NULL,
    OBJECT_PATTERN VARCHAR(300) NOT NULL,
    REASON VARCHAR(1000) NOT NULL,
    UNTIL_DATE DATE,
    ACCEPTED_BY VARCHAR(128) NOT NULL,
    ACCEPTED_AT TIMESTAMP NOT NULL,
    PRIMARY KEY (RULE, OBJECT_PATTERN)
)

-- name: version
-- The installed versions of the advisor with time and user: the last row is in use.
CREATE TABLE TUNE.VERSION (
    VERSION VARCHAR(20) NOT NULL,
    INSTALLED_AT TIMESTAMP NOT NULL,
    INSTALLED_BY VARCHAR(128) NOT NULL
)
