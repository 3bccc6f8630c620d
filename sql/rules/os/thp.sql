-- rule:      os.thp
-- title:     The kernel joins pages into huge ones on its own
-- area:      os
-- lane:      H
-- effect:    HR
-- applies:   platform=Linux; not=managed
-- evidence:  host
-- needs:     host.thp, system.MEMORY_TOTAL
-- threshold: min_memory_gb = 16 -- [prop] a smaller host has too few pages for the search to be felt
-- source:    Red Hat and Oracle documentation (transparent huge pages off or on request for databases)
-- why:       To make a huge page the kernel has to find or clear room for it, at the moment when a process asks for
--            memory or from behind while it runs. Databases see that as stalls.
-- not-if:    It is madvise or never; less than 16 GB of memory; a container, which has its host's setting.
-- note:      No statement of IBM for Db2 was found, and Db2's shared memory is not what the setting is about: low
--            confidence, no benefit claimed. Large pages for it are os.large-pages-linux.
SELECT
    'HOST' AS OBJECT_TYPE,
    K.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'HOST:' || K.HOST_NAME || ':transparent_hugepage' AS TARGET,
    K.THP AS CURRENT_VALUE,
    'madvise' AS PROPOSED_VALUE,
    'kernel setting' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'echo madvise > /sys/kernel/mm/transparent_hugepage/enabled' || CHR(10)
    || '-- Keep it over a restart: kernel argument transparent_hugepage=madvise' AS ACTION_TEXT,
    'echo always > /sys/kernel/mm/transparent_hugepage/enabled' AS UNDO_TEXT,
    'thp=' || K.THP || '; MEMORY_TOTAL=' || CAST(K.MEMORY_TOTAL AS VARCHAR(20)) AS EVIDENCE,
    'Transparent huge pages are always on: every process pays for the search of huge pages, whether it gains by them '
    || 'or not.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.HOST_KERNEL AS K
CROSS JOIN TUNE.O_OS_THP AS O
LEFT JOIN TUNE.HOST_FACT AS V ON K.HOST_NAME = V.HOST AND V.FACT_KEY = 'virtual' AND V.ITEM = 'type'
WHERE
    K.THP = 'always'
    AND K.RAM_GB >= O.MIN_MEMORY_GB
    AND COALESCE(V.VALUE, 'none') <> 'docker'
