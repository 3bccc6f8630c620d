"""States judged by an independent engine: every window view, finding, gate and rank is the same."""

import math
import random
from collections.abc import Generator
from decimal import Decimal
from functools import cache, partial
from typing import Any

import pytest

from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.sources import Source, all_sources
from advisor.catalogue.sqltext import references
from advisor.catalogue.views import model_views, rank_views, views_read_by
from advisor.judgement.run import find_needed_views, judge_state
from tests.judgement.test_time_spent import CASES as TIME_CASES
from tests.machines import MACHINES
from tests.support.carrying_out import first_cases
from tests.support.h2 import H2, UnavailableError
from tests.support.states import State, base_state, observe_state, state_of
from tests.support.stepwise import stepwise
from tools.trials.faults import boundaries

Table = list[dict[str, Any]]
Compared = tuple[State, list[Rule], dict[str, str]]  # a state with rules, and the other views; one rule is not ranked
Steps = Generator[Compared, list[str], None]


def _differences(wanted: Compared) -> list[str]:
    """Return the differences between the engines."""
    engine = _h2()
    if isinstance(engine, str):
        pytest.skip(f"no second engine: {engine}")
    state, rules, views = wanted
    ranked = len(rules) > 1
    names = ("FINDING", *views, *(rank_views() if ranked else ()))
    also = [f"SELECT * FROM TUNE.{name}" for name in views]
    with judge_state(observe_state(state), rules, also) as (advice, tables):
        assert [reason for _, reason in advice.not_run if reason.startswith("failed")] == []
        engine.run(tables, rules, views, ranked)
        first = {name: tables.records(f"SELECT * FROM TUNE.{name}") for name in names}
    return [text for name in names for text in _compare(name, first[name], engine.rows(name))]


@cache
def _h2() -> H2 | str:
    try:
        return H2(all_rules().values())
    except UnavailableError as error:
        return str(error)


compared = partial(stepwise, answer=_differences)


@pytest.mark.full
@pytest.mark.parametrize(("rule", "case"), first_cases())
@compared
def test_case(rule: Rule, case: dict[str, Any]) -> Steps:
    differences = yield state_of(case), [rule], find_needed_views([rule])
    assert differences == []


# Variants of one machine differ in few values; the views of each kind of machine are compared.
KINDS = (
    "blu", "docker-default", "hadr-standby-wait", "idle", "linux-z-oltp", "managed", "power5-473gb", "purescale",
    "vm-dss-final", "vm-oltp-before", "warehouse-tuned", "x445-8way", "x445-missing", "x4470-one-instance",
)  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("name", KINDS)
@compared
def test_machine(name: str) -> Steps:
    differences = yield MACHINES[name](), list(all_rules().values()), model_views()
    assert differences == []


def _odd_states() -> dict[str, State]:
    """Return states with many NULLs or zeros, where engines differ first."""
    states = {name: base_state() for name in ("idle", "single snapshot", "eight members", "nothing collected")}
    counters = {name: set(source.names("counter")) for name, source in all_sources().items()}
    for name, rows in states["idle"].sources.items():
        for row in rows:
            row.update({column: 0 for column in row if column in counters[name]})
    states["single snapshot"].single = True
    states["eight members"] = state_of({"database": [{"MEMBER": number} for number in range(8)]})
    needed = ("database", "workload")
    states["nothing collected"].sources = {n: rows for n, rows in base_state().sources.items() if n in needed}
    return states


def _without_numbers(source: Source) -> State:
    state = base_state()
    known = {c.name for c in source.columns if c.kind == "key" or c.type.startswith(("VARCHAR", "TIMESTAMP"))}
    rows = state.sources[source.name]
    state.sources[source.name] = [{key: row.get(key) for key in row if key in known} for row in rows]
    return state


def _reads(rule: Rule, source: Source) -> bool:
    """Return whether a rule reads a source, directly or through window views."""
    statements = [rule.statement, *views_read_by([rule.statement]).values()]
    return any(source.table == f"TUNE.{name}" for sql in statements for name in references(sql))


