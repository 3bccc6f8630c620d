"""Output of ``db2evmonfmt`` for a locking event monitor."""

from tests.imports.reading import reading
from tests.support.paths import FIXTURES

TEXT = (FIXTURES / "imports" / "db2evmonfmt.txt").read_text(encoding="utf-8")


def events(text: str) -> list[dict[str, str]]:
    return reading(text).rows.get("event", [])


def test_timeout_and_deadlock_are_reported_problems() -> None:
    found = [(row["CODE"], row["APPLICATION_HANDLE"], row["OBJECT_NAME"], row["LAST_TIME"]) for row in events(TEXT)]
    assert found == [
        ("SQL0911N 68", "1042", "SHOP.STOCK", "2026-03-02 09:26:41"),
        ("SQL0911N 2", "1060", "SHOP.ORDERS", "2026-03-02 09:40:02"),
    ]


def test_message_has_tables_and_statements_of_both_sides() -> None:
    message = events(TEXT)[1]["MESSAGE"]
    assert 'on table "SHOP.ORDERS" and SHOP.STOCK; participant 1: UPDATE SHOP.ORDERS' in message
    assert "participant 2: UPDATE SHOP.STOCK" in message


def test_lock_wait_is_no_error() -> None:
    assert events(TEXT[TEXT.index("Event ID               : 3") :]) == []


def test_deadlock_without_victim_has_no_handle() -> None:
    text = TEXT.replace("Participant that was rolled back      : 2\n", "")
    assert "APPLICATION_HANDLE" not in events(text)[1]


def test_same_timeout_twice_is_counted() -> None:
    begin, end = TEXT.index("Event ID               : 1"), TEXT.index("Event ID               : 2")
    assert [row["OCCURRENCES"] for row in events(TEXT[begin:end] * 2)] == ["2"]


def test_text_after_the_events_is_read() -> None:
    after = "\n          Database Configuration for Database SHOP\n\n Log file size (4KB)        (LOGFILSIZ) = 1024\n"
    assert reading(TEXT + after).rows["dbcfg"]
