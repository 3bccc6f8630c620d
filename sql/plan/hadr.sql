-- The standbys of a primary, and whether applications read on one: it forces its readers off while it replays changes
-- of objects.
SELECT
    H.STANDBY_ID,
    H.HADR_STATE,
    H.READS_ON_STANDBY_ENABLED
FROM TABLE(SYSPROC.MON_GET_HADR(-2)) AS H
ORDER BY H.STANDBY_ID
