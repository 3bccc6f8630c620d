"""Whether a change helped: intervals before and after it, compared like with like, and what follows from it.

measured    an interval as a change is judged by it
reading     the intervals of captures
comparable  which intervals are compared
statistics  by how much something changed, and how sure that is
verdict     confirmed, no effect, harmful or inconclusive
show        the verdict as text and as JSON
"""
