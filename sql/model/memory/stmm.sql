-- Self-tuning memory, one row. It tunes memory areas that are AUTOMATIC, and needs two to have something to trade. It
-- tunes the sort heap only if all sorts are shared.
--
-- SWITCH: ON or OFF; NULL if it is unknown, pending, or members differ
-- WANTED: 0 if the site sizes memory manually on purpose, or the level has no self-tuning; an unknown level has it, if
--   its switch is known
-- CONSUMERS: number of areas that it tunes
-- SORT_TUNED: 1 if it tunes the sort heap
-- ANALYTICS: 1 if the database is set up for column-organized tables
-- LARGE_PAGES: 1 if the memory of the database is pinned in a fixed layout
-- ACTIVE: 1 if it is on, wanted and has work to do
WITH SETTING AS (
    SELECT
        MAX(CASE
            WHEN NAME <> 'self_tuning_mem' OR FIXED = 0 THEN NULL
            WHEN VALUE LIKE 'ON%' THEN 'ON'
            ELSE 'OFF'
        END) AS SWITCH,
        SUM(CASE WHEN NAME IN ('locklist', 'pckcachesz', 'database_memory') THEN AUTOMATIC ELSE 0 END) AS AREAS,
        COALESCE(MAX(CASE WHEN NAME = 'sortheap' THEN AUTOMATIC END), 0) AS SORT_AUTOMATIC,
        COALESCE(MAX(CASE WHEN NAME = 'sheapthres' THEN NUM END), 0) AS SHEAPTHRES
    FROM TUNE.SETTING
),
POOL AS (
    SELECT COUNT(*) AS POOLS FROM TUNE.D_CAT_BUFFERPOOL WHERE NPAGES = -2
),
VARIABLE AS (
    SELECT
        COALESCE(MAX(CASE WHEN NAME = 'DB2_WORKLOAD' AND VALUE = 'ANALYTICS' THEN 1 END), 0) AS ANALYTICS,
        COALESCE(MAX(CASE WHEN NAME = 'DB2_LARGE_PAGE_MEM' AND VALUE IS NOT NULL THEN 1 END), 0) AS LARGE_PAGES
    FROM TUNE.CONFIG
    WHERE SCOPE = 'REG'
),
STATE AS (
    SELECT
        S.SWITCH,
        CASE
            WHEN COALESCE(DB.DB2_LEVEL, 9010000) >= 9010000 AND COALESCE(SITE.STMM, 'ON') <> 'OFF' THEN 1
            ELSE 0
        END AS WANTED,
        COALESCE(S.AREAS, 0) + P.POOLS AS CONSUMERS,
        CASE WHEN S.SORT_AUTOMATIC = 1 AND S.SHEAPTHRES = 0 AND V.ANALYTICS = 0 THEN 1 ELSE 0 END AS SORT_TUNED,
        V.ANALYTICS,
        V.LARGE_PAGES
    FROM SETTING AS S
    CROSS JOIN POOL AS P
    CROSS JOIN VARIABLE AS V
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.RUN_DATABASE AS DB
)
SELECT
    STATE.*,
    CASE WHEN SWITCH = 'ON' AND WANTED = 1 AND (CONSUMERS >= 2 OR SORT_TUNED = 1) THEN 1 ELSE 0 END AS ACTIVE
FROM STATE
