"""The interpreter rejects what Db2 would reject; the fixed points test its other behaviour."""

import pytest
from lark.exceptions import LarkError

from tests.standin.commands import Interpreter
from tests.support.states import base_state


@pytest.mark.parametrize(
    "command",
    [
        "ALTER BUFFERPOOL IBMDEFAULTBP SIZE 1000",  # a name without quotes
        'ALTER BUFFERPOOL "NONE" SIZE 1000',
        'ALTER BUFFERPOOL "IBMDEFAULTBP" SIZE 1000 PAGESIZE 8192',
        'CREATE BUFFERPOOL "IBMDEFAULTBP" SIZE 1000',
        'DROP BUFFERPOOL "IBMDEFAULTBP"',  # a table space uses it
        'ALTER TABLESPACE "USERSPACE1" EXTENTSIZE 64',  # fixed at creation
        'ALTER TABLESPACE "USERSPACE1" PREFETCHSIZE',
        'ALTER TABLESPACE "USERSPACE1" BUFFERPOOL "NONE"',
        "ALTER TABLESPACE \"USERSPACE1\" DROP (FILE '/none')",
        "UPDATE DB CFG FOR SAMPLE USING NO_SUCH_PARAMETER 1",
        "UPDATE DB CFG FOR SAMPLE USING SORTHEAP",
        "UPDATE DB CFG USING SORTHEAP 1000",  # no database is named
        'REDISTRIBUTE DATABASE PARTITION GROUP "IBMDEFAULTGROUP" USING TARGETMAP not-saved.map',
        "sysctl -w vm.swappiness=5",  # the present value is unknown
    ],
)
def test_refuses(command: str) -> None:
    with pytest.raises((LarkError, ValueError)):
        Interpreter(base_state()).carry_out(command)


def test_quoted_names_and_values_are_read_back() -> None:
    state = base_state()
    interpreter = Interpreter(state)
    interpreter.carry_out('CREATE BUFFERPOOL "my ""pool"" 8K" IMMEDIATE SIZE 500 AUTOMATIC PAGESIZE 8 K')
    interpreter.carry_out("ALTER STOGROUP \"IBMSTOGROUP\" ADD '/it''s'")
    interpreter.carry_out(
        "UPDATE DB CFG FOR SAMPLE DBPARTITIONNUM 0 USING NEWLOGPATH /ssd1/logs SORTHEAP 500 LOCKLIST AUTOMATIC"
    )
    pool = state.sources["cat_bufferpool"][-1]
    assert (pool["BPNAME"], pool["NPAGES"], pool["PAGESIZE"]) == ('my "pool" 8K', -2, 8192)
    assert state.sources["storage_path"][-1]["DB_STORAGE_PATH"] == "/it's"
    settings = {row["NAME"]: (row["VALUE"], row["VALUE_FLAGS"]) for row in state.sources["dbcfg"]}
    assert settings["logpath"] == ("/ssd1/logs/NODE0000/LOGSTREAM0000/", "NONE")
    assert settings["sortheap"] == ("500", "NONE")
    assert settings["locklist"] == ("20000", "AUTOMATIC")


def test_text_for_a_person_changes_nothing() -> None:
    state = base_state()
    before = state.copy()
    Interpreter(state).carry_out("-- Look at the disks.")
    assert state == before


def test_a_command_of_the_host_changes_the_fact_of_that_host() -> None:
    state = base_state()
    state.sources["hostfact"] = [
        {"HOST": host, "FACT_KEY": "sysctl", "ITEM": "swappiness", "VALUE": "60"} for host in ("db1", "db2")
    ]
    interpreter = Interpreter(state)
    with pytest.raises(ValueError, match="2 facts"):
        interpreter.carry_out("sysctl -w vm.swappiness=5")
    interpreter.host = "db2"
    interpreter.carry_out("sysctl -w vm.swappiness=5")
    assert [row["VALUE"] for row in state.sources["hostfact"]] == ["60", "5"]
