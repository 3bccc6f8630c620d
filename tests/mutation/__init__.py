"""Whether the tests of the judgement would notice: each number, comparison and operator of its SQL changed, one by one.

``mutants`` changes one word of a file of sql/rules/, sql/model/ or sql/rank/. ``checks`` collects the tests that are
judged together (tests/support/together.py), with the states that they want and the advice that they get. ``places``
keeps those states judged in DuckDB, so that of a mutant only what reads the changed word runs again, and only over
the states in which that gives other rows; many mutants are then ranked at once, each with a state as one of its own.
A test whose advice is another one is run again with it: a mutant is killed where its assertions fail, not where
something differs. ``trial`` does this for a file, ``page`` writes docs/mutation.md.

What is not exact: a threshold is changed for its rule, not for what else reads the table of options (TOO_FEW); of what a
check wants a third time, after two rounds of advice that was carried out, nothing is judged anew; of a view a mutant is
tried in forty states at most of those that a place has; tests that are not judged together are not asked, such as
those of the ranking by hand-made findings. So a survivor may be noticed elsewhere, and none is counted that is not.

``python -m tests.mutation FILE ...`` tries files of sql/, or a sample: ``python -m tests.mutation --sample 30``.
"""
