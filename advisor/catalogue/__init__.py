"""Content of the files in sql/ and procedures/: rules, sources, views, tables, options."""
