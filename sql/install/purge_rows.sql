-- Deletes the rows of snapshots and runs up to an id, from every table that has such rows. Only TUNE.PURGE calls it.
CREATE OR REPLACE PROCEDURE TUNE.PURGE_ROWS (IN P_SNAP_ID INTEGER, IN P_RUN_ID INTEGER)
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    {deletes}
END
