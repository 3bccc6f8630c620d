"""Grouping of reports into snapshots, and their counters."""

from datetime import datetime, timedelta

import pytest

from advisor.errors import UserError
from advisor.imports.databases import select_database
from advisor.imports.merge import Merger
from advisor.imports.readings import INTERVAL, SINCE, STATE, Readings
from advisor.imports.snapshots import arrange_reports
from tests.imports.reading import captured, rows_in

NOON = datetime(2026, 3, 2, 12)


class Texts:
    """Return reports with rows of buffer pools, and their capture."""

    def __init__(self, folder):
        self.target = folder / "capture"
        self.target.mkdir()
        raw = folder / "raw"
        raw.mkdir()
        self.readings = Readings(raw)

    def report(self, pools, counts=SINCE, document="text", **about):
        report = self.readings.report("pools", document, counts=counts, **about)
        for pool, values in pools.items():
            self.readings.row(report, "bufferpool", {"BP_NAME": pool} | values)
        return report

    def merged(self):
        merger = Merger(self.readings, self.readings.reports, self.target)
        snapshots = arrange_reports(self.readings.reports, merger.counting())
        merger.merge(snapshots)
        self.readings.close()
        rows = [{name: value for name, value in row.items() if value} for row in rows_in(self.target, "bufferpool")]
        return snapshots, merger.notes, {(row["SNAP_ID"], row["BP_NAME"], row["MEMBER"]): row for row in rows}


@pytest.fixture(name="texts")
def fixture_texts(tmp_path):
    return Texts(tmp_path)


def reads(number):
    return {"POOL_DATA_L_READS": number}


def test_one_report_is_a_single_snapshot_since_activation(texts):
    texts.report({"A": reads(10)}, taken_at=NOON)
    snapshots, _, rows = texts.merged()
    assert (snapshots.begin_at, snapshots.end_at) == (None, NOON)
    assert rows[("2", "A", "0")]["POOL_DATA_L_READS"] == "10"


def test_two_reports_are_a_difference(texts):
    texts.report({"A": reads(10), "B": reads(5)}, taken_at=NOON)
    texts.report({"A": reads(30), "NEW": reads(7)}, taken_at=NOON + timedelta(minutes=10))
    snapshots, _, rows = texts.merged()
    assert (snapshots.begin_at, snapshots.end_at) == (NOON, NOON + timedelta(minutes=10))
    assert [rows[(n, "A", "0")]["POOL_DATA_L_READS"] for n in ("1", "2")] == ["10", "30"]
    # counters missing in the first report may have counted for a long time
    assert "POOL_DATA_L_READS" not in rows.get(("2", "NEW", "0"), {})


LATER = NOON + timedelta(minutes=5)


@pytest.mark.parametrize(
    ("reports", "notes"),
    [
        ([(10, 30, {}), (0, 10, {})], []),
        ([(0, 10, {}), (10, 20, {}), (20, 30, {})], ["reports between the first and the last one are not used"]),
        (
            [(0, 900, {"since": NOON}), (10, 10, {"since": LATER}), (20, 30, {"since": LATER})],
            [f"counters restarted at {LATER}: those of earlier reports are not used"],
        ),
        ([(0, 10, {}), (10, 30, {}), (None, 999, {"document": "other"})], []),
    ],
    ids=["files in any order", "one in between", "after the last start", "one without a time"],
)
def test_first_and_last_report_give_a_difference(texts, reports, notes):
    for minutes, number, about in reports:
        taken_at = None if minutes is None else NOON + timedelta(minutes=minutes)
        texts.report({"A": reads(number)}, taken_at=taken_at, **about)
    snapshots, _, rows = texts.merged()
    assert snapshots.notes == notes
    assert [rows[(n, "A", "0")]["POOL_DATA_L_READS"] for n in ("1", "2")] == ["10", "30"]


def test_reports_within_a_minute_are_one_look(texts):
    texts.report({"A": reads(10)}, taken_at=NOON)
    texts.report({"A": reads(30)}, taken_at=NOON + timedelta(seconds=59))
    snapshots, _, rows = texts.merged()
    assert snapshots.begin_at is None
    assert list(rows) == [("2", "A", "0")]


