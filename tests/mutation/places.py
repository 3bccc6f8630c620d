"""States that were judged, in DuckDB, and what a mutant makes of them.

A mutant and a state in which it gives other rows are one *trial*. Trials are numbered, and judged together: a statement
reads, of a table that a mutant changes, the rows of the trial in schema MUT, of all others those of its state in MANY.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import duckdb
from advisor.judgement.many import evaluate_states
from advisor.judgement.table_of_states import Case

from advisor.catalogue.rules import Rule
from advisor.catalogue.sqltext import references, replace_tables
from advisor.catalogue.tables import FINDING_COLUMNS
from advisor.catalogue.views import CHOICE, advice_views, candidate_views, next_choice
from advisor.judgement.advice import Advice, Record
from advisor.judgement.report_rows import REPORT, result
from advisor.judgement.run import find_needed_views, get_interval
from advisor.judgement.steps import COULD_NOT_RUN, count_written

MOST_FAR = 40  # states of rules that do not read a mutated view
MOST_CHOICES = 200  # of a list: a mutant may choose for ever
FINDING = ("RULE", *FINDING_COLUMNS)


@dataclass(frozen=True)
class Changed:
    """What a mutant is to a place: the text that it changes, or another default of an option of a rule."""

    select: str
    options: tuple[tuple[str, float, float], ...] = ()  # column, from, to


class Place:
    """Some states, each with the rules that judge it. Close it."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = cases
        self._stack = ExitStack()
        self.table = self._stack.enter_context(evaluate_states(cases))
        self.connection = self.table.connection
        self._books: set[str] = vars(self.table)["_book_tables"]
        self.rules = {rule.name: rule for _, rules in cases for rule in rules}
        self.views = find_needed_views(list(self.rules.values()))
        self.connection.execute("CREATE SCHEMA MUT")
        self._made: list[str] = []
        self._changed: set[str] = set()
        self._number = 0

    def close(self) -> None:
        self._stack.close()

    def advice(self) -> list[Advice]:
        """Return the advice for each state."""
        records = self._records([(number, number) for number in range(len(self.cases))])
        return [self._result(number, found) for number, found in enumerate(records)]

    # of a rule

    def rule_differs(self, rule: Rule, mutants: Sequence[tuple[Rule, Changed]]) -> list[dict[int, int] | None]:
        """Return for each mutant of a rule the trials, by state, in which its findings differ. Forget earlier trials.

        The result is None for a mutant that is not a valid statement.
        """
        self._forget()
        self._table("FINDING", "SELECT CAST(0 AS INTEGER) AS OF_, * EXCLUDE (OF_) FROM MANY.FINDING LIMIT 0")
        self._table("NOT_RUN", "SELECT CAST(0 AS INTEGER) AS OF_, * EXCLUDE (OF_) FROM MANY.NOT_RUN LIMIT 0")
        open_ = f"SELECT STATE, STATE AS BASE, BOOK FROM MANY.OPEN_ WHERE RULE = '{rule.name}'"
        found = [self._of_rule(rule, mutated, changed, open_) for mutated, changed in mutants]
        names = ", ".join(FINDING)
        self.connection.execute(
            f"INSERT INTO MUT.FINDING (OF_, {names}) SELECT T.STATE, {', '.join(f'F.{name}' for name in FINDING)}"
            f" FROM MUT.TRIAL AS T INNER JOIN MANY.FINDING AS F ON T.BASE = F.OF_ WHERE F.RULE <> '{rule.name}'"
        )
        self.connection.execute(
            "INSERT INTO MUT.NOT_RUN SELECT T.STATE, N.RULE, N.REASON"
            " FROM MUT.TRIAL AS T INNER JOIN MANY.NOT_RUN AS N ON T.BASE = N.OF_"
        )
        return found

    def _of_rule(self, rule: Rule, mutated: Rule, changed: Changed, open_: str) -> dict[int, int] | None:
        kept, was = "MUT.FIGURE_", rule.figures.replace("TUNE.", "MANY.")
        self.connection.execute(f"DROP TABLE IF EXISTS {kept}")
        over = f"SELECT S_.STATE AS OF_, X_.* FROM ({open_}) AS S_, LATERAL (\n{{}}\n) AS X_"
        try:
            self.connection.execute(f"CREATE TABLE {kept} AS {over.format(self._reading(changed.select, changed))}")
            if mutated.statement_of_figures == rule.statement_of_figures:
                states = self._other(kept, was)
            else:
                states = [row[0] for row in self.connection.execute(f"SELECT DISTINCT OF_ FROM {kept}").fetchall()]
            trials = self._numbered(states)
            if trials:
                text = mutated.statement_of_figures
                figure = rule.figures.removeprefix("TUNE.")
                body = replace_tables(
                    text,
                    lambda table: f"SELECT * EXCLUDE (OF_) FROM {kept} WHERE OF_ = S_.BASE" if table == figure
                    else self._rows(table, changed),
                )  # fmt: skip
                first = min(trials.values())
                self.connection.execute(
                    f"INSERT INTO MUT.FINDING (OF_, {', '.join(FINDING)}) SELECT S_.STATE, '{rule.name}', X_.*"
                    f" FROM (SELECT * FROM MUT.TRIAL WHERE STATE >= {first}) AS S_, LATERAL (\n{body}\n) AS X_"
                )
        except (duckdb.BinderException, duckdb.ParserException, duckdb.CatalogException):
            return None
        except duckdb.Error as error:  # with some values it has no result: the rule does not run there
            return self._cannot_run(rule, open_, error)
        return trials

    def _cannot_run(self, rule: Rule, open_: str, error: Exception) -> dict[int, int]:
        states = [row[0] for row in self.connection.execute(f"SELECT STATE FROM ({open_}) AS O").fetchall()]
        trials = self._numbered(states)
        reason = str(error).splitlines()[0]
        self.connection.executemany(
            "INSERT INTO MUT.NOT_RUN VALUES (?, ?, ?)", [[trial, rule.name, reason] for trial in trials.values()]
        )
        return trials

    # of a view

    def view_differs(self, name: str, texts: Sequence[str]) -> list[dict[int, int] | None]:
        """Return for each mutant of a window view the trials, by state, in which its rows differ.

        The result is None for a mutant that is not a valid statement or fails on some values. Forget earlier trials.
        """
        self._forget()
        self._table(name, f"SELECT * FROM MANY.{name} LIMIT 0")
        return [self._of_view(name, text) for text in texts]

    def _of_view(self, name: str, text: str) -> dict[int, int] | None:
        other = self._states_with_other_rows(name, text)
        if other is None:
            return None
        near = self._reading_states(name)
        far = [state for state in other if state not in near]
        step = max(1, len(far) // MOST_FAR)
        trials = self._numbered([*(state for state in other if state in near), *far[::step][:MOST_FAR]])
        if trials:
            self.connection.execute(
                f"INSERT INTO MUT.{name} SELECT T.STATE, V.* EXCLUDE (OF_) FROM MUT.TRIAL AS T"
                f" INNER JOIN MUT.VIEW_ AS V ON T.BASE = V.OF_ WHERE T.STATE >= {min(trials.values())}"
            )
        return trials

    def _states_with_other_rows(self, name: str, text: str) -> list[int] | None:
        """Return the states in which a view with this text has other rows; None if it cannot be evaluated."""
        states = "SELECT STATE, STATE AS BASE, BOOK FROM MANY.STATE_"
        body = self._reading(text, Changed(text), base_only=True)
        try:
            self.connection.execute(
                "CREATE OR REPLACE TABLE MUT.VIEW_ AS SELECT S_.STATE AS OF_, X_.*"
                f" FROM ({states}) AS S_, LATERAL (\n{body}\n) AS X_"
            )
        except duckdb.Error:
            return None
        return self._other("MUT.VIEW_", f"MANY.{name}")

    def _reading_states(self, name: str) -> set[int]:
        """Return the states whose rules read a view, directly or through others."""
        reached = {name}
        for view, sql in self.views.items():
            if references(sql) & reached:
                reached.add(view)
        readers = [rule.name for rule in self.rules.values() if references(rule.statement) & reached]
        found = self.connection.execute(
            "SELECT DISTINCT S.STATE FROM MANY.STATE_ AS S INNER JOIN MANY.RULE AS R ON R.OF_ = S.BOOK"
            " WHERE LIST_CONTAINS(?, R.RULE)", [readers]
        )  # fmt: skip
        return {state for (state,) in found.fetchall()}

    def judge_views(self) -> None:
        """Make what reads the mutated view and gets other rows by it, up to the findings, for all trials."""
        for name, sql in self.views.items():
            if name not in self._changed and references(sql) & self._changed:
                self._table(name, self._over(sql))
                if not self._other(f"MUT.{name}", f"({self._of_base(name)})"):
                    self._changed.discard(name)
        gate = "GATE" in self._changed
        self._table("NOT_RUN", self._of_base("NOT_RUN") + (" WHERE B.REASON LIKE 'failed:%'" if gate else ""))
        if gate:
            self.connection.execute(f"INSERT INTO MUT.NOT_RUN {self._over(COULD_NOT_RUN)}")
        gates, of = ("MUT.GATE", "T.STATE") if gate else ("MANY.GATE", "T.BASE")
        self.connection.execute(
            "CREATE OR REPLACE TABLE MUT.OPEN_ AS SELECT T.*, R.RULE FROM MUT.TRIAL AS T INNER JOIN MANY.RULE AS R"
            f" ON R.OF_ = T.BOOK WHERE NOT EXISTS (SELECT 1 FROM {gates} AS G WHERE G.OF_ = {of} AND G.RULE = R.RULE)"
            " AND NOT EXISTS (SELECT 1 FROM MUT.NOT_RUN AS N WHERE N.OF_ = T.STATE AND N.RULE = R.RULE)"
        )
        self._table("FINDING", self._of_base("FINDING"))
        changed = self._changed - {"FINDING", "NOT_RUN"}
        for rule in self.rules.values():
            if gate or references(rule.statement) & changed:
                self._find(rule)

    def _find(self, rule: Rule) -> None:
        """Replace the rule's findings in the states with its findings in the trials."""
        states = f"SELECT STATE, BASE, BOOK FROM MUT.OPEN_ WHERE RULE = '{rule.name}'"
        self.connection.execute(f"DELETE FROM MUT.FINDING WHERE RULE = '{rule.name}'")
        if not self.connection.execute(states).fetchone():
            return
        try:
            self.connection.execute(
                f"INSERT INTO MUT.FINDING (OF_, {', '.join(FINDING)}) SELECT X.OF_, '{rule.name}',"
                f" X.* EXCLUDE (OF_) FROM ({self._over(rule.statement, states)}) AS X"
            )
        except duckdb.Error as error:
            self.connection.execute(
                f"INSERT INTO MUT.NOT_RUN SELECT STATE, '{rule.name}', ? FROM ({states}) AS S", [str(error)[:200]]
            )

    def _of_base(self, name: str) -> str:
        """The rows of a table that the trials have of their states."""
        return f"SELECT T.STATE AS OF_, B.* EXCLUDE (OF_) FROM MUT.TRIAL AS T INNER JOIN MANY.{name} AS B ON T.BASE = B.OF_"

    # of all

    def rank(self, mutated: Mapping[str, str] | None = None) -> None:
        """Make the lists of all trials of their findings; ``mutated`` are texts in place of those of sql/rank/."""
        views = mutated or {}
        self._table("CHOSEN", "SELECT * FROM MANY.CHOSEN LIMIT 0")
        self._keep(candidate_views(), views)
        left, number = "SELECT * FROM MUT.TRIAL", 0
        chooses = views.get(CHOICE, next_choice())
        while number < MOST_CHOICES and count_written(
            self.connection.execute(f"INSERT INTO MUT.CHOSEN {self._over(chooses, left)}")
        ):
            number += 1
            left = (
                "SELECT T.* FROM MUT.TRIAL AS T INNER JOIN MUT.CHOSEN AS C ON T.STATE = C.OF_"
                f" WHERE C.CHOICE_NO = {number}"
            )
        self._keep(advice_views(), views)

    def _keep(self, views: Mapping[str, str], mutated: Mapping[str, str]) -> None:
        for name, sql in views.items():
            if name in mutated or references(sql) & self._changed:
                self._table(name, self._over(mutated.get(name, sql)))

    def trial_advice(self) -> dict[int, Advice]:
        """Return the advice in each trial."""
        trials = self.connection.execute("SELECT STATE, BASE FROM MUT.TRIAL ORDER BY STATE").fetchall()
        records = self._records(trials)
        return {trial: self._result(base, found) for (trial, base), found in zip(trials, records, strict=True)}

    def _result(self, base: int, found: dict[str, list[Record]]) -> Advice:
        state, rules = self.cases[base]
        return result(found, list(rules), state.database, get_interval(state), state.options)

    def _records(self, trials: list[tuple[int, int]]) -> list[dict[str, list[Record]]]:
        number = {trial: place for place, (trial, _) in enumerate(trials)}
        of_base: dict[int, list[int]] = {}
        for trial, base in trials:
            of_base.setdefault(base, []).append(trial)
        found: list[dict[str, list[Record]]] = [{name: [] for name in REPORT} for _ in trials]
        for name in REPORT:
            of_trial = name in self._changed
            cursor = self.connection.execute(f"SELECT * FROM {'MUT' if of_trial else 'MANY'}.{name}")
            names = [column[0] for column in cursor.description]
            own = names.index("OF_")
            for row in cursor.fetchall():
                record = {column: value for column, value in zip(names, row, strict=True) if column != "OF_"}
                for trial in [row[own]] if of_trial else of_base.get(row[own], ()):
                    found[number[trial]][name].append(record)
        return found

    def _forget(self) -> None:
        for name in self._made:
            self.connection.execute(f"DROP TABLE MUT.{name}")
        self._made, self._changed, self._number = [], set(), 0
        self.connection.execute("CREATE OR REPLACE TABLE MUT.TRIAL (STATE INTEGER, BASE INTEGER, BOOK INTEGER)")

    def ranking_differs(self, name: str, text: str) -> dict[int, int] | None:
        """Return the trials of a mutant of sql/rank/, ranked; None for one that is not a valid statement.

        They are states in which its rows differ, or for the statement that chooses, states with findings.
        """
        self._forget()
        if name == CHOICE:
            found = "SELECT DISTINCT OF_ FROM MANY.FINDING ORDER BY 1"
            states: list[int] | None = [row[0] for row in self.connection.execute(found).fetchall()]
        else:
            states = self._states_with_other_rows(name, text)
        if states is None:
            return None
        trials = self._numbered(states)
        if not trials:
            return trials
        try:
            self.rank({name: text})
        except duckdb.Error:
            return None
        return trials

    def _numbered(self, states: Sequence[int]) -> dict[int, int]:
        trials = {state: self._number + number for number, state in enumerate(states)}
        self._number += len(trials)
        if trials:
            self.connection.execute(
                "INSERT INTO MUT.TRIAL SELECT T.NEW, S.STATE, S.BOOK FROM (SELECT UNNEST(?) AS OLD, UNNEST(?) AS NEW)"
                " AS T INNER JOIN MANY.STATE_ AS S ON T.OLD = S.STATE",
                [list(trials), list(trials.values())],
            )
        return trials

    def _other(self, one: str, two: str) -> list[int]:
        """The states in which two tables have other rows."""
        apart = f"((FROM {one} EXCEPT ALL FROM {two}) UNION ALL (FROM {two} EXCEPT ALL FROM {one}))"
        return [row[0] for row in self.connection.execute(f"SELECT DISTINCT OF_ FROM {apart} ORDER BY 1").fetchall()]

    def _table(self, name: str, select: str) -> None:
        self.connection.execute(f"CREATE TABLE MUT.{name} AS {select}")
        self._made.append(name)
        self._changed.add(name)

    def _over(self, sql: str, trials: str = "SELECT * FROM MUT.TRIAL") -> str:
        return f"SELECT S_.STATE AS OF_, X_.* FROM ({trials}) AS S_, LATERAL (\n{self._reading(sql, Changed(sql))}\n) AS X_"

    def _reading(self, sql: str, changed: Changed, base_only: bool = False) -> str:
        return replace_tables(sql, lambda table: self._rows(table, changed, base_only))

    def _rows(self, table: str, changed: Changed, base_only: bool = False) -> str:
        if table in self._changed and not base_only:
            return f"SELECT * EXCLUDE (OF_) FROM MUT.{table} WHERE OF_ = S_.STATE"
        columns = "* EXCLUDE (OF_)"
        if changed.options and table.startswith("O_") and table != "O_SITE":
            columns += " REPLACE (" + ", ".join(
                f"CASE WHEN {name} = {old!r} THEN {new!r} ELSE {name} END AS {name}" for name, old, new in changed.options
            ) + ")"  # fmt: skip
        owner = "S_.BOOK" if table in self._books else "S_.BASE"
        return f"SELECT {columns} FROM MANY.{table} WHERE OF_ = {owner}"
