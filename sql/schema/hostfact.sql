-- Facts about the hosts that Db2 cannot see, imported from outside as flat rows.
CREATE TABLE TUNE.HOSTFACT (
    HOST VARCHAR(255) NOT NULL,
    FACT_KEY VARCHAR(300) NOT NULL,
    ITEM VARCHAR(60) NOT NULL,
    VALUE VARCHAR(1024),
    PRIMARY KEY (HOST, FACT_KEY, ITEM)
)
