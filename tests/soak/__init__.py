"""What stays bounded when the nightly job runs for years: memory, handles, threads, the store, its history.

``nights`` runs the job night after night on a clock of its own; ``python -m tests.soak`` says what was seen.
"""
