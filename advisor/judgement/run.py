"""Ranked advice from a capture or another state, on the embedded engine.

The engine fills the tables, runs each rule that passes its gates, and reads the ranked list. It makes no decisions:
these are statements in sql/.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from advisor import capture as captures
from advisor.capture.hostfacts import Facts
from advisor.capture.rows import State, acceptance_rows, run_rows
from advisor.capture.site import Site
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.options import option_rows, option_views
from advisor.catalogue.rows import rule_rows
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.views import next_choice, rank_views, views_read_by
from advisor.judgement.advice import Advice, Record
from advisor.judgement.failures import cost
from advisor.judgement.indexes import RULE, index_queries, propose_indexes
from advisor.judgement.lessons import attach_lessons, factor, learn, select_counted
from advisor.judgement.passed import list_passed
from advisor.judgement.report_rows import LOCK_NODE, REPORT, result
from advisor.judgement.steps import COULD_NOT_RUN, build_views, judge_activation_if_quiet, rank, run_rules

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables


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
        with judge_state(capture, judging, (also or {}).values()) as (advice, tables):
            return add_broken_files(replace(advice, seen=read_extra(tables, also or {})), site)


def add_broken_files(advice: Advice, site: Site) -> Advice:
    """Add the site's unreadable rule files to the rules that did not run."""
    broken = [(item.file, f"is not a rule: {item.reason}") for item in site.own.broken]
    return replace(advice, not_run=sorted([*advice.not_run, *broken]))


def evaluate(state: State, rules: Sequence[Rule]) -> Advice:
    """Run the rules on an open capture or another state. Raise UserError if it is not usable."""
    with judge_state(state, rules) as (advice, _):
        return advice


def read_extra(tables: "Tables", also: Mapping[str, str]) -> dict[str, list[Record]]:
    """Return the rows of additional queries by name; a query that fails has no rows."""
    return {name: _read_query(tables, sql) for name, sql in also.items()}


def _read_query(tables: "Tables", sql: str) -> list[Record]:
    import apsw

    try:
        return tables.records(sql)
    except apsw.Error:
        return []


@contextmanager
def judge_state(
    state: State, rules: Sequence[Rule], also: Iterable[str] = (), keep_interval: bool = False
) -> Iterator[tuple[Advice, "Tables"]]:
    """Yield the advice and its tables; ``also`` are additional queries that will read them.

    With ``keep_interval``, even an interval with too little load is judged.
    """
    judging = list(rules)
    known_rules = all_rules()
    boxed = any(rule is not known_rules.get(rule.name) for rule in judging)
    with open_tables(boxed, state.rows) as tables:
        prepare(tables, state, judging, find_needed_views(judging, also), keep_interval)
        database = state.database["name"]
        proposed = propose_indexes(tables, judging, factor(select_counted(state.lessons, RULE, database)))
        run_rules(tables, judging)
        known = learn(tables, state.lessons, database)
        rank(tables)
        records = {name: tables.records(f"SELECT * FROM TUNE.{name}") for name in REPORT}
        records[LOCK_NODE] = _read_query(tables, f"SELECT * FROM TUNE.{LOCK_NODE}")
        advice = attach_lessons(result(records, judging, state.database, get_interval(state), state.options), known)
        passed = list_passed(tables, judging)
        yield replace(advice, passed=passed, in_text=dict(state.imported_rows), indexes=proposed), tables


def get_interval(state: State) -> tuple[str, str]:
    """Return the times of the first and last snapshot in ISO 8601."""
    first, last = state.snapshots[0], state.snapshots[-1]
    return first.taken_at.isoformat(), last.taken_at.isoformat()


def find_needed_views(rules: Iterable[Rule], also: Iterable[str] = ()) -> dict[str, str]:
    """Return the window views that these rules and additional queries read."""
    reported = [f"TUNE.{name}" for name in (*REPORT, LOCK_NODE)]
    listed = list(rules)
    ranking = [*rank_views().values(), next_choice()]
    return views_read_by(
        [COULD_NOT_RUN, *reported, *ranking, *index_queries(listed), *(rule.select for rule in listed), *also]
    )


def prepare(
    tables: "Tables", state: State, rules: list[Rule], views: dict[str, str] | None = None, keep_interval: bool = False
) -> dict[str, Exception]:
    """Load the state and build the window views, by default only the necessary ones; return the failed ones.

    With ``keep_interval``, even an interval with too little load is judged.
    """
    state.load(tables)
    options = {owner: dict(values) for owner, values in state.options.items()}  # a copy: the state may change
    tables.fill_book((tuple(rules), options), chain(rule_rows(rules), option_rows(rules, state.options)))
    tables.define(option_views([*all_rules().values(), *rules]))
    tables.fill([*run_rows(state), *acceptance_rows(state)])
    if not keep_interval and len(state.snapshots) > 1:
        judge_activation_if_quiet(tables)
    broken = build_views(tables, find_needed_views(rules) if views is None else views)
    tables.fill(("NOT_RUN", row) for row in (*cost(rules, broken), *state.skipped.items()))
    return broken
