"""The SQL as text: portable, of Db2's own names, in its place."""
