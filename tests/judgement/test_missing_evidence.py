"""Evidence that is missing costs what it feeds, and nothing else.

For each machine, each of its sources in turn is refused, and each group of columns that a level of Db2 may lack is
left out. No recommendation may appear that was not there, and none may become larger. What is lost names the source.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

import pytest

from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.sources import all_sources, read_sources
from advisor.judgement.advice import Advice, Recommendation
from advisor.judgement.observed import Observed
from tests.machines import MACHINES
from tests.support.carrying_out import first_cases
from tests.support.states import observe_state, state_of
from tests.support.stepwise import judge

REFUSED = "no EXECUTE on its function; GRANT EXECUTE (SQL0551N)"
FEW = ("linux-z-oltp", "webshop")  # machines of each run; the others run with `full`
EVERYWHERE = {"HOST_NAME", "POOL_DATA", "POOL_INDEX"}  # beginnings of columns that every level has, without pages found
SETTINGS = {"dbcfg", "dbmcfg", "registry", "hostfact"}  # their columns exist at every level

# Findings that may appear if the source that contradicts them is missing. They claim no time.
ALLOWED = {
    "bufferpool.left-at-default": "a pool of a few megabytes, without the data that it serves",
    "lock.wait-high": "rates the waits if database time is unknown",
    "lock.waits-without-end": "a setting that measured waits excuse",
    "log.as-created": "a setting that the measured use excuses",
    "log.disk-latency-high": "rates the writes if database time is unknown",
    "stats.collection-off": "a setting that young statistics excuse",
    "tablespace.containers-uneven": "automatic storage is then known by the names of containers only",
}
# The same with a claim: the fact that contradicts them is not known, and their confidence is low.
DOUBTED = {
    "prefetch.wait-high": "the disks of an array are unknown",
    "storage.io-latency-high": "the medium is unknown",
}
# Rules that count if times or settings are unknown, and the rules whose finding must have been there.
STANDS_IN = {
    "bufferpool.hit-ratio-counted": {"bufferpool.hit-ratio-low"},
    "cleaning.agent-writes-counted": {"cleaning.alternate-off", "cleaning.iocleaners-few"},
    "config.files-closed-counted": {"config.agents-and-files"},
    "lock.escalations-counted": {"lock.escalations"},
    "memory.spills-counted": {"memory.sort-overflow"},
}
# Rules that also judge without the source, so that only a part of their findings is lost.
PARTIAL = {
    "bufferpool.left-at-default": {"cat_tablespace"},
    "cleaning.softmax-or-pageage": {"bufferpool", "tablespace"},
    "config.agents-and-files": {"bufferpool"},
    "config.deferred-pending": {"dbcfg"},
    "config.deprecated-in-use": {"dbmcfg"},
    "config.monitor-overhead": {"workload"},
    "lock.timeouts-deadlocks": {"dbcfg", "lock_wait"},
    "log.archive-full": {"hostfact"},
    "log.mirror-same-device": {"hostfact", "system"},
    "log.path-short": {"storage_path", "transaction_log"},
    "log.shares-data-device": {"hostfact", "storage_path", "system"},
    "log.space-sizing": {"workload"},
    "memory.over-limit": {"cat_bufferpool"},
    "memory.overcommit": {"dbmcfg"},
    "memory.stmm-at-bound": {"tablespace"},
    "memory.stmm-off-or-ineffective": {"bufferpool", "tablespace"},
    "memory.used-up": {"hostfact", "memory_set"},
    "os.large-pages-missized": {"hostfact"},
    "sql.missing-index": {"cat_column", "cat_table"},
    "storage.array-layout": {"tablespace", "workload"},
    "storage.diagnostics-full": {"hostfact"},
    "storage.fs-caching-data": {"hostfact"},
}


def without(state: Observed, source: str) -> Observed:
    """Return the state without a source that the server refused."""
    sources = {name: rows for name, rows in state.sources.items() if name != source}
    return replace(state, sources=sources, not_collected={source: REFUSED})


def without_columns(state: Observed, source: str, columns: Collection[str]) -> Observed:
    """Return the state at a level that lacks some columns."""
    rows = [{name: value for name, value in row.items() if name not in columns} for row in state.sources[source]]
    return replace(state, sources={**state.sources, source: rows})


def column_groups(state: Observed, source: str) -> Iterator[set[str]]:
    """Yield the columns of a source that came to Db2 together: those that begin alike, and pages found in pools."""
    kinds = {column.name: column.kind for column in all_sources()[source].columns}
    groups = defaultdict(set)
    for name in state.columns[source]:
        begin = "_".join(name.split("_")[:2])
        if kinds[name] != "key" and begin not in EVERYWHERE:
            groups[begin].add(name)
        if "_LBP_" in name:
            groups["LBP"].add(name)
    yield from groups.values()


def key(item: Recommendation) -> tuple[str, str]:
    return item.rule.name, item.object_name


def find_faults(before: Advice, after: Advice, untimed: bool = False) -> list[str]:
    """Return recommendations that appeared or grew. A finding may follow one of its rule that was as large.

    A benefit may change by 2 %, because the shares of the claims on one time bucket change with each of them.
    """
    known = {key(item): item.benefit for item in before.recommendations}
    largest: dict[str, float] = {}
    for item in before.recommendations:
        largest[item.rule.name] = max(largest.get(item.rule.name, 0), item.benefit)
    untimed |= any("how much time the requests took" in reason for _, reason in after.not_run)
    faults = []
    for item in after.ranked:
        name = item.rule.name
        bound = known.get(key(item), largest.get(name))
        if name in STANDS_IN and (untimed or STANDS_IN[name] & largest.keys()):
            bound = 0.0
        if name in DOUBTED and bound is None and item.confidence <= 0.4:
            continue
        if bound is None and not (name in ALLOWED and item.benefit == 0 and item.lane == "C"):
            faults.append(f"{name} appears for {item.object_name}: {item.benefit:.1f} %")
        elif bound is not None and item.benefit > 1.02 * bound + 0.05:
            faults.append(f"{name} grows for {item.object_name}: {bound:.1f} to {item.benefit:.1f} %")
    return faults


def list_untraced(before: Advice, after: Advice, source: str) -> list[str]:
    """Return the rules whose recommendations are lost without a reason that names the source."""
    left = {key(item) for item in after.recommendations}
    reasons = dict(after.not_run)
    lost = {item.rule.name for item in before.ranked if key(item) not in left}
    kept = {name for name, sources in PARTIAL.items() if source in sources}
    word = "host fact" if source == "hostfact" else source
    return sorted(name for name in lost - kept if word not in reasons.get(name, ""))


def machines(few: Collection[str]) -> list[Any]:
    return [pytest.param(name, marks=() if name in few else pytest.mark.full) for name in MACHINES]


@pytest.mark.parametrize("name", machines(FEW))
def test_refused_source_costs_what_it_feeds(name: str) -> None:
    state = observe_state(MACHINES[name]())
    before = judge(state)
    refused = [source for source, rows in state.sources.items() if rows]
    faults = {}
    for source in refused:
        after = judge(without(state, source))
        found = find_faults(before, after) + list_untraced(before, after, source)
        if before.window.usable and not after.window.usable:
            found.append(f"the interval is lost: {after.window.reason}")
        if found:
            faults[source] = found
    assert faults == {}
    assert len(refused) >= 15


@pytest.mark.parametrize("name", machines(FEW[-1:]))
def test_missing_columns_add_nothing(name: str) -> None:
    state = observe_state(MACHINES[name]())
    before = judge(state)
    pairs = 0
    faults = {}
    for source in sorted(state.sources.keys() & read_sources().keys() - SETTINGS):
        for columns in column_groups(state, source) if state.sources[source] else ():
            pairs += 1
            untimed = any(name.endswith("_TIME") for name in columns)
            if found := find_faults(before, judge(without_columns(state, source, columns)), untimed):
                faults[source, min(columns)] = found
    assert faults == {}
    assert pairs >= 50


@pytest.mark.full
@pytest.mark.parametrize(("rule", "case"), first_cases())
def test_refused_source_is_named_by_the_rule(rule: Rule, case: dict[str, Any]) -> None:
    state = observe_state(state_of(case))
    before = judge((state, [rule]))
    untraced = {}
    for source in sorted(state.sources.keys() & read_sources().keys()):
        if state.sources[source]:
            after = judge((without(state, source), [rule]))
            if found := list_untraced(before, after, source):
                untraced[source] = found
    assert untraced == {}


def test_exceptions_name_rules() -> None:
    assert ALLOWED.keys() | DOUBTED.keys() | PARTIAL.keys() | STANDS_IN.keys() <= all_rules().keys()
