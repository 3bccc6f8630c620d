"""Mutation tests of the judgement's SQL: change each number, comparison and operator, and run the tests against it.

``mutants`` changes one word of a file of sql/rules/, sql/model/ or sql/rank/. ``checks`` lists the tests. ``trial`` runs
one without a change, and ``comparison`` computes each mutant in the tables of its states. If findings or the list differ,
the test is run again with the mutant in place of the original. A mutant is noticed if an assertion fails or its statement
takes too long, not if rows differ. ``run`` spreads the trials over processes, and ``page`` writes docs/mutation.md.

Limits:

- The numbers of the site are not changed (sql/schema/site_options.csv); edges of the rules' cases test them.
- A mutant of a view is tried in the cases of the rules that read it, one of the ranking in the first case of each rule.
- Tests that need a fixture do not take part.

So another test may notice a survivor, but no mutant is counted as noticed that was not.

``python -m tools.trials.mutation rules/lock`` tries the files of a folder of sql/, and ``--sample 200`` a sample of them.
"""
