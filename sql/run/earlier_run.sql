-- The finished runs before this session's: a run deletes their intermediate rows.
SELECT RUN_ID FROM TUNE.RUN WHERE FINISHED_AT IS NOT NULL AND RUN_ID < TUNE.THIS_RUN -- noqa: RF01
