"""Ranked advice from a capture, on an embedded DuckDB.

The engine creates the tables and views, runs each rule that passes its gates, and reads the ranked list. It makes no
decisions: these are statements in sql/.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from advisor import capture as captures
from advisor.capture.hostfacts import Facts
from advisor.capture.rows import State, acceptance_rows, run_rows
from advisor.capture.site import Site
from advisor.catalogue.embedded import connect, lock
from advisor.catalogue.options import option_rows, option_views
from advisor.catalogue.rows import rule_rows
from advisor.catalogue.rules import Rule
from advisor.catalogue.views import (
    batches,
    next_choice,
    rank_views,
    views_read_by,
)
from advisor.judgement.advice import Advice, Record
from advisor.judgement.failures import cost
from advisor.judgement.indexes import index_queries, propose_indexes
from advisor.judgement.learned import attach_lessons, learn
from advisor.judgement.passed import list_passed
from advisor.judgement.report_rows import LOCK_NODE, REPORT, result
from advisor.judgement.steps import COULD_NOT_RUN, count_written, fill, judge_activation_if_quiet, rank, run_rules
from advisor.parallel import run_in_sessions

if TYPE_CHECKING:
    import duckdb


def advise(
    path: Path,
    rules: list[Rule] | None = None,
    hostfacts: Facts | None = None,
    site: Site | None = None,
    also: Mapping[str, str] | None = None,
) -> Advice:
    """Read a capture and return the advice for it. Raise UserError if the capture is not usable.

    ``hostfacts`` and the options of the ``site`` override those of the capture. Without ``rules``, all rules of the site
    run. ``also`` are additional queries by name; the advice contains their rows in ``seen``.
    """
    site = site or Site()
    with captures.open_capture(path) as capture:
        capture.hostfacts = hostfacts or {}
        capture.adopt(site)
        judging = list(site.rules.values()) if rules is None else rules
        return add_broken_files(_judge_and_read(capture, judging, also) if also else evaluate(capture, judging), site)


def add_broken_files(advice: Advice, site: Site) -> Advice:
    """Add the site's unreadable rule files to the rules that did not run."""
    broken = [(item.file, f"is not a rule: {item.reason}") for item in site.own.broken]
    return replace(advice, not_run=sorted([*advice.not_run, *broken]))


def evaluate(capture: captures.Capture, rules: list[Rule]) -> Advice:
    """Run the rules on an open capture."""
    with judge_capture(capture, rules) as (advice, _):
        return advice


def _judge_and_read(capture: captures.Capture, rules: list[Rule], also: Mapping[str, str]) -> Advice:
    """Run the rules, and add the rows of additional queries."""
    with judge_capture(capture, rules, also.values()) as (advice, connection):
        return replace(advice, seen=read_extra(connection, also))


def read_extra(connection: "duckdb.DuckDBPyConnection", also: Mapping[str, str]) -> dict[str, list[Record]]:
    """Return the rows of additional queries by name."""
    return {name: _read_query(connection, sql) for name, sql in also.items()}


def _read_query(connection: "duckdb.DuckDBPyConnection", sql: str) -> list[Record]:
    """Return the rows of an additional query; invalid values cost its rows, not the advice."""
    import duckdb

    try:
        return _records(connection, sql)
    except duckdb.DataError:
        return []


@contextmanager
def judge_capture(
    capture: captures.Capture, rules: list[Rule], also: Iterable[str] = (), keep_interval: bool = False
) -> Iterator[tuple[Advice, "duckdb.DuckDBPyConnection"]]:
    """Yield the advice and its tables; ``also`` are additional queries that will read them.

    With ``keep_interval``, even an interval with too little load is judged.
    """
    with connect() as connection:
        prepare(connection, capture, rules, find_needed_views(rules, also), keep_interval)
        tables = OneState(connection)
        proposed = propose_indexes(tables, rules)
        run_rules(tables, rules)
        known = learn(connection, capture.lessons, capture.database["name"])
        rank(tables)
        records = {name: _records(connection, f"SELECT * FROM TUNE.{name}") for name in REPORT}
        records[LOCK_NODE] = _read_query(connection, f"SELECT * FROM TUNE.{LOCK_NODE}")
        advice = attach_lessons(result(records, rules, capture.database, get_interval(capture), capture.options), known)
        passed = list_passed(connection, rules)
        yield replace(advice, passed=passed, in_text=capture.imported_rows, indexes=proposed.get(())), connection


