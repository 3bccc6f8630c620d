-- What Db2 cannot see of its hosts: arrays and their strips, which device a container lies on, which
-- processors belong to which NUMA node. Flat rows, brought in from outside; VALUE is text as measured.
--
-- object: TUNE.HOSTFACT
SELECT
    T.HOST,     -- key VARCHAR(255)
    T.FACT_KEY, -- key VARCHAR(300)
    T.ITEM,     -- key VARCHAR(60)
    T.VALUE     -- gauge VARCHAR(1024)
FROM TUNE.HOSTFACT AS T
