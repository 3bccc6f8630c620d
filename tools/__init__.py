"""Development tools that are not tests."""
