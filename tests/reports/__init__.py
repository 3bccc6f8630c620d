"""What people get: reports, plans, scripts, tickets, comparisons, the nightly job."""
