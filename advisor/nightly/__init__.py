"""The nightly job: read each database twice, judge it, store the run, compare it with the previous one and notify."""
