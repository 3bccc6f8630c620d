"""The choice of indexes for a workload.

selection   the set of indexes that saves most under a budget, from the costs of each statement with each combination
"""