def get_interval(state: State) -> tuple[str, str]:
    """Return the times of the first and last snapshot in ISO 8601."""
    first, last = state.snapshots[0], state.snapshots[-1]
    return first.taken_at.isoformat(), last.taken_at.isoformat()


def find_needed_views(rules: list[Rule], also: Iterable[str] = ()) -> dict[str, str]:
    """Return the window views that these rules and additional queries read."""
    reported = [f"TUNE.{name}" for name in (*REPORT, LOCK_NODE)]
    ranking = [*rank_views().values(), next_choice()]
    proposing = index_queries(rules)
    return views_read_by([COULD_NOT_RUN, *reported, *ranking, *proposing, *(rule.statement for rule in rules), *also])


def prepare(
    connection: "duckdb.DuckDBPyConnection",
    capture: captures.Capture,
    rules: list[Rule],
    views: dict[str, str] | None = None,
    keep_interval: bool = False,
) -> dict[str, Exception]:
    """Load the capture and build the window views, by default only the necessary ones; return the failed ones.

    With ``keep_interval``, even an interval with too little load is judged.

    Views become tables, because many rules read them. Only the deltas stay views: joining two snapshots again for a few
    columns is cheaper than writing all columns.
    """
    capture.load(connection)
    lock(connection)
    fill(
        connection,
        [*run_rows(capture), *rule_rows(rules), *option_rows(rules, capture.options), *acceptance_rows(capture)],
    )
    if not keep_interval and len(capture.snapshots) > 1:
        judge_activation_if_quiet(OneState(connection))
    for name, select in option_views(rules):
        connection.execute(f"CREATE TABLE {name} AS {select}")
    broken: dict[str, Exception] = {}
    for batch in batches(find_needed_views(rules) if views is None else views):
        found = zip(batch, run_in_sessions(connection, _build, batch.items()), strict=True)
        broken |= {name: error for name, error in found if error}
    for row in cost(rules, broken):
        connection.execute("INSERT INTO TUNE.NOT_RUN VALUES (?, ?)", row)
    return broken


def _build(session: "duckdb.DuckDBPyConnection", view: tuple[str, str]) -> Exception | None:
    """Store a view as a table. If it fails, create an empty table and return the error."""
    import duckdb

    name, select = view
    kind = "VIEW" if name.startswith(("D_", "L_")) else "TABLE"
    try:
        session.execute(f"CREATE {kind} TUNE.{name} AS {select}")
    except duckdb.Error as error:
        session.execute(f"CREATE TABLE TUNE.{name} AS SELECT * FROM (\n{select}\n) AS X LIMIT 0")
        return error
    return None


class OneState:
    """The tables of one state, in schema TUNE."""

    schema = "TUNE"
    key_columns: tuple[str, ...] = ()

    def __init__(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self.connection = connection

    def select_states(self, sql: str, rule: str | None = None, found_in: str | None = None) -> str:
        return sql

    def select_state(self, sql: str, state: int) -> str:
        return sql

    def open_rules(self) -> dict[str, list[int]]:
        sql = "SELECT RULE FROM TUNE.RULE EXCEPT (SELECT RULE FROM TUNE.GATE UNION SELECT RULE FROM TUNE.NOT_RUN)"
        return {rule: [0] for (rule,) in self.connection.execute(sql).fetchall()}

    def key(self, state: int) -> list[int]:
        return []

    def keep(self, views: dict[str, str]) -> None:
        for name, select in views.items():
            self.connection.execute(f"CREATE TABLE TUNE.{name} AS {select}")

    def choose(self) -> None:
        self.connection.execute(f"PREPARE CHOOSE AS INSERT INTO TUNE.CHOSEN {next_choice()}")
        while count_written(self.connection.execute("EXECUTE CHOOSE")):
            pass


def _records(connection: "duckdb.DuckDBPyConnection", sql: str) -> list[Record]:
    cursor = connection.execute(sql)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