def test_counters_begun_between_reports_do_not_matter(texts):
    began = NOON + timedelta(minutes=5)
    texts.report({"A": reads(10), "OLD": reads(5)}, taken_at=NOON, since=NOON - timedelta(days=1))
    texts.report({"A": reads(30)}, taken_at=NOON + timedelta(minutes=10), since=began)
    snapshots, _, rows = texts.merged()
    assert (snapshots.begin_at, snapshots.end_at) == (None, NOON + timedelta(minutes=10))
    assert snapshots.notes == [f"counters restarted at {began}: those of earlier reports are not used"]
    assert rows[("2", "A", "0")]["POOL_DATA_L_READS"] == "30"
    assert "POOL_DATA_L_READS" not in rows.get(("2", "OLD", "0"), {})


def test_report_without_time_belongs_to_its_document(texts):
    texts.report({"A": reads(10)}, document="first", taken_at=NOON)
    texts.report({"B": reads(1)}, document="first")
    texts.report({"A": reads(30)}, document="second", taken_at=NOON + timedelta(minutes=10))
    texts.report({"B": reads(3)}, document="second")
    _, _, rows = texts.merged()
    assert [rows[(n, "B", "0")]["POOL_DATA_L_READS"] for n in ("1", "2")] == ["1", "3"]


def test_interval_begins_at_zero_without_earlier_counts(texts):
    texts.report({"A": reads(10)}, counts=INTERVAL, seconds=300, taken_at=NOON)
    texts.report({"B": reads(99)}, taken_at=NOON)
    texts.report({"A": {"BP_CUR_BUFFSZ": 1000}}, counts=STATE)
    snapshots, _, rows = texts.merged()
    assert snapshots.begin_at == NOON - timedelta(seconds=300)
    assert [rows[(n, "A", "0")]["POOL_DATA_L_READS"] for n in ("1", "2")] == ["0", "10"]
    assert [rows[(n, "A", "0")]["BP_CUR_BUFFSZ"] for n in ("1", "2")] == ["1000", "1000"]
    assert "POOL_DATA_L_READS" not in rows[("2", "B", "0")]
    assert snapshots.notes == ["counters of pools do not cover the interval: not used"]


def test_later_value_wins_and_absent_value_hides_none(texts):
    texts.report({"A": {"BP_CUR_BUFFSZ": 1000, "AUTOMATIC": 1}}, counts=STATE)
    texts.report({"A": {"BP_CUR_BUFFSZ": 2000}}, counts=STATE)
    _, _, rows = texts.merged()
    assert rows[("2", "A", "0")] == {
        "SNAP_ID": "2",
        "BP_NAME": "A",
        "MEMBER": "0",
        "BP_CUR_BUFFSZ": "2000",
        "AUTOMATIC": "1",
    }


def test_row_without_member_gets_its_reports_or_the_first(texts):
    texts.report({"A": reads(1) | {"MEMBER": 2}}, taken_at=NOON)
    texts.report({"A": reads(2)}, taken_at=NOON, member=3)
    texts.report({"B": reads(3)}, taken_at=NOON)
    _, _, rows = texts.merged()
    assert sorted(rows) == [("2", "A", "2"), ("2", "A", "3"), ("2", "B", "2")]


def test_a_value_of_another_type_is_absent(texts):
    texts.report({"A": reads("a lot"), "B": reads(3)}, taken_at=NOON)
    _, _, rows = texts.merged()
    assert "POOL_DATA_L_READS" not in rows[("2", "A", "0")]
    assert rows[("2", "B", "0")]["POOL_DATA_L_READS"] == "3"


def test_containers_find_their_table_space_by_its_number(texts):
    report = texts.report({"A": {"BP_CUR_BUFFSZ": 1}}, counts=STATE)
    texts.readings.row(report, "container", {"TBSP_ID": 2, "CONTAINER_ID": 0, "CONTAINER_NAME": "/d/1"})
    texts.readings.row(report, "container", {"TBSP_ID": 3, "CONTAINER_ID": 0, "CONTAINER_NAME": "/d/2"})
    texts.readings.row(report, "tablespace", {"TBSP_ID": 2, "TBSP_NAME": "USERSPACE1", "TBSP_PAGE_SIZE": 4096})
    _, notes, _ = texts.merged()
    assert [row["TBSP_NAME"] for row in rows_in(texts.target, "container")] == ["USERSPACE1"]
    assert notes == ["container: rows without a complete key (TBSP_NAME, CONTAINER_ID, MEMBER) are not used: 1"]


