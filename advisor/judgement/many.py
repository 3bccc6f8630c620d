"""The judgement of many states at once, on an embedded DuckDB.

Planning a statement takes longer than running it on a database of ordinary size, so each statement runs once over all
states. Its text is unchanged: it becomes the body of a LATERAL over the table of states, with each table of TUNE limited
to the rows of one state. These tables are in schema MANY, and their first column identifies the state of a row.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.capture import Capture
from advisor.capture.rows import State
from advisor.catalogue.embedded import connect, lock
from advisor.catalogue.rules import Rule
from advisor.judgement.advice import Advice, Record
from advisor.judgement.failures import cost
from advisor.judgement.indexes import propose_indexes
from advisor.judgement.report_rows import REPORT, result
from advisor.judgement.run import evaluate, find_needed_views, get_interval
from advisor.judgement.steps import judge_activation_if_quiet, rank, run_rules
from advisor.judgement.table_of_states import Case, TableOfStates

if TYPE_CHECKING:
    import duckdb

# Limits of a group: with more states or rows, the time per state stays the same and memory grows.
MOST_STATES, MOST_ROWS = 500, 300_000
LARGE = 50_000  # rows of a capture that is judged alone, as is a capture with lessons


def judge(cases: Iterable[Case]) -> Iterator[Advice]:
    """Yield the advice of each state in order. A capture must stay open until then.
    ``indexes`` and ``passed`` of the advice are empty.

    Raise UserError if a capture is not usable.
    """
    for group in _groups(cases):
        (state, rules), *others = group
        if isinstance(state, Capture) and not others:
            yield replace(evaluate(state, list(rules)), indexes=None, passed=[])
        else:
            yield from _judge(group)


def _groups(cases: Iterable[Case]) -> Iterator[list[Case]]:
    """Yield the cases in groups of limited size, in which each rule name means one rule."""
    group: list[Case] = []
    rows, known = 0, dict[str, Rule]()
    for case in cases:
        state, rules = case
        alone = isinstance(state, Capture) and (state.rows >= LARGE or bool(state.lessons))
        rows += state.rows
        clash = any(known.get(rule.name, rule) != rule for rule in rules)
        if group and (alone or clash or rows > MOST_ROWS or len(group) == MOST_STATES):
            yield group
            group, rows, known = [], state.rows, {}
        group.append(case)
        known |= {rule.name: rule for rule in rules}
        if alone:
            yield group
            group, rows, known = [], 0, {}
    if group:
        yield group


def _judge(cases: list[Case]) -> list[Advice]:
    with evaluate_states(cases) as states:
        records = _records(states.connection, len(cases))
    return [_advice(state, rules, found) for (state, rules), found in zip(cases, records, strict=True)]


def _advice(state: State, rules: Sequence[Rule], found: dict[str, list[Record]]) -> Advice:
    advice = result(found, list(rules), state.database, get_interval(state), state.options)
    return replace(advice, in_text=state.imported_rows) if isinstance(state, Capture) else advice


@contextmanager
def evaluate_states(cases: Sequence[Case], also: Iterable[str] = ()) -> Iterator[TableOfStates]:
    """Fill the tables of all states; ``also`` are additional queries that will read them."""
    rules = list({rule.name: rule for _, rules in cases for rule in rules}.values())
    with connect() as connection:
        states = TableOfStates(connection, cases, rules)
        lock(connection)
        judge_activation_if_quiet(states)
        for state, broken in states.build(find_needed_views(rules, also)).items():
            for row in cost(cases[state][1], broken):
                connection.execute("INSERT INTO MANY.NOT_RUN VALUES (?, ?, ?)", [state, *row])
        propose_indexes(states, rules)
        run_rules(states, rules)
        rank(states)
        yield states


def _records(connection: "duckdb.DuckDBPyConnection", states: int) -> list[dict[str, list[Record]]]:
    """Return the rows of the REPORT views of each state."""
    found: list[dict[str, list[Record]]] = [{name: [] for name in REPORT} for _ in range(states)]
    for name in REPORT:
        cursor = connection.execute(f"SELECT * FROM MANY.{name}")
        names = [column[0] for column in cursor.description][1:]
        for state, *row in cursor.fetchall():
            found[state][name].append(dict(zip(names, row, strict=True)))
    return found
