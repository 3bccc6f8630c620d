-- How a figure answers to the size of a setting, one row per setting, so that two nights cover most of the distance:
--
-- NAME: the setting
-- ANSWER: the law; logarithmic: each doubling takes about as many percent points from the figure; threshold: below a
--   size it fails, above it does not
-- AIM_PCT: the value of the figure that is good enough, percent
-- PCT_PER_DOUBLING: percent points that one doubling takes from it
-- MOST_DOUBLINGS: doublings in one step
--
-- The figure is the part of missed lookups for caches, and the share of database time for the log buffer.
SELECT 'catalogcache_sz' AS NAME, 'logarithmic' AS ANSWER, 5 AS AIM_PCT, 8 AS PCT_PER_DOUBLING, 4 AS MOST_DOUBLINGS
FROM TUNE.RUN_DATABASE
UNION ALL
SELECT 'pckcachesz', 'logarithmic', 5, 8, 3
FROM TUNE.RUN_DATABASE
UNION ALL
SELECT 'logbufsz', 'threshold', 1, 2, 5
FROM TUNE.RUN_DATABASE
