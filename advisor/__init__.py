"""Tuning advice for Db2 on Linux, UNIX and Windows, ranked by measured database time."""

__version__ = "0.1.0"
