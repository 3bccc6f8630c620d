"""Indexes over several intervals: one list, weighted by what ran, with the intervals that want each index."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.cli.main import main
from advisor.judgement.periods import Period, hash_text
from advisor.judgement.proposing import Proposal
from advisor.nightly import history
from advisor.nightly.runs import Run
from tests.support.nights import BY_ID, BY_STATUS, BY_TOTAL, ORDERS, statement, write_night

COLUMNS = [ORDERS | {"COLNAME": name, "COLNO": 0, "COLCARD": 9_000} for name in ("STATUS", "TOTAL")]
CATALOG = {name: [] for name in ("system", "index", "table", "cat_tablespace", "cat_key_column")} | {
    "cat_table": [ORDERS | {"CARD": 900_000, "NPAGES": 30_000}],
    "cat_column": COLUMNS,
}


def period(times: list[float], inserted: int) -> Period:
    """Return an interval with a statement per time."""
    texts = [BY_STATUS, BY_TOTAL, BY_STATUS + " AND TOTAL = 3"]
    rows = [
        {
            "STATEMENT": f"{number}/1", "STMT_TEXT": text.format(7), "STMT_TEXT_LENGTH": 70, "EXECUTIONS": 100,
            "ACT_MS": ms, "CPU_MS": ms / 2, "READ_MS": ms / 4, "PREFETCH_WAIT_MS": 0, "SORT_MS": 0,
            "ROWS_READ": 90_000_000, "ROWS_USED": 900, "TOTAL_ACT_TIME": sum(times) + 1, "SECONDS": 300,
        }
        for number, (text, ms) in enumerate(zip(texts, times, strict=False))
    ]  # fmt: skip
    writes = [ORDERS | {"INSERTED": inserted, "UPDATED": None, "DELETED": 0}]
    return Period.from_rows(rows, CATALOG | {"writes": writes}, "2026-03-02T10:05:00")


@settings(max_examples=40)
@given(st.lists(st.floats(1, 1e6), min_size=1, max_size=3), st.integers(0, 100_000), st.integers(2, 9))
def test_list_over_copies_has_the_shares_of_one(times: list[float], inserted: int, copies: int) -> None:
    one = period(times, inserted)
    alone, joined = (Proposal.from_period(each).advice for each in (one, Period.join([one] * copies)))
    assert len(joined.workload.intervals) == copies
    assert [each.index for each in joined.chosen] == [each.index for each in alone.chosen]
    assert joined.before_ms == pytest.approx(copies * alone.before_ms)
    for several, single in zip(joined.chosen, alone.chosen, strict=True):
        assert several.share == pytest.approx(single.share)
        assert several.write_ms == pytest.approx(copies * single.write_ms)
        assert [item.after_ms for item in several.helped] == pytest.approx([item.after_ms for item in single.helped])
        assert len(several.intervals) == copies * len(single.intervals)


@pytest.mark.parametrize(
    "other", ["select 1 from t where a = 'it''s'  and b = 2.5", "select 1\nfrom t where a = '' and b = 7"]
)
def test_text_key_ignores_literals_and_blanks(other: str) -> None:
    text = "select 1 from t where a = 'x' and b = 10"
    assert hash_text(other.replace("select 1", "select 9")) == hash_text(text)
    assert hash_text(text.replace("b =", "c =")) != hash_text(text)


def indexes(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["indexes", *map(str, arguments)])
    return done.exit_code, done.output if "json" in arguments else " ".join(done.output.split())


def wanted(output: str) -> dict[str, list[str]]:
    """Return the days that want each index, by the text of its action."""
    created = json.loads(output)["indexes"]["create"]
    return {
        each["actions"][0]["text"].split(" ON ")[1][15:]: [day[:10] for day in each["intervals"]] for each in created
    }


def test_two_nights_that_want_different_indexes_get_both(tmp_path: Path) -> None:
    first = write_night(tmp_path, 0, statement(BY_STATUS.format("NEW"), 900_000))
    last = write_night(tmp_path, 1, statement(BY_TOTAL.format(7), 900_000, number=2))
    status, output = indexes("--capture", first, "--run", last)
    assert status == 0
    assert "2 intervals, which ended 2026-03-02 10:05:00 to 2026-03-03 10:05:00" in output
    for day in (2, 3):
        assert f"wanted only by the interval that ended 2026-03-0{day} 10:05:00" in output


def test_batch_of_one_night_is_named_in_a_store(tmp_path: Path) -> None:
    batch = statement(BY_TOTAL.format(7), 900_000, executions=1, number=2)
    with history.open_history(tmp_path) as kept:
        for night in range(3):
            daily = statement(BY_STATUS.format(night), 900_000), statement(BY_ID.format(night), 900, number=3)
            capture = write_night(tmp_path / "SALES", night, *daily, *([batch] if night == 1 else []))
            started = datetime(2026, 3, 2).astimezone() + timedelta(days=night)
            about = "SALES", started, "SALES", ("SALES", "db1", "i"), "300 s", None, (), (), (), capture.name
            kept.add(Run(*about))
    found = wanted(indexes("--store", tmp_path, "SALES", "--format", "json")[1])
    assert sorted(found.values()) == [["2026-03-03"], ["2026-03-04", "2026-03-03", "2026-03-02"]]
    assert indexes("--store", tmp_path, "HR")[0] == 2


def test_unusable_captures_are_left_out_with_a_line(tmp_path: Path) -> None:
    for night in range(2):
        write_night(tmp_path, night, statement(BY_STATUS.format("NEW"), 900_000))
    single = tmp_path / "night-0" / "manifest.json"
    content = json.loads(single.read_text(encoding="utf-8"))
    single.write_text(json.dumps(content | {"snapshots": content["snapshots"][1:]}), encoding="utf-8")
    output = indexes("--capture", tmp_path)[1]
    assert "night-0: left out: its only snapshot" in output
    other = json.loads(single.read_text(encoding="utf-8").replace('"name": "', '"name": "X'))
    single.write_text(json.dumps(other), encoding="utf-8")
    assert "different databases" in indexes("--capture", tmp_path)[1]
