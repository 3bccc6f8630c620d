"""Examination of a server for missing privileges and functions."""
