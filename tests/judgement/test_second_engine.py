"""The same capture judged by an independent engine: every window view, finding, gate and rank is the same."""

import math
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from advisor import capture as captures
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.sources import Source, all_sources
from advisor.catalogue.sqltext import references
from advisor.catalogue.views import model_views, rank_views, views_read_by
from advisor.judge.run import connect, needed_views, prepare, run_rules
from tests.support.carrying_out import cases_of
from tests.support.h2 import H2, UnavailableError
from tests.support.paths import ROOT
from tests.support.states import State, base_state, state_of, write_capture

Table = list[dict[str, Any]]


@cache
def _h2() -> H2 | str:
    try:
        return H2(all_rules().values())
    except UnavailableError as error:
        return str(error)


@pytest.fixture(scope="module")
def h2() -> H2:
    engine = _h2()
    if isinstance(engine, str):
        pytest.skip(f"no second engine: {engine}")
    return engine


def _one_of_each() -> list[Any]:
    """Of each rule the first case in which it fires; the engine that ships is tried with all."""
    by_rule: dict[str, Any] = {}
    for case in cases_of("fires"):
        by_rule.setdefault(case.values[0].name, case)
    return list(by_rule.values())


@pytest.mark.parametrize(("rule", "case"), _one_of_each())
def test_case(rule: Rule, case: dict[str, Any], tmp_path: Path, h2: H2) -> None:
    path = write_capture(state_of(case), tmp_path / "capture")
    assert _differences(path, [rule], needed_views([rule]), h2, tmp_path) == []


# Variants of one machine differ in few values; the views of each kind of machine are compared.
KINDS = (
    "blu", "docker-default", "hadr-standby-wait", "idle", "linux-z-oltp", "managed", "power5-473gb", "purescale",
    "vm-dss-final", "vm-oltp-before", "warehouse-tuned", "x445-8way", "x445-missing", "x4470-one-instance",
)  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_fixture(name: str, tmp_path: Path, h2: H2) -> None:
    path = ROOT / "fixtures" / name
    assert _differences(path, list(all_rules().values()), model_views(), h2, tmp_path) == []


def _odd_states() -> dict[str, State]:
    """States in which much is NULL or zero: there the engines part first."""
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
    """Whether a rule reads a source, by itself or through window views."""
    statements = [rule.select, *views_read_by([rule.select]).values()]
    return any(source.table == f"TUNE.{name}" for sql in statements for name in references(sql))


@pytest.mark.parametrize("state", [pytest.param(state, id=name) for name, state in _odd_states().items()])
def test_odd_state(state: State, tmp_path: Path, h2: H2) -> None:
    path = write_capture(state, tmp_path / "capture")
    assert _differences(path, list(all_rules().values()), model_views(), h2, tmp_path) == []


@pytest.mark.parametrize("name", all_sources())
def test_source_without_numbers(name: str, tmp_path: Path, h2: H2) -> None:
    source = all_sources()[name]
    rules = [rule for rule in all_rules().values() if _reads(rule, source)]
    path = write_capture(_without_numbers(source), tmp_path / "capture")
    assert _differences(path, rules, needed_views(rules), h2, tmp_path) == []


def test_a_difference_is_seen() -> None:
    one = [{"RULE": "a", "BENEFIT": 1.0, "N": 3}, {"RULE": "b", "BENEFIT": 2.0, "N": None}]
    close = [{"RULE": "b", "BENEFIT": 2.0 + 1e-12, "N": None}, {"RULE": "a", "BENEFIT": Decimal("1.00"), "N": 3}]
    assert _compare("T", one, close) == []
    assert _compare("T", one, [{**close[0], "BENEFIT": 2.00001}, close[1]]) == ["T.BENEFIT of b: 2.0, H2 2.00001"]
    assert _compare("T", one, [{**close[0], "N": 0}, close[1]]) == ["T.N of b: None, H2 0"]
    assert _compare("T", one, close[:1]) == ["T: 2 rows, H2 1"]


def _differences(path: Path, rules: list[Rule], views: dict[str, str], h2: H2, snapshots: Path) -> list[str]:
    tables = ("FINDING", *views, *rank_views())
    with captures.opened(path) as capture:
        connection = connect()
        try:
            prepare(connection, capture, rules, views)
            run_rules(connection, rules)
            failed = "SELECT RULE, REASON FROM TUNE.NOT_RUN WHERE REASON LIKE 'failed%'"
            assert connection.execute(failed).fetchall() == []
            for name, select in rank_views().items():
                connection.execute(f"CREATE TABLE TUNE.{name} AS {select}")
            first: dict[str, Table] = {}
            for name in tables:
                cursor = connection.execute(f"SELECT * FROM TUNE.{name}")
                names = [column[0] for column in cursor.description]
                first[name] = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
            for name in capture.files:
                # NULL is what stands without quotes
                connection.execute(f"COPY TUNE.S_{name} TO '{snapshots / name}.csv' (HEADER, FORCE_QUOTE *)")
        finally:
            connection.close()
        h2.run(capture, snapshots, rules, views)
    return [text for name in tables for text in _compare(name, first[name], h2.rows(f"TUNE.{name}"))]


def _compare(table: str, first: Table, second: Table) -> list[str]:
    """What differs, row by row in an order of their own, since views promise none."""
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
    """Texts before numbers, and these only so closely that both engines round them alike."""
    texts = [str(value) for value in row.values() if isinstance(value, str)]
    numbers = [f"{float(value):.6g}" for value in row.values() if isinstance(value, int | float | Decimal)]
    return (*texts, *numbers)


def _same(one: Any, two: Any) -> bool:
    if isinstance(one, int | float | Decimal) and isinstance(two, int | float | Decimal):
        return math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == two)
