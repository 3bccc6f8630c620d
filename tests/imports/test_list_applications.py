"""``list applications``, with and without ``show detail``."""

from pathlib import Path

from advisor.imports.texts import import_texts
from tests.imports.reading import reading
from tests.support.paths import FIXTURES

SAMPLE = FIXTURES / "imports" / "list-applications.txt"
TEXT = SAMPLE.read_text(encoding="utf-8")
DETAIL, PLAIN = TEXT.split("$ db2 list applications\n")


def sessions(text: str) -> dict[str, dict[str, str]]:
    return {row["APPLICATION_HANDLE"]: row for row in reading(text).rows.get("unit_of_work", [])}


def test_detail_gives_states_users_and_names() -> None:
    row = sessions(DETAIL)["4733"]
    assert (row["SESSION_AUTH_ID"], row["CLIENT_APPLNAME"]) == ("BATCH", "ORDER BATCH")
    assert (row["WORKLOAD_OCCURRENCE_STATE"], row["COORD_MEMBER"]) == ("UOWEXEC", "0")
    assert sessions(DETAIL)["4711"]["WORKLOAD_OCCURRENCE_STATE"] == "UOWWAIT"


def test_connection_without_unit_of_work_gives_no_session() -> None:
    assert "4101" in DETAIL
    assert "4101" not in sessions(DETAIL)


def test_plain_list_gives_no_state() -> None:
    row = sessions(PLAIN)["4711"]
    assert (row["SESSION_AUTH_ID"], "WORKLOAD_OCCURRENCE_STATE" in row) == ("WEBSHOP", False)


def test_name_that_may_be_cut_is_not_used() -> None:
    assert "SESSION_AUTH_ID" not in sessions(PLAIN)["4760"]
    assert "CLIENT_APPLNAME" not in sessions(PLAIN)["4755"]
    assert "CLIENT_APPLNAME" not in sessions(DETAIL)["4755"]


def test_lock_wait_asks_for_the_lock_chain(tmp_path: Path) -> None:
    [note] = import_texts([SAMPLE], tmp_path).notes
    assert note.startswith("2 applications wait for locks in SHOP;")
    assert note.endswith("db2pd -db SHOP -wlocks -applications -transactions")


def test_wrapped_table_is_refused() -> None:
    wrapped = "\n".join(line[at : at + 132] for line in DETAIL.splitlines() for at in range(0, max(1, len(line)), 132))
    assert sessions(wrapped) == {}
    assert any("wrapped" in (item.why or "") for item in reading(wrapped).ranges)


def test_each_database_gets_its_own_report() -> None:
    text = DETAIL.replace("SHOP     /db2", "STOCK    /db2", 2)
    assert {report.database for report in reading(text).reports} == {"SHOP", "STOCK"}


def test_text_after_the_table_is_read() -> None:
    after = "\n          Database Configuration for Database SHOP\n\n Log file size (4KB)        (LOGFILSIZ) = 1024\n"
    assert reading(TEXT + after).rows["dbcfg"]
