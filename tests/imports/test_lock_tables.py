"""Listings of LOCK_EVENT and LOCK_PARTICIPANTS, the tables of a locking event monitor."""

from pathlib import Path

from tests.imports.reading import captured
from tests.support.paths import FIXTURES

SAMPLE = FIXTURES / "imports" / "listing-lock-events.txt"
TEXT = SAMPLE.read_text(encoding="utf-8")


def events(folder: Path, text: str, *others: Path) -> list[dict[str, str]]:
    return captured(folder, text, *others).rows("event")


def test_events_have_code_handle_table_and_times(tmp_path: Path) -> None:
    timeout, deadlock = events(tmp_path, TEXT)
    assert (timeout["CODE"], timeout["APPLICATION_HANDLE"], timeout["OCCURRENCES"]) == ("SQL0911N 68", "1042", "2")
    assert (timeout["FIRST_TIME"], timeout["LAST_TIME"]) == ("2026-03-02 09:26:41", "2026-03-02 10:02:11")
    assert (deadlock["CODE"], deadlock["APPLICATION_HANDLE"]) == ("SQL0911N 2", "1060")
    assert deadlock["MESSAGE"] == 'DEADLOCK on table "SHOP.ORDERS" and SHOP.STOCK'


def test_events_without_participants_have_no_handle(tmp_path: Path) -> None:
    rows = events(tmp_path, TEXT[: TEXT.index('$ db2 "SELECT VARCHAR(XMLID, 70) AS XMLID, PARTICIPANT_NO')])
    assert [(row["CODE"], row["OCCURRENCES"]) for row in rows] == [("SQL0911N 68", "2"), ("SQL0911N 2", "1")]
    assert not any(row.get("APPLICATION_HANDLE") or row.get("OBJECT_NAME") for row in rows)


def test_timeout_with_two_requesters_has_no_handle(tmp_path: Path) -> None:
    rows = events(tmp_path, TEXT.replace("OWNER    ", "REQUESTER"))
    assert [row["APPLICATION_HANDLE"] for row in rows] == ["", "1060"]


def test_same_listing_twice_counts_once(tmp_path: Path) -> None:
    assert [row["OCCURRENCES"] for row in events(tmp_path, TEXT, SAMPLE)] == ["2", "1"]


def test_events_add_to_those_of_another_text(tmp_path: Path) -> None:
    rows = events(tmp_path, TEXT, FIXTURES / "imports" / "db2evmonfmt.txt")
    assert len({row["EVENT_ID"] for row in rows}) == len(rows) == 4
