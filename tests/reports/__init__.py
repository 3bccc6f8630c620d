"""Outputs: reports, plans, scripts, tickets, comparisons, the nightly job."""
