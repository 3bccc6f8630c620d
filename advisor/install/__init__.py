"""Bringing schema TUNE into a database, and taking it out again."""
