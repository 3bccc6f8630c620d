"""Connections to Db2, the doctor's report, and the installation of schema TUNE."""
