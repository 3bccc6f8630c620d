"""Everything that speaks to a Db2 server."""
