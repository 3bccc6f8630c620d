"""The verification of changes: a comparison of similar intervals before and after a change, and its verdict.

changed        settings that changed between two captures
comparable     the selection of comparable intervals
from_captures  the verdict from captures
days           days from intervals, the unit of the statistics
measured       the measurements of an interval
nights         verdicts on a database's changes, night by night
promises       promises of index advice, statement by statement
reading        the intervals of captures
regressed      a stored regression, its text and JSON
regression     the start of a regression
show           the text and JSON of a verdict
statements     statements that became slower
statistics     the size of a change and its bounds
store          measurements, changes, verdicts, regressions and lessons as tables
unexplained    regressions without a known cause
verdict        confirmed, no effect, harmful or inconclusive
"""
