"""The steps of a judgement that one state and many states share: run the rules, rank their findings."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from advisor.catalogue.rows import Row
from advisor.catalogue.rules import Rule
from advisor.catalogue.views import advice_views, candidate_views, quiet_interval
from advisor.errors import UserError
from advisor.judgement.failures import failed, get_first_line, site_fault
from advisor.parallel import run_in_sessions

if TYPE_CHECKING:
    import duckdb

# Rules that could not run, without rules that do not apply.
COULD_NOT_RUN = (
    "SELECT RULE, REASON FROM TUNE.GATE WHERE KIND = 'could not run'"
    " AND RULE NOT IN (SELECT RULE FROM TUNE.GATE WHERE KIND = 'not applicable')"
)

MOST_FOUND = 1000  # objects of one rule in a list; each takes memory


class Tables(Protocol):
    """The tables of one state or of many. Statements read schema TUNE; rows are written to ``schema``."""

    connection: "duckdb.DuckDBPyConnection"
    schema: str
    key_columns: tuple[str, ...]  # of a state in its rows

    def select_states(self, sql: str, rule: str | None = None, found_in: str | None = None) -> str:
        """Return a statement over all states, or those that are open to a rule, or also in a table of its figures."""

    def select_state(self, sql: str, state: int) -> str:
        """Return a statement over a single state."""

    def open_rules(self) -> dict[str, list[int]]:
        """Return the states that pass the gates of each rule."""

    def key(self, state: int) -> list[int]:
        """Return the values of ``key_columns`` of a state."""

    def keep(self, views: dict[str, str]) -> None:
        """Store each view as a table."""

    def choose(self) -> None:
        """Fill CHOSEN."""


def judge_activation_if_quiet(tables: Tables) -> None:
    """Judge the time since activation in states whose interval had too little load; RUN_SNAPSHOT keeps its length."""
    for *state, seconds in tables.connection.execute(tables.select_states(quiet_interval())).fetchall():
        tables.connection.execute(
            f"UPDATE {tables.schema}.RUN_SNAPSHOT SET BEGIN_ID = NULL, BEGIN_EPOCH = NULL, QUIET_S = ?"
            + (" WHERE OF_ = ?" if state else ""),
            [seconds, *state],
        )


def run_rules(tables: Tables, rules: list[Rule]) -> None:
    """Fill FINDING, and NOT_RUN with the rules that could not run.

    A failed rule does not stop the others. Most rules find nothing, and planning a statement takes longer than running
    it. Storing the figures first, and creating texts only for findings, therefore takes half the time.
    """
    import duckdb

    tables.connection.execute(f"INSERT INTO {tables.schema}.NOT_RUN {tables.select_states(COULD_NOT_RUN)}")
    open_to = tables.open_rules()

    def find(session: "duckdb.DuckDBPyConnection", rule: Rule, sql: str) -> None:
        session.execute(
            f"INSERT INTO {tables.schema}.FINDING BY NAME SELECT '{rule.name}' AS RULE, X.* FROM ({sql}\n) AS X"
        )

    def run(session: "duckdb.DuckDBPyConnection", rule: Rule) -> None:
        kept = rule.figures.replace("TUNE.", f"{tables.schema}.")
        try:
            if count_written(session.execute(f"CREATE TABLE {kept} AS {tables.select_states(rule.select, rule.name)}")):
                find(session, rule, tables.select_states(rule.statement_of_figures, rule.name, kept))
        except duckdb.Error:
            for state in open_to[rule.name]:  # it failed for one of them, or for all
                try:
                    find(session, rule, tables.select_state(rule.statement, state))
                except duckdb.Error as error:
                    row = [*tables.key(state), rule.name, failed(error, site_fault(rule))]
                    session.execute(f"INSERT INTO {tables.schema}.NOT_RUN VALUES ({', '.join('?' * len(row))})", row)

    run_in_sessions(tables.connection, run, [rule for rule in rules if rule.name in open_to])
    _limit_findings(tables)


def _limit_findings(tables: Tables) -> None:
    """Keep the objects with the largest claims of a rule that found more than MOST_FOUND, and add a row to NOT_RUN."""
    rule = ", ".join([*tables.key_columns, "RULE"])
    connection, found = tables.connection, f"{tables.schema}.FINDING"
    if not connection.execute(
        f"SELECT 1 FROM {found} GROUP BY {rule} HAVING COUNT(*) > {MOST_FOUND} LIMIT 1"
    ).fetchone():
        return
    connection.execute(
        f"CREATE TEMP TABLE BEYOND AS SELECT {rule}, OBJECT_TYPE, OBJECT_NAME, COUNT(*) OVER (PARTITION BY {rule}) AS OBJECTS"
        f" FROM {found} GROUP BY {rule}, OBJECT_TYPE, OBJECT_NAME QUALIFY ROW_NUMBER() OVER (PARTITION BY {rule}"
        f" ORDER BY SUM(CLAIMED_PCT) DESC, OBJECT_TYPE, OBJECT_NAME) > {MOST_FOUND}"
    )
    connection.execute(
        f"DELETE FROM {found} WHERE ({rule}, OBJECT_TYPE, OBJECT_NAME) IN"
        f" (SELECT ({rule}, OBJECT_TYPE, OBJECT_NAME) FROM BEYOND)"
    )
    connection.execute(
        f"INSERT INTO {tables.schema}.NOT_RUN SELECT DISTINCT {rule}, FORMAT('found {{}} objects: the list contains"
        f" {MOST_FOUND} of them, those with the largest shares of time', OBJECTS) FROM BEYOND"
    )
    connection.execute("DROP TABLE BEYOND")


def rank(tables: Tables) -> None:
    """Rank the findings: build the candidates, choose one after another, then build the list."""
    with _rank_errors():
        tables.keep(candidate_views())
        tables.choose()
        tables.keep(advice_views())


@contextmanager
def _rank_errors() -> Iterator[None]:
    """Turn DuckDB errors during the ranking into a UserError."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise UserError(f"the capture contains invalid values: {get_first_line(error)}") from error


def fill(connection: "duckdb.DuckDBPyConnection", rows: Iterable[tuple[str, Row]], schema: str = "TUNE") -> None:
    """Insert rows into their tables in a schema."""
    by_table: dict[str, list[Row]] = {}
    for table, row in rows:
        by_table.setdefault(table, []).append(row)
    for table, values in by_table.items():
        columns = [
            list(column) for column in zip(*values, strict=True)
        ]  # one list per column: one parameter per value is slow
        marks = ", ".join(["UNNEST(?)"] * len(columns))
        connection.execute(f"INSERT INTO {schema}.{table} SELECT {marks}", columns)


def count_written(done: "duckdb.DuckDBPyConnection") -> int:
    """Return the number of rows that an INSERT or a CREATE TABLE AS wrote."""
    row = done.fetchone()
    return int(row[0]) if row else 0
