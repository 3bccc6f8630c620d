-- Which version of the advisor was installed when, and by whom: the last row is the one in place.
CREATE TABLE TUNE.VERSION (
    VERSION VARCHAR(20) NOT NULL,
    INSTALLED_AT TIMESTAMP NOT NULL,
    INSTALLED_BY VARCHAR(128) NOT NULL
)
