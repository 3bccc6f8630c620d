-- The kind of work of each table space and each buffer pool (KIND), in the terms of WORKLOAD_CLASS: P_BI, P_OLTP,
-- CLASS. One half is the class of the database, the other the object's own read pattern: the part of its pages that
-- prefetchers read (below 20 % OLTP, above 60 % BI). An object with fewer than 1,000 physical reads has the database's
-- class, as does one whose table spaces do not prefetch: its scans look like random reads. A class that the site
-- declared is final.
WITH PREFETCHED AS (
    SELECT
        BUFFERPOOLID,
        TBSPACE,
        CASE WHEN PREFETCHSIZE = 0 THEN 0 ELSE 1 END AS PREFETCHES
    FROM TUNE.D_CAT_TABLESPACE
),
PAGES (KIND, NAME, PHYSICAL_READS, ASYNC_READS) AS (
    SELECT
        'TABLESPACE' AS KIND,
        TBSP_NAME AS NAME,
        SUM(PHYSICAL_READS) AS PHYSICAL_READS,
        SUM(ASYNC_READS) AS ASYNC_READS
    FROM TUNE.TABLESPACE_READS
    GROUP BY TBSP_NAME
    UNION ALL
    SELECT
        'BUFFERPOOL',
        BP_NAME,
        SUM(
            COALESCE(POOL_DATA_P_READS, 0) + COALESCE(POOL_INDEX_P_READS, 0)
            + COALESCE(POOL_XDA_P_READS, 0) + COALESCE(POOL_COL_P_READS, 0)
            + COALESCE(POOL_TEMP_DATA_P_READS, 0) + COALESCE(POOL_TEMP_INDEX_P_READS, 0)
            + COALESCE(POOL_TEMP_XDA_P_READS, 0) + COALESCE(POOL_TEMP_COL_P_READS, 0)
        ),
        SUM(
            COALESCE(POOL_ASYNC_DATA_READS, 0) + COALESCE(POOL_ASYNC_INDEX_READS, 0)
            + COALESCE(POOL_ASYNC_XDA_READS, 0) + COALESCE(POOL_ASYNC_COL_READS, 0)
        )
    FROM TUNE.D_BUFFERPOOL
    GROUP BY BP_NAME
),
CHANCE AS (
    SELECT
        G.KIND,
        G.NAME,
        CASE
            WHEN
                WORK.DECLARED IN ('BI', 'OLTP') OR G.PHYSICAL_READS < CONST.LEAST_READS OR N.PREFETCHES = 0
                THEN WORK.P_BI
            WHEN G.ASYNC_PART >= 0.6 THEN (WORK.P_BI + 1) / CAST(2 AS DOUBLE)
            WHEN G.ASYNC_PART <= 0.2 THEN WORK.P_BI / CAST(2 AS DOUBLE)
            ELSE (WORK.P_BI + (G.ASYNC_PART - 0.2) / CAST(0.4 AS DOUBLE)) / CAST(2 AS DOUBLE)
        END AS P_BI
    FROM (
        SELECT PAGES.*, CAST(ASYNC_READS AS DOUBLE) / NULLIF(PHYSICAL_READS, 0) AS ASYNC_PART
        FROM PAGES
    ) AS G
    LEFT JOIN (
        SELECT
            'TABLESPACE' AS KIND,
            TBSPACE AS NAME,
            MAX(PREFETCHES) AS PREFETCHES
        FROM PREFETCHED
        GROUP BY TBSPACE
        UNION ALL
        SELECT
            'BUFFERPOOL',
            CATPOOL.BPNAME,
            MAX(S.PREFETCHES)
        FROM PREFETCHED AS S
        INNER JOIN TUNE.D_CAT_BUFFERPOOL AS CATPOOL ON S.BUFFERPOOLID = CATPOOL.BUFFERPOOLID
        GROUP BY CATPOOL.BPNAME
    ) AS N ON G.KIND = N.KIND AND G.NAME = N.NAME
    CROSS JOIN TUNE.WORKLOAD_CLASS AS WORK
    CROSS JOIN TUNE.CONSTANT AS CONST
)
SELECT
    KIND,
    NAME,
    P_BI,
    1 - P_BI AS P_OLTP,
    CASE WHEN P_BI >= CONST.BI_P_BI THEN 'BI' WHEN P_BI <= CONST.OLTP_P_BI THEN 'OLTP' ELSE 'mixed' END AS CLASS
FROM CHANCE
CROSS JOIN TUNE.CONSTANT AS CONST
