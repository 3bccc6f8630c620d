"""The SQL as text: portable, with Db2's own names, in the right files."""