@pytest.mark.parametrize(("apart", "same"), [(45, True), (90, False)])
def test_activation_to_the_minute_is_the_same_activation(texts, apart, same):
    for taken_at, since in (
        (NOON, NOON - timedelta(days=1)),
        (NOON + timedelta(minutes=10), NOON - timedelta(days=1, seconds=apart)),
    ):
        report = texts.report({"A": reads(1)}, taken_at=taken_at)
        texts.readings.row(report, "database", {"DB_CONN_TIME": since.isoformat(), "UPTIME_S": 86400})
    texts.merged()
    assert (len({row["DB_CONN_TIME"] for row in rows_in(texts.target, "database")}) == 1) is same


@pytest.mark.parametrize(
    ("others", "kept"), [({"DB2ADM": {"TOTAL_SORTS": 5}, "WEB": {"TOTAL_SORTS": 7}}, {"DB2ADM", "WEB"}), ({}, {"ALL"})]
)
def test_sum_of_all_workloads_is_not_added_to_them(texts, others, kept):
    report = texts.report({"A": reads(1)}, taken_at=NOON)
    for name, values in ({"ALL": {"TOTAL_SORTS": 12}} | others).items():
        texts.readings.row(report, "workload", {"WORKLOAD_NAME": name} | values)
    texts.merged()
    assert {row["WORKLOAD_NAME"] for row in rows_in(texts.target, "workload")} == kept


def test_of_several_databases_one_is_to_be_named(texts):
    about_a = texts.report({"A": reads(1)}, database="SHOP")
    texts.report({"A": reads(1)}, database="HR")
    about_all = texts.report({"A": reads(1)})
    with pytest.raises(UserError, match=r"^the texts are about HR, SHOP; choose one with --name$"):
        select_database(texts.readings.reports, None)
    with pytest.raises(UserError, match=r"^no text is about database CRM; the texts are about HR, SHOP$"):
        select_database(texts.readings.reports, "CRM")
    assert select_database(texts.readings.reports, "shop") == ([about_a, about_all], "SHOP", [])


def test_without_the_time_of_activation_the_last_report_counts(tmp_path):
    page = (
        "Bufferpool name = STONES\nDatabase name = QUARRY\nSnapshot timestamp = 03/04/2026 11:{}0:00.000000\n"
        "Buffer pool data logical reads = {}\n\n"
    )
    text = "".join(f"             Bufferpool Snapshot\n\n{page.format(minute, minute * 100)}" for minute in (1, 2))
    result = captured(tmp_path, text)
    assert "the time of activation is unknown: reports are not compared, the last one counts" in result.notes
    assert [(row["SNAP_ID"], row["POOL_DATA_L_READS"]) for row in result.rows("bufferpool")] == [("2", "200")]


def test_interval_starts_at_the_activation_of_the_counters(texts):
    counting = texts.report({"A": reads(10)}, taken_at=NOON)
    other = texts.report({}, taken_at=NOON - timedelta(days=60))
    for report, activated in ((counting, NOON - timedelta(hours=1)), (other, NOON - timedelta(days=63))):
        texts.readings.row(report, "database", {"MEMBER": "0", "DB_CONN_TIME": activated.isoformat(sep=" ")})
    texts.merged()
    [row] = rows_in(texts.target, "database")
    assert row["UPTIME_S"] == "3600"


@pytest.mark.parametrize("taken_at", [NOON - timedelta(days=1), NOON + timedelta(days=1), None])
def test_counters_of_other_texts_leave_an_export_its_interval(texts, taken_at):
    for edge, minutes, count in (("start", 0, 10), ("end", 5, 30)):
        texts.report({"A": reads(count)}, taken_at=NOON + timedelta(minutes=minutes), edge=edge)
    other = texts.report({"A": reads(99)}, document="other", taken_at=taken_at)
    texts.readings.row(other, "database", {"MEMBER": 0, "DB_CONN_TIME": "2026-01-01 00:00:00", "CONNECTIONS_TOP": 7})
    snapshots, _, rows = texts.merged()
    assert [rows[(n, "A", "0")]["POOL_DATA_L_READS"] for n in ("1", "2")] == ["10", "30"]
    assert snapshots.notes == ["counters of pools do not cover the interval: not used"]
    activations = rows_in(texts.target, "database")
    assert [(row["DB_CONN_TIME"], row["UPTIME_S"], row["CONNECTIONS_TOP"]) for row in activations] == [
        ("2026-03-02 12:00:00", "0", ""),
        ("2026-03-02 12:00:00", "300", "7"),
    ]
