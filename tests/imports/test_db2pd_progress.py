"""db2pd -recovery, -reorgs and -latches: each observation is a note."""

import pytest

from advisor.errors import UserError
from advisor.imports.formats.db2pd_progress import Progress
from advisor.imports.texts import import_texts
from tests.support.paths import FIXTURES

SAMPLE = FIXTURES / "imports" / "db2pd-progress.txt"


def notes(*lines):
    progress = Progress()
    for title, text in lines:
        progress.take(title, text, 1)
    return progress.notes()


def test_sample_gives_notes_for_each_section(tmp_path):
    found = import_texts([SAMPLE], tmp_path).notes
    assert found[:3] == [
        "crash recovery is running: phase 1 of 2 (forward), 42 % done",
        "REORG of table ORDERS is paused at 3007 of 8012",
        "2 EDUs wait for latch SQLO_LT_SQLB_BPD__bpdLatch, held by EDU 5912",
    ]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("0x01 1 Forward Wed Mar 4 11:18:31 2026 1500 bytes Unknown", " (forward), 1,500 bytes done"),
        ("0x01 1 Forward Wed Mar 4", ""),
    ],
)
def test_recovery_of_unknown_size_shows_its_bytes(step, said):
    job = [
        ("Recovery", "Job Type   ROLLFORWARD RECOVERY"),
        ("Recovery", "Total Phases 2"),
        ("Recovery", "Current Phase 1"),
    ]
    assert notes(*job, ("Progress", step)) == [f"rollforward recovery is running: phase 1 of 2{said}"]


def test_held_latch_without_waiters_gives_no_note():
    assert notes(("Latches", "0x01 5940 0 sqlpgart.C 220 SQLO_LT_SQLP_DBCB__fdxLatch 1")) == []


def test_waiter_without_a_holder_is_counted():
    line = "0x01 0 5940 sqlpgart.C 220 SQLO_LT_SQLP_DBCB__fdxLatch 0"
    assert notes(("Latches", line)) == ["1 EDU waits for latch SQLO_LT_SQLP_DBCB__fdxLatch"]


def test_lines_of_other_sections_give_no_note():
    assert notes(("Applications", "Job Type CRASH RECOVERY"), ("Progress", "0x01 1 Forward x 1 bytes Unknown")) == []


def test_text_with_nothing_else_tells_its_note(tmp_path):
    head = "Database Member 0 -- Active -- Up 5 days 01:02:03 -- Date 2026-03-04-11.20.45.118203\n\nLatches:\n"
    names = "Address            Holder     Waiter     Filename             LOC        LatchType            HoldCount\n"
    path = tmp_path / "latches.txt"
    path.write_text(f"{head}{names}0x00007F2A10C45B20 1234 5678 sqldload.C 1200 SQLO_LT_SQLB_BPD__bpdLatch 1\n")
    with pytest.raises(UserError, match="1 EDU waits for latch SQLO_LT_SQLB_BPD__bpdLatch, held by EDU 1234"):
        import_texts([path], tmp_path)
