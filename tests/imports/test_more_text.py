"""More text never removes a finding, unless a rule with more evidence contradicts it."""

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from types import ModuleType

import pytest

from advisor.catalogue.rules import all_rules
from advisor.errors import UserError
from advisor.imports.texts import Known, import_texts
from advisor.judgement.advice import Advice
from tests.imports.printers import config, db2look, db2mon, db2pd, listing, snapshot, table_csv, tablespaces
from tests.imports.samples import EXPECTED, HERE
from tests.machines import MACHINES
from tests.support.advised import judged
from tests.support.data_files import read_expected

PRINTERS = (config, db2look, db2mon, db2pd, listing, snapshot, table_csv, tablespaces)

# The rule that judges the same with more evidence, or the source with the evidence: if it is known, a finding may go.
CONTRADICTS = {
    "lock.waits-without-end": "lock.timeouts-deadlocks",
    "bufferpool.hit-ratio-counted": "bufferpool.hit-ratio-low",
    "cleaning.agent-writes-counted": "cleaning.victim-steals-high",
    "config.files-closed-counted": "config.agents-and-files",
    "lock.escalations-counted": "lock.escalations",
    "memory.spills-counted": "memory.sort-overflow",
    "log.as-created": "transaction_log",  # the most log that was ever in use
    "bufferpool.left-at-default": "tablespace",  # the size of its data
}

# Texts that name the database and a time, and nothing that a rule judges.
SPARSE = {
    "db2pd": "Database Member 0 -- Database {} -- Active -- Up 3 days 02:15:40 -- Date 2026-03-04-11.20.45.118203\n",
    "snapshot": """
              Database Snapshot

Database name                              = {}
Database status                            = Active
Snapshot timestamp                         = 11/02/2025 06:00:12.104233
Commit statements attempted                = 4711
""",
    "database time": """
db2 => connect to {}

   Database Connection Information

 Database server        = DB2/LINUXX8664 11.5.9.0
 SQL authorization ID   = DB2INST1
 Local database alias   = {}

db2 => select workload_name, member, total_rqst_time, total_cpu_time from table(mon_get_workload(null, -2)) as t

WORKLOAD_NAME            MEMBER TOTAL_RQST_TIME      TOTAL_CPU_TIME
------------------------ ------ -------------------- --------------------
SYSDEFAULTUSERWORKLOAD        0             86400000          43200000000

  1 record(s) selected.
""",
    "one setting of two": """
       Database Configuration for Database {}

 Catalog cache size (4KB)              (CATALOGCACHE_SZ) = 300
""",
    "df": "Filesystem     1K-blocks     Used Available Use% Mounted on\n/dev/sda1 104857600 20971520 83886080 20% /\n",
}


def find_removed(fewer: Advice, more: Advice) -> list[str]:
    """Return the findings that more text removed without a contradiction."""
    kept = {item.key for item in more.recommendations}
    not_run = {rule for rule, _ in more.not_run}

    def is_contradicted(rule: str) -> bool:
        by = CONTRADICTS.get(rule, rule)
        return by != rule and by not in not_run and ("." in by or bool(more.in_text.get(by)))

    return [
        f"{item.rule.name} {item.object_name}"
        for item in fewer.ranked
        if item.key not in kept and not is_contradicted(item.rule.name)
    ]


def import_each(sets: Iterable[tuple[Path, ...]], known: Known, folder: Path) -> dict[tuple[Path, ...], Advice]:
    """Return the advice for each set of texts from which something can be read."""
    captures = {}
    for number, paths in enumerate(sets):
        target = folder / str(number)
        target.mkdir(parents=True)
        try:
            import_texts(paths, target, known)
        except UserError:
            continue
        captures[paths] = target
    return dict(zip(captures, judged(list(captures.values())), strict=True))


@pytest.mark.parametrize(
    "name",
    ["docker-default", *(pytest.param(name, marks=pytest.mark.full) for name in ("laptop", "webshop", "x445-8way"))],
)
def test_second_text_removes_no_finding(name: str, tmp_path: Path) -> None:
    state = MACHINES[name]()
    state.sources["hostfact"] = []

    def write(printer: ModuleType) -> Path:
        path = tmp_path / printer.__name__
        path.write_text(printer.printed(state), encoding="utf-8")
        return path

    texts = [write(printer) for printer in PRINTERS]
    sets = [*((text,) for text in texts), *combinations(texts, 2)]
    about = state.database
    advice = import_each(sets, Known(about["name"], about["level"], about["platform"]), tmp_path / "captures")
    removed = {
        f"{pair}: {finding}"
        for pair in advice
        if len(pair) == 2
        for text in pair
        if (text,) in advice
        for finding in find_removed(advice[text,], advice[pair])
    }
    assert removed == set()
    assert any(advice[text,].ranked for text in texts if (text,) in advice)


def test_heading_of_another_text_removes_no_finding(tmp_path: Path) -> None:
    names = {name: said["database"]["name"] for name, said in read_expected(EXPECTED).items() if said.get("advice")}
    known = {HERE / name: database for name, database in names.items()}
    sets = []
    for path, database in known.items():
        sets.append((path,))
        for name, text in SPARSE.items():
            sparse = tmp_path / f"{database}-{name}.txt"
            sparse.write_text(text.replace("{}", database), encoding="utf-8")
            sets.append((path, sparse))
    advice = import_each(sets, Known(), tmp_path / "captures")
    removed = {
        f"{path.name} + {sparse[0].name}: {finding}"
        for path, *sparse in advice
        if sparse
        for finding in find_removed(advice[path,], advice[path, sparse[0]])
    }
    assert removed == set()
    assert len(advice) == len(known) * (1 + len(SPARSE))


def test_counted_rule_needs_what_the_timed_rule_needs() -> None:
    rules = all_rules()
    counted = {name: other for name, other in CONTRADICTS.items() if name.endswith("-counted")}
    assert counted.keys() == {name for name in rules if name.endswith("-counted")}
    for name, timed in counted.items():
        assert rules[name].get_list("needs_timed") == rules[timed].get_list("needs")