@pytest.mark.full
@pytest.mark.parametrize("state", [pytest.param(state, id=name) for name, state in _odd_states().items()])
@compared
def test_odd_state(state: State) -> Steps:
    differences = yield state, list(all_rules().values()), model_views()
    assert differences == []


@pytest.mark.full
@pytest.mark.parametrize("name", all_sources())
@compared
def test_source_without_numbers(name: str) -> Steps:
    source = all_sources()[name]
    rules = [rule for rule in all_rules().values() if _reads(rule, source)]
    differences = yield _without_numbers(source), rules, find_needed_views(rules)
    assert differences == []


# Columns at the limit of their type: SQLite computes in a larger type, other engines keep the type. Page counters are
# added to each other: at their limit, no engine can.
_DRAWN = [
    case for case in boundaries.cases() if case[2] not in (*boundaries.ALWAYS, 0.0) and not case[1].endswith("_READS")
]
ENDS = [
    ("cat_table", "AVGROWSIZE", 2**15 - 1), ("cat_bufferpool", "NPAGES", 2**31 - 1),
    ("cat_tablespace", "PREFETCHSIZE", 2**31 - 1), ("bufferpool", "POOL_ASYNC_READ_TIME", 2**63 - 1),
    ("workload", "FCM_TQ_SEND_VOLUME", 2**63 - 1), *random.Random(5).sample(_DRAWN, 16),
]  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize(("source", "column", "end"), ENDS)
@compared
def test_end_of_a_type(source: str, column: str, end: float) -> Steps:
    rules = [rule for rule in all_rules().values() if _reads(rule, all_sources()[source])]
    differences = yield boundaries.with_number(source, column, end), rules, find_needed_views(rules)
    assert differences == []


def test_a_difference_is_seen() -> None:
    one = [{"RULE": "a", "BENEFIT": 1.0, "N": 3}, {"RULE": "b", "BENEFIT": 2.0, "N": None}]
    close = [{"RULE": "b", "BENEFIT": 2.0 + 1e-12, "N": None}, {"RULE": "a", "BENEFIT": Decimal("1.00"), "N": 3}]
    assert _compare("T", one, close) == []
    assert _compare("T", one, [{**close[0], "BENEFIT": 2.00001}, close[1]]) == ["T.BENEFIT of b: 2.0, H2 2.00001"]
    assert _compare("T", one, [{**close[0], "N": 0}, close[1]]) == ["T.N of b: None, H2 0"]
    assert _compare("T", one, close[:1]) == ["T: 2 rows, H2 1"]


def _compare(table: str, first: Table, second: Table) -> list[str]:
    """Return the differences, row by row in a fixed order, because views promise no order."""
    if len(first) != len(second):
        return [f"{table}: {len(first)} rows, H2 {len(second)}"]
    pairs = zip(sorted(first, key=_key), sorted(second, key=_key), strict=True)
    return [
        f"{table}.{name} of {one.get('RULE') or _key(one)}: {one[name]!r}, H2 {two[name]!r}"
        for one, two in pairs
        for name in one
        if not _same(one[name], two[name])
    ]


def _key(row: dict[str, Any]) -> tuple[str, ...]:
    """Return a sort key: texts before numbers, and numbers rounded so that both engines agree."""
    texts = [str(value) for value in row.values() if isinstance(value, str)]
    numbers = [f"{float(value):.6g}" for value in row.values() if isinstance(value, int | float | Decimal)]
    return (*texts, *numbers)


def _same(one: Any, two: Any) -> bool:
    if isinstance(one, int | float | Decimal) and isinstance(two, int | float | Decimal):
        return math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == two)


@pytest.mark.full
@pytest.mark.parametrize("case", TIME_CASES, ids=lambda case: case["name"])
@compared
def test_where_the_time_goes(case: dict[str, Any]) -> Steps:
    rules = [all_rules()["log.disk-latency-high"]]  # an option that depends on the time
    differences = yield state_of(case["case"]), rules, find_needed_views(rules)
    assert differences == []
