"""Mutation tests of the judgement's SQL: change each number, comparison and operator, and run the tests against it.

``mutants`` changes one word of a file of sql/rules/, sql/model/ or sql/rank/. ``checks`` collects the tests that are
judged together (tests/support/together.py), with the states they ask for and the advice they get. ``places`` keeps
those states judged in DuckDB. For each mutant it runs only the code that reads the changed word, and only over the
states in which the rows change. Many mutants are then ranked at once, each with its state. If a test's advice changes,
the test is run again with the new advice: a mutant is killed if an assertion fails, not if rows differ. ``trial`` does
this for a file, ``page`` writes docs/mutation.md.

Limits:

- The numbers of the site are not changed (sql/schema/site_options.csv); edges of the rules' cases test them.
- After two rounds of advice that was carried out, a check's third request is not judged again.
- A mutant of a view is tried in all states whose rules read it, and in at most forty others of a place.
- Tests that are not judged together do not take part, such as tests of the ranking with handmade findings.

So another test may notice a survivor, but no mutant is counted as noticed that was not.

``python -m tests.mutation FILE ...`` tries files of sql/, or a sample: ``python -m tests.mutation --sample 30``.
"""
