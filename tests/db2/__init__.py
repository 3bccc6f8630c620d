"""Connecting to Db2, what the doctor says of it, and what installs schema TUNE."""
