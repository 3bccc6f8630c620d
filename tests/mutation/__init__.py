"""Mutation tests of the judgement's SQL: change each number, comparison and operator, and run the tests against it.

``mutants`` changes one word of a file of sql/rules/, sql/model/ or sql/rank/. ``trial`` judges the cases of the rule, or of
rules that read the view, and then the machines with expected advice, until one of them notices the change: a
mutant is noticed if an expectation fails, not if rows differ. ``by_hand`` runs the tests of the ranking with handmade
findings. ``page`` writes docs/mutation.md.

Limits:

- The numbers of the site are not changed (sql/schema/site_options.csv); edges of the rules' cases test them.
- A mutant of a view is tried in at most some sixty cases.
- Other tests, such as advice that is carried out, do not take part.

So another test may notice a survivor, but no mutant is counted as noticed that was not.

``python -m tests.mutation FILE ...`` tries files of sql/, or a sample: ``python -m tests.mutation --sample 30``.
"""
