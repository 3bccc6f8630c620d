"""Ranked advice from a capture, or from many states at once."""
