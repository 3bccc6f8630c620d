"""Tests of one installation on a real server."""
