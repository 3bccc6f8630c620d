"""The verification of changes: a comparison of similar intervals before and after a change, and its verdict.

changed        settings that changed between two captures
comparable     the selection of comparable intervals
from_captures  the verdict from captures
lessons        lessons from verdicts
measured       the measurements of an interval
nights         verdicts on a database's changes, night by night
plans          statements with a slower plan than in earlier nights
reading        the intervals of captures
regressed      a stored regression, its text and JSON
regression     the start of a regression
show           the text and JSON of a verdict
statistics     the size of a change and its bounds
store          measurements, changes, verdicts, regressions and lessons as tables
unexplained    regressions without a known cause
verdict        confirmed, no effect, harmful or inconclusive
worse          statements that changed with a regression
"""
