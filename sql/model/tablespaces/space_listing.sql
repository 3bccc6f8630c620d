-- Whether all table spaces are known, one row: WHOLE is 1 unless an imported text may contain only some of them, which
-- it does not if their numbers have no gap.
SELECT CASE WHEN T.SPACES = T.MOST_ID + 1 OR N.TEXTS = 0 THEN 1 ELSE 0 END AS WHOLE
FROM (SELECT COUNT(*) AS SPACES, MAX(TBSP_ID) AS MOST_ID FROM TUNE.TABLESPACE) AS T
CROSS JOIN (SELECT COUNT(*) AS TEXTS FROM TUNE.NOT_COLLECTED WHERE REASON = 'not in the imported text') AS N
