"""Bounds of a nightly job that runs for years: memory, handles, threads, the store, its history.

``nights`` runs the job every night on a simulated clock; ``python -m tests.soak`` prints the result.
"""
