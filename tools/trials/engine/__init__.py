"""The index advice on a real engine: PostgreSQL with hypothetical indexes (HypoPG).

``python -m tools.trials.engine`` prints the measured tables that `make bench` writes into docs/benchmarks.md.
"""
