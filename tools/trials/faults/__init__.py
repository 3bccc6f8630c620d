"""Faults at every point: each file operation of the program is killed or failed, and the remains are checked."""
