"""The nightly job's report of a database that got worse, with its possible causes, and of slower access plans."""

import csv
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import jsonschema
import pytest

from advisor.judgement.objects import DEFINED, SIZED, objects
from advisor.nightly import history as kept_runs
from advisor.nightly import history_show as show
from advisor.nightly import summary
from advisor.nightly.database import Outcome
from advisor.nightly.history import History
from advisor.nightly.runs import Run
from advisor.verify.changed import Change
from advisor.verify.measured import Executed
from advisor.verify.nights import verify_changes
from advisor.verify.regressed import Regressed
from advisor.verify.statements import SlowerPlan, find_slower_plans
from advisor.verify.unexplained import SAME, SETTINGS, UNKNOWN, find_regression
from tests.support.paths import CAPTURES, DOCS
from tests.verify.histories import Kind, history

SCHEMA = json.loads((DOCS / "regression.schema.json").read_text(encoding="utf-8"))
WORSE = Kind(effect=0.2, deviation=0.01, bursts=0.0)
OTHER = Change("LOGBUFSZ: 8 -> 2048; no advice asked for it", "DBCFG:LOGBUFSZ", None)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[History]:
    with kept_runs.open_history(tmp_path) as store:
        yield store


def nights(
    kept: History, folder: Path, kind: Kind, changed: dict[int, Change], captures: dict[int, str] | None = None
) -> list[Regressed | None]:
    """Run once per night, at the end of its day: 28 nights, and 14 with the effect. Return each night's report."""
    said = []
    for night, interval in enumerate(history(kind, 1, 28, 14)[0]):
        short = replace(interval, kind="interval", begin=interval.end - timedelta(seconds=300), seconds=300)
        capture = (captures or {}).get(night)
        run = Run("SALES", interval.end.astimezone(), "SALES", ("SALES",), "300 s", None, (), (), (), capture)
        number = kept.add(run)
        kept.measurements.add(number, [interval, short], [changed[night]] if night in changed else [])
        changes = verify_changes(kept.measurements, "SALES")
        for each in changes:
            if each.verdict and each.final:
                kept.measurements.add_verdict(each.number, each.kind, each.says, None)
        found = find_regression(kept.measurements, "SALES", changes, folder)
        if found:
            kept.measurements.add_regression(number, found)
        said.append(found)
    return said


def test_regression_is_reported_once_with_unknowns_and_kept(kept: History, tmp_path: Path) -> None:
    said = nights(kept, tmp_path, WORSE, {})
    (night,) = [night for night, found in enumerate(said) if found]
    found = said[night]
    assert 28 < night < 28 + 8
    assert found
    assert list(kept.measurements.load_regressions("SALES").values()) == [found]
    assert [each.about for each in found.beside] == [SAME, UNKNOWN, UNKNOWN]
    outcome = Outcome("SALES", run=kept.runs("SALES")[-1], regressed=found)
    text = summary.render(outcome.run.started_at, [outcome]) if outcome.run else ""
    assert text.startswith("db2tune: 1 database, 1 slower")
    assert "Slower    database time per activity +" in text
    assert "the captures of those nights no longer exist" in " ".join(text.split())
    document = summary.document(found.begin_at, [outcome])["databases"][0]["regression"]
    jsonschema.validate(document, SCHEMA)
    shown = json.loads(show.as_json(kept.runs("SALES"), (), {"SALES": [found]}))
    assert shown["databases"][0]["regressions"] == [document]
    assert "slower    database time per activity +" in show.render(
        kept.runs("SALES"), 100, regressions={"SALES": [found]}
    )
    kept.prune("SALES", 2)
    assert kept.measurements.load_regressions("SALES") == {}


def test_what_a_change_has_a_verdict_on_is_not_told_twice(kept: History, tmp_path: Path) -> None:
    assert not any(nights(kept, tmp_path, WORSE, {28: OTHER}))
    ((verdict, _),) = kept.measurements.load_verdicts("SALES").values()
    assert verdict == "harmful"


