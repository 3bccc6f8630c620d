"""Many states in one database: the tables of a run in schema MANY, with a first column that identifies the state."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from advisor.capture import Capture
from advisor.capture.rows import acceptance_rows, run_rows
from advisor.capture.together import load
from advisor.catalogue.options import option_rows, option_views
from advisor.catalogue.rows import rule_rows
from advisor.catalogue.rules import Rule
from advisor.catalogue.sources import all_sources
from advisor.catalogue.sqltext import replace_tables
from advisor.catalogue.tables import run_tables, snapshot_columns
from advisor.catalogue.views import batches, next_choice
from advisor.files import temporary
from advisor.judgement.observed import Observed
from advisor.judgement.steps import count_written
from advisor.parallel import run_in_sessions
from advisor.quoting import quote_path

if TYPE_CHECKING:
    import duckdb

Case = tuple[Observed | Capture, Sequence[Rule]]  # a state and the rules that judge it


class TableOfStates:
    """The states of cases, numbered from 0, with their rules, in an empty database.

    States with the same rules and options share one book: the database contains the book's rows once.
    """

    schema = "MANY"
    key_columns: tuple[str, ...] = ("OF_",)

    def __init__(
        self, connection: "duckdb.DuckDBPyConnection", cases: Sequence[Case], rules: Iterable[Rule] = ()
    ) -> None:
        self.connection = connection
        self._book_tables: set[str] = set()
        self._books: list[int] = []  # of each state
        self._create()
        with temporary() as folder, _Files(folder) as files:
            self._write(cases, files)
            files.load(connection)
        each, only_one = "SELECT DISTINCT BOOK AS STATE, BOOK FROM MANY.STATE_", len(set(self._books)) == 1
        for name, select in option_views(list(rules)):
            table = name.removeprefix("TUNE.")
            self._book_tables.add(table)
            rows = self.select_state(select, 0) if only_one else self.select_all_states(select, each)
            connection.execute(f"CREATE TABLE MANY.{table} AS {rows}")

    def keep(self, views: dict[str, str]) -> None:
        """Store each view as a table."""
        for batch in batches(views):
            run_in_sessions(self.connection, self._keep, batch.items())

    def build(self, views: dict[str, str]) -> dict[int, dict[str, Exception]]:
        """Store each view as a table, without rows for states in which it fails; return errors by state and view."""
        import duckdb

        broken: dict[int, dict[str, Exception]] = {}

        def build(session: "duckdb.DuckDBPyConnection", view: tuple[str, str]) -> None:
            try:
                self._keep(session, view)
            except duckdb.Error:
                for state, error in self._keep_each(session, *view):
                    broken.setdefault(state, {})[view[0]] = error

        for batch in batches(views):
            run_in_sessions(self.connection, build, batch.items())
        return broken

    def _keep(self, session: "duckdb.DuckDBPyConnection", view: tuple[str, str]) -> None:
        name, select = view
        session.execute(f"CREATE TABLE MANY.{name} AS {self.select_all_states(select)}")

    def _keep_each(
        self, session: "duckdb.DuckDBPyConnection", name: str, select: str
    ) -> Iterator[tuple[int, Exception]]:
        """Store a failed view state by state; yield the states in which it fails, with the error."""
        import duckdb

        session.execute(f"CREATE TABLE MANY.{name} AS SELECT * FROM ({self.select_all_states(select)}) AS X LIMIT 0")
        for state in range(len(self._books)):
            try:
                session.execute(f"INSERT INTO MANY.{name} {self.select_state(select, state)}")
            except duckdb.Error as error:
                yield state, error

    def select_all_states(self, sql: str, states: str = "SELECT STATE, BOOK FROM MANY.STATE_") -> str:
        """Return a statement over all states, or over those of a SELECT; its first column OF_ identifies the state."""
        if len(self._books) == 1:
            return self.select_state(sql, 0)  # faster
        body = self._reading(sql, "S_.STATE", "S_.BOOK")
        return f"SELECT S_.STATE AS OF_, X_.* FROM ({states}) AS S_, LATERAL (\n{body}\n) AS X_"

    def select_states(self, sql: str, rule: str | None = None, found_in: str | None = None) -> str:
        """Return a statement over all states, or those that are open to a rule, or also in a table of its figures."""
        if rule is None:
            return self.select_all_states(sql)
        found = f" AND STATE IN (SELECT OF_ FROM {found_in})" if found_in else ""
        return self.select_all_states(sql, f"SELECT STATE, BOOK FROM MANY.OPEN_ WHERE RULE = '{rule}'{found}")

    def select_state(self, sql: str, state: int) -> str:
        """Return a statement over a single state, which reads no rows of other states."""
        return f"SELECT {state} AS OF_, X_.* FROM (\n{self._reading(sql, state, self._books[state])}\n) AS X_"

    def open_rules(self) -> dict[str, list[int]]:
        """Create OPEN_ with the states that pass the gates of each rule, and return them."""
        self.connection.execute(
            "CREATE TABLE MANY.OPEN_ AS SELECT S.STATE, S.BOOK, R.RULE FROM MANY.STATE_ AS S"
            " INNER JOIN MANY.RULE AS R ON R.OF_ = S.BOOK"
            " WHERE NOT EXISTS (SELECT 1 FROM MANY.GATE AS G WHERE G.OF_ = S.STATE AND G.RULE = R.RULE)"
            " AND NOT EXISTS (SELECT 1 FROM MANY.NOT_RUN AS N WHERE N.OF_ = S.STATE AND N.RULE = R.RULE)"
        )
        found: dict[str, list[int]] = {}
        for rule, state in self.connection.execute("SELECT RULE, STATE FROM MANY.OPEN_").fetchall():
            found.setdefault(rule, []).append(state)
        return found

    def key(self, state: int) -> list[int]:
        return [state]

    def choose(self) -> None:
        """Fill CHOSEN: repeat one choice per state until no state has a contender."""
        left = "SELECT STATE, BOOK FROM MANY.STATE_ WHERE STATE IN (SELECT OF_ FROM MANY.CHOICE_CONTENDER)"
        number = 0
        while count_written(
            self.connection.execute(f"INSERT INTO MANY.CHOSEN {self.select_all_states(next_choice(), left)}")
        ):
            number += 1
            left = (
                "SELECT S.STATE, S.BOOK FROM MANY.STATE_ AS S INNER JOIN MANY.CHOSEN AS C ON S.STATE = C.OF_"
                f" WHERE C.CHOICE_NO = {number}"
            )

    def owner(self, table: str, state: int) -> int:
        """Return the number that identifies a state's rows in a table."""
        return self._books[state] if table in self._book_tables else state

    def _reading(self, sql: str, state: str | int, book: str | int) -> str:
        def rows(table: str) -> str:
            owner = book if table in self._book_tables else state
            return f"SELECT * EXCLUDE (OF_) FROM MANY.{table} WHERE OF_ = {owner}"

        return replace_tables(sql, rows)

    def _create(self) -> None:
        """Create the tables of a run and its snapshots without keys, because key values repeat for each state."""
        execute = self.connection.execute
        execute("CREATE SCHEMA MANY")
        execute("CREATE TABLE MANY.STATE_ (STATE INTEGER, BOOK INTEGER)")
        for table, columns in snapshot_columns().items():
            execute(f"CREATE TABLE {table} ({columns})")
        for table in [*(f"TUNE.{name}" for name in run_tables()), *snapshot_columns()]:
            execute(
                f"CREATE TABLE {table.replace('TUNE.', 'MANY.')} AS SELECT CAST(0 AS INTEGER) AS OF_, * FROM {table}"
            )

    def _write(self, cases: Sequence[Case], files: "_Files") -> None:
        captures = {number: state for number, (state, _) in enumerate(cases) if isinstance(state, Capture)}
        if captures:
            load(self.connection, captures)
        books: dict[tuple[tuple[int, ...], str], int] = {}
        for number, (state, rules) in enumerate(cases):
            if isinstance(state, Observed):
                files.write_sources(number, state)
            for table, row in [*run_rows(state), *acceptance_rows(state)]:
                files.write_row(table, number, row)
            known = tuple(id(rule) for rule in rules), json.dumps(state.options, sort_keys=True)
            if known not in books:
                books[known] = len(books)
                for table, row in [*rule_rows(list(rules)), *option_rows(list(rules), state.options)]:
                    self._book_tables.add(table)
                    files.write_row(table, books[known], row)
            self._books.append(books[known])
            files.write_row("STATE_", number, (books[known],))


