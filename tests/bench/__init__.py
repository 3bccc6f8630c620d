"""The budgets of the program, measured: ``python -m tests.bench [report.md]`` (make bench)."""
