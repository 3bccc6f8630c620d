"""An analytic model of a database server: from hardware, configuration and work to times, ratios and counters.

It knows textbooks, manuals and published measurements, and nothing of the rules that the program judges by: what a
setting does to a machine here is an independent opinion. `README.md` says what is modelled, how, and what is not.
"""
