-- The installed versions of the advisor with time and user: the last row is in use.
CREATE TABLE TUNE.VERSION (
    VERSION VARCHAR(20) NOT NULL,
    INSTALLED_AT TIMESTAMP NOT NULL,
    INSTALLED_BY VARCHAR(128) NOT NULL
)
