"""The headers of rules: their files, and the SQL that they become."""
