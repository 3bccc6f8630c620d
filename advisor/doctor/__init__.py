"""What a database is, and what it lacks for the advisor."""
