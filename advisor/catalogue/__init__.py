"""The files in sql/ and procedures/: rules with their headers, sources, views, tables, options; as tables on SQLite."""
