-- Checks before anything is created: the rows of schema TUNE need pages of 8 KB. {where} selects the table spaces for
-- tables, or the named one.
BEGIN
    IF (SELECT MAX(PAGESIZE) FROM SYSCAT.TABLESPACES WHERE {where}) < 8192 THEN
        SIGNAL SQLSTATE '70083' SET MESSAGE_TEXT = 'no table space with pages of 8 KB: db2tune doctor has the commands';
    END IF;
END
