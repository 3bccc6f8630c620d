"""Communication with a Db2 server."""