def test_a_change_long_before_it_hides_nothing(kept: History, tmp_path: Path) -> None:
    (found,) = [each for each in nights(kept, tmp_path, WORSE, {5: OTHER}) if each]
    assert SETTINGS not in [each.about for each in found.beside]


def test_regression_lists_settings_of_two_changes_in_a_night(kept: History, tmp_path: Path) -> None:
    (found,) = [each for each in nights(kept, tmp_path, WORSE, {28: OTHER, 29: OTHER}) if each]
    assert [each.text for each in found.beside if each.about == SETTINGS] == [f"{OTHER.text} (inconclusive)"]


def capture(folder: Path, hours: int, **rows: list[dict[str, object]]) -> Path:
    """Return the shop this many hours later, with other values in the rows of some sources."""
    shutil.copytree(CAPTURES / "shop-missing-index", folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for each in manifest["snapshots"]:
        each["taken_at"] = each["taken_at"].replace(
            "2026-03-02T10", f"2026-03-{2 + hours // 24:02}T{10 + hours % 24:02}"
        )
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    for source, new in rows.items():
        path = folder / f"{source}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            heads = next(csv.reader(file))
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, heads)
            writer.writeheader()
            writer.writerows({"SNAP_ID": 2, **row} for row in new)
    return folder


def table(name: str, rows: int, age_h: int) -> dict[str, object]:
    return {"TABSCHEMA": "SHOP", "TABNAME": name, "CARD": rows, "NPAGES": rows // 10, "STATS_AGE_H": age_h}


def index(name: str, columns: str, age_d: int, entries: int = 50_000) -> dict[str, object]:
    where = {"TABSCHEMA": "SHOP", "TABNAME": "ORDERS", "IID": int(name[1:]), "MEMBER": -1, "DATA_PARTITION_ID": 0}
    return {**where, "INDSCHEMA": "SHOP", "INDNAME": name, "COLNAMES": columns, "INDCARD": entries, "AGE_D": age_d}


def size(name: str, kb: int) -> dict[str, object]:
    return {"TABSCHEMA": "SHOP", "TABNAME": name, "DBPARTITIONNUM": 0, "DATA_PARTITION_ID": 0, "DATA_OBJECT_P_SIZE": kb}


def test_tables_and_indexes_and_their_size_are_compared(tmp_path: Path) -> None:
    before = capture(
        tmp_path / "before",
        0,
        cat_table=[table("ORDERS", 900_000, 100), table("OLD", 10, 5), table("SAME", 20_000, 30)],
        index=[index("I1", "+ID", 400), index("I2", "+NAME", 400), index("I3", "+A", 9), index("I4", "+B", 9, 5)],
        table_size=[size("ORDERS", 102_400), size("SAME", 20_480)],
    )
    after = capture(
        tmp_path / "after",
        48,
        cat_table=[table("ORDERS", 2_000_000, 20), table("NEW", 5, 3), table("SAME", 20_000, 78)],
        index=[index("I1", "+ID", 402), index("I3", "+A", 1), index("I5", "+C", 1), index("I6", "+D", 300)],
        table_size=[size("ORDERS", 204_800), size("SAME", 20_480)],
    )
    found = objects(before, after)
    assert found.not_compared == {}
    assert found.said == {
        DEFINED: [
            "table SHOP.ORDERS: new statistics",
            "table SHOP.OLD: dropped",
            "table SHOP.NEW: created",
            "index of SHOP.ORDERS: SHOP.I2 (+NAME) dropped",
            "index of SHOP.ORDERS: SHOP.I3 (+A) recreated",
            "index of SHOP.ORDERS: SHOP.I5 (+C) created",
        ],
        SIZED: [
            "table SHOP.ORDERS: 100 -> 200 MB of data",
            "table SHOP.ORDERS: 900,000 -> 2,000,000 rows according to its statistics",
        ],
    }
    (after / "index.csv").unlink()
    assert objects(before, after).not_compared == {DEFINED: "index is not in the later capture"}


def test_captures_of_those_nights_show_changes_of_tables(kept: History, tmp_path: Path) -> None:
    capture(tmp_path / "before.capture", 0, cat_table=[table("ORDERS", 900_000, 100)])
    capture(tmp_path / "after.capture", 48, cat_table=[table("ORDERS", 900_000, 2)])
    named = dict.fromkeys(range(28), "before.capture") | dict.fromkeys(range(28, 42), "after.capture")
    (found,) = [each for each in nights(kept, tmp_path, WORSE, {}, named) if each]
    assert (DEFINED, "table SHOP.ORDERS: new statistics") in [(each.about, each.text) for each in found.beside]


def query(ms: float, plan: int | None, executions: int = 100, pct: float = 20.0, rows: float = 500.0) -> Executed:
    """Return a statement's executions with ``ms`` each."""
    return Executed("7/1", "SELECT A", executions, executions * ms, pct, rows, plan)


def plan_nights(kept: History, *executed: Executed) -> list[list[SlowerPlan]]:
    """Keep one run per night with this statement; return what each night reports."""
    found = []
    for interval, one in zip(history(Kind(), 1, len(executed), 0)[0], executed, strict=True):
        short = replace(
            interval, kind="interval", begin=interval.end - timedelta(seconds=300), seconds=300, executed=(one,)
        )
        number = kept.add(Run("SALES", interval.end.astimezone(), "SALES", ("SALES",), "300 s", None, (), (), ()))
        kept.measurements.add(number, [short], [])
        found.append(find_slower_plans(kept.measurements, "SALES"))
    return found


def test_slower_plan_is_reported_in_its_first_night(kept: History) -> None:
    *before, first, second = plan_nights(kept, query(1.0, 5), query(1.5, 5), query(3.0, 6, rows=50_000), query(3.0, 6))
    assert before == [[], []]
    assert first == [SlowerPlan("7/1", "SELECT A", 5, 6, 2, 1.5, 3.0, 5.0, 500.0)]
    assert second == []
    outcome = Outcome("SALES", run=kept.runs("SALES")[-1], slower_plans=first)
    assert outcome.run
    text = " ".join(summary.render(outcome.run.started_at, [outcome]).split())
    assert text.startswith("db2tune: 1 database, 1 with a slower plan")
    assert (
        "Plan SELECT A: 3 ms per execution with a new access plan, at most 1.5 ms in 2 nights with the earlier one;"
        " rows read per execution 5 -> 500" in text
    )
    assert "to get the earlier plan back" in text
    assert "undo: run the UPDATE statements" in text
    (entry,) = summary.document(outcome.run.started_at, [outcome])["databases"]
    assert entry["slower_plans"][0]["planid"] == 6


@pytest.mark.parametrize(
    "executed",
    [
        [query(1.0, 5), query(1.5, 5), query(2.9, 6)],  # less than twice the slowest night
        [query(1.0, 5), query(2.9, 6)],  # less than three times the only night
        [query(3.0, 5), query(3.0, 5), query(1.0, 6)],  # faster
        [query(1.0, 5), query(1.0, 5), query(9.0, 5)],  # the same plan
        [query(1.0, 5), query(1.0, 5), query(9.0, None)],  # two plans ran
        [query(1.0, None), query(1.0, None), query(9.0, 6)],  # the earlier plan is unknown
        [query(1.0, 5), query(1.0, 5), query(9.0, 6, executions=9)],
        [query(1.0, 5, executions=9), query(9.0, 6)],
        [query(1.0, 5), query(1.0, 5), query(9.0, 6, pct=0.9)],
    ],
)
def test_other_plan_without_reliable_slowdown_is_not_reported(kept: History, executed: list[Executed]) -> None:
    assert not any(plan_nights(kept, *executed))


def test_statement_with_three_times_the_only_night_is_reported(kept: History) -> None:
    assert [len(night) for night in plan_nights(kept, query(1.0, 5, executions=10), query(3.0, 6, 10, 1.0))] == [0, 1]
