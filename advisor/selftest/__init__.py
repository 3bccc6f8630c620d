"""Tests that need a real server, with results that users can share."""
