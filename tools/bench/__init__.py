"""The budgets of the program, measured: ``python -m tools.bench [report.md]`` (make bench)."""
