"""What the files of sql/ and procedures/ say: rules, sources, views, tables, options."""
