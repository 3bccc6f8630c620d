"""An analytic model of a database server: from hardware, configuration and work to times, ratios and counters.

It rests on textbooks, manuals and published measurements, and on none of the program's rules: its prediction for a
setting is an independent opinion. `README.md` describes what is modelled, how, and what is not.
"""
