"""db2pd -wlocks, -locks, -applications and -transactions, and listings of lock waits: the same chain from each."""

import pytest

from tests.imports.reading import captured, reading
from tests.support.paths import FIXTURES

SAMPLE = (FIXTURES / "imports" / "db2pd-wlocks.txt").read_text(encoding="utf-8")
WAITS, _, REST = SAMPLE.partition("Applications:")
HEADING = "Database Member 0 -- Database SHOP -- Active -- Up 0 days 00:10:00\n"
LOCKS = """Locks:
Address            TranHdl    Lockname                   Type       Mode Sts Owner      Dur HoldCount  Att        ReleaseFlg rrIID
0x00007F0B562B1780 2          02000400080000000000000052 Row        ..U  W   2          1   0          0x00000000 0x40000000 0
0x00007F0B562B1880 12         02000400080000000000000052 Row        ..X  G   12         1   0          0x00000000 0x40000000 0
0x00007F0B562B1980 12         02000400000000000000000054 Table      .IX  G   12         1   0          0x00000000 0x40000000 0
"""
TRANSACTIONS = """
Transactions:
Address            AppHandl [nod-index] TranHdl    Locks      State   Tflag      Tflag2     Firstlsn
0x00007F0B56400080 552      [000-00552] 12         6          WRITE   0x00000000 0x00000000 0x00000000000BF2A1
0x00007F0B56400980 541      [000-00541] 2          3          READ    0x00000000 0x00000000 0x0000000000000000
"""
LISTING = """db2 "select lock_wait_elapsed_time, lock_mode_requested, lock_mode, req_application_handle, hld_application_handle,
hld_application_name, hld_userid from sysibmadm.mon_lockwaits"

LOCK_WAIT_ELAPSED_TIME LOCK_MODE_REQUESTED LOCK_MODE REQ_APPLICATION_HANDLE HLD_APPLICATION_HANDLE HLD_APPLICATION_NAME HLD_USERID
---------------------- ------------------- --------- ---------------------- ---------------------- -------------------- ----------
                    95 NS                  X                            541                    552 payroll              PAY
                    20 NS                  X                            560                    552 payroll              PAY

  2 record(s) selected.
"""
GET_LOCKS = """db2 "select application_handle, lock_name, lock_mode, lock_status from table(mon_get_locks(null, -2))"

APPLICATION_HANDLE   LOCK_NAME                        LOCK_MODE LOCK_STATUS
-------------------- -------------------------------- --------- -----------
                 552 02000400080000000000000052       X         G
                 541 02000400080000000000000052       NS        W

  2 record(s) selected.
"""


@pytest.fixture
def units(tmp_path):
    def read(text):
        return {int(row["APPLICATION_HANDLE"]): row for row in captured(tmp_path, text).rows("unit_of_work")}

    return read


def test_chain_of_wlocks_has_holders_waiters_and_states(units):
    found = units(SAMPLE)
    assert {handle: (row["WAITERS"], row["WAITS_FOR"]) for handle, row in found.items()} == {
        4711: ("2", ""),
        4720: ("", "4711"),
        4733: ("1", "4711"),
        4740: ("", "4733"),
        4755: ("", ""),
    }
    assert found[4711]["WORKLOAD_OCCURRENCE_STATE"] == "UOWWAIT"
    assert (found[4733]["CLIENT_APPLNAME"], found[4733]["SESSION_AUTH_ID"]) == ("ORDER BATCH", "BATCH")


def test_wlocks_alone_gives_the_chain_without_states(units):
    found = units(WAITS)
    assert found[4711]["WAITERS"] == "2"
    assert "WORKLOAD_OCCURRENCE_STATE" not in found[4711]


def test_states_of_a_separate_report_are_joined(units):
    assert units(WAITS + HEADING + "\nApplications:" + REST)[4711]["WORKLOAD_OCCURRENCE_STATE"] == "UOWWAIT"


def test_locks_get_their_applications_from_transactions(units):
    found = units(HEADING + LOCKS + TRANSACTIONS)
    assert (found[552]["WAITERS"], found[541]["WAITS_FOR"]) == ("1", "552")


def test_locks_without_transactions_ask_for_them():
    found = reading(HEADING + LOCKS)
    assert "lock_entry" not in found.rows
    assert {item.why for item in found.ranges if item.why} == {
        "a lock of an unknown application: add db2pd -transactions"
    }


def test_compatible_holder_is_not_a_blocker(units):
    text = (
        HEADING
        + """
Locks being waited on :
AppHandl [nod-index] TranHdl    Lockname                   Type       Mode Conv Sts CoorEDU    AppName  AuthID   AppID
10       [000-00010] 3          02000400000000000000000054 TableLock  .IS       G   71         db2bp    A        *LOCAL.db2inst1.260304110001
11       [000-00011] 4          02000400000000000000000054 TableLock  .IX       G   72         db2bp    B        *LOCAL.db2inst1.260304110002
12       [000-00012] 5          02000400000000000000000054 TableLock  ..S       W   73         db2bp    C        *LOCAL.db2inst1.260304110003
"""
    )
    found = units(text)
    assert (found[10]["WAITERS"], found[11]["WAITERS"], found[12]["WAITS_FOR"]) == ("", "1", "11")


def test_listing_of_lock_waits_gives_times_and_owner(units):
    found = units(LISTING)
    assert {name: found[552][name] for name in ("WAITERS", "LONGEST_WAIT_S", "WAITED_S", "SESSION_AUTH_ID")} == {
        "WAITERS": "2",
        "LONGEST_WAIT_S": "95",
        "WAITED_S": "115",
        "SESSION_AUTH_ID": "PAY",
    }


def test_listing_of_locks_gives_the_holder(units):
    assert units(GET_LOCKS)[541]["WAITS_FOR"] == "552"


def test_later_waits_replace_earlier_ones(units):
    later = WAITS.replace("4711 ", "4999 ").replace("-04711]", "-04999]")
    found = units(WAITS + later)
    assert (found[4711].get("WAITERS", ""), found[4999]["WAITERS"]) == ("", "2")
