-- The schema itself, now that it is empty.
DROP SCHEMA TUNE RESTRICT
