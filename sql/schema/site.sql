-- Tables of the site: accepted findings, and the installed versions.

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
