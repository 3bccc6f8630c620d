"""Faults at every point: what the program does to files is killed or failed at each call, and what is left is looked at."""