class _Files:
    """Temporary files with the rows for the tables of schema MANY: one file per table, loaded at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, IO[str]] = {}
        self._open = ExitStack()

    def __enter__(self) -> "_Files":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def write_row(self, table: str, owner: int, row: Sequence[Any]) -> None:
        file = self._files.get(table)
        if file is None:
            path = self._folder / f"{table}.csv"
            file = self._files[table] = self._open.enter_context(path.open("w", encoding="utf-8", newline=""))
        file.write(f"{owner},{','.join(map(_cell, row))}\n")

    def write_sources(self, number: int, state: Observed) -> None:
        for name, rows in state.sources.items():
            source = all_sources()[name]
            columns = ["SNAP_ID", *(column.name for column in source.columns)]
            for row in rows:
                self.write_row(source.table.removeprefix("TUNE."), number, [row.get(column) for column in columns])

    def load(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self._open.close()
        for table in self._files:
            types = connection.execute(f"DESCRIBE MANY.{table}").fetchall()
            columns = ", ".join(f"'{name}': '{kind}'" for name, kind, *_ in types)
            connection.execute(
                f"INSERT INTO MANY.{table} SELECT * FROM read_csv(?, header = false, auto_detect = false, delim = ',',"
                f" new_line = '\\n', quote = '\"', escape = '\"', allow_quoted_nulls = false, columns = {{{columns}}})",
                [quote_path(self._folder / f"{table}.csv")],
            )


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, int | float) else '"' + str(value).replace('"', '""') + '"'
