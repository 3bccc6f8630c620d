-- Facts that Db2 cannot see about its hosts: arrays and their strips, the device of each container, the processors of
-- each NUMA node. Flat rows, imported from outside; VALUE is text as measured.
--
-- object: TUNE.HOSTFACT
SELECT
    T.HOST,     -- key VARCHAR(255)
    T.FACT_KEY, -- key VARCHAR(300)
    T.ITEM,     -- key VARCHAR(60)
    T.VALUE     -- gauge VARCHAR(1024)
FROM TUNE.HOSTFACT AS T
