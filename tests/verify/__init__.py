"""Verification of changes: histories with a known effect, and their verdicts."""
