"""CSV files of monitor functions and views."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.resources import ROOT
from tests.imports import reading as plain
from tests.imports.printers.table_csv import HOLDS, printed
from tests.imports.reading import reasons
from tests.imports.reading import rows_of as rows
from tests.imports.views import expected, own
from tests.machines import MACHINES

SAMPLE = (ROOT / "fixtures/imports/csv-tablespaces.csv").read_text(encoding="utf-8")
POOLS = 'BP_NAME,MEMBER,POOL_DATA_L_READS,NOTE\n"BP, one",0,1234567,"a\nb"\nBP2,1,,x\n'
POOL_ROWS = [{"BP_NAME": "BP, one", "MEMBER": "0", "POOL_DATA_L_READS": "1234567"}, {"BP_NAME": "BP2", "MEMBER": "1"}]


def test_the_sample() -> None:
    found = rows(SAMPLE, "tablespace")
    assert found[1] == {
        "TBSP_NAME": "USERSPACE1",
        "MEMBER": "0",
        "TBSP_ID": "2",
        "TBSP_TYPE": "DMS",
        "TBSP_PAGE_SIZE": "8192",
        "TBSP_EXTENT_SIZE": "32",
        "POOL_DATA_L_READS": "81234567",
        "POOL_DATA_P_READS": "812345",
    }
    assert [row["TBSPACETYPE"] for row in rows(SAMPLE, "cat_tablespace")] == ["D", "D", "S"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(POOLS, id="commas"),
        pytest.param(POOLS.replace("BP, one", "BP# one").replace(",", ";").replace("#", ","), id="semicolons"),
        pytest.param(POOLS.replace("BP, one", "BP# one").replace(",", "\t").replace("#", ","), id="tabs"),
        pytest.param(POOLS.replace("\n", "\r\n"), id="CRLF"),
        pytest.param("\ufeff" + POOLS, id="byte order mark"),
        pytest.param(POOLS.replace("1,,x", "1,NULL,x"), id="NULL"),
        pytest.param(POOLS.replace("BP_NAME,MEMBER", "t.bp_name,T.Member"), id="qualified names in small letters"),
        pytest.param("Some words, first.\n\n" + POOLS + "\nand words, behind it\n", id="within prose"),
    ],
)
def test_dialects(text: str) -> None:
    assert rows(text, "bufferpool") == POOL_ROWS


def test_ragged_rows_are_ignored() -> None:
    text = POOLS + "BP3,0\nBP4,0,12,x\nBP5,zero,12,x\n"
    assert [row["BP_NAME"] for row in rows(text, "bufferpool")] == ["BP, one", "BP2", "BP4"]
    assert reasons(text).count("not a row of MON_GET_BUFFERPOOL") == 2


def test_following_text_is_read_by_its_own_format() -> None:
    text = POOLS + "Database Configuration for Database X\n Log buffer size (4KB) (LOGBUFSZ) = 256\n"
    assert rows(text, "bufferpool") == POOL_ROWS
    assert [row["NAME"] for row in rows(text, "dbcfg")] == ["logbufsz"]


@pytest.mark.parametrize(
    "text", ['"BP1",0,12\n"BP2",0,13\n', "a,b,c\n1,2,3\n", "BP_NAME,HIT\nBP,1\n", "select bp_name, member\nfrom x\n"]
)
def test_what_has_no_names_of_columns_is_not_recognised(text: str) -> None:
    assert not plain.reading(text).rows


def test_a_quote_that_is_never_closed_does_not_take_all_memory() -> None:
    text = POOLS + 'BP3,0,"12,x\n' + "BP4,0,13,x\n" * 30_000
    assert rows(text, "bufferpool")[:2] == POOL_ROWS


@pytest.mark.parametrize("delimiter", [",", ";"])
@pytest.mark.parametrize("machine", ["x445-8way", "docker-default", "oltp-tuned"])
def test_a_machine_comes_back(machine: str, delimiter: str) -> None:
    state = MACHINES[machine]()
    result = plain.reading(printed(state, delimiter))
    for source in HOLDS:
        assert own(result, source) == expected(state, source), source


@settings(max_examples=30)
@given(data=st.data())
def test_garbled_text_claims_nothing_that_it_does_not_hold(data: st.DataObject) -> None:
    text = SAMPLE.replace(".", "") + POOLS
    for _ in range(data.draw(st.integers(1, 12))):
        place = data.draw(st.integers(0, len(text) - 1))
        text = (
            text[:place]
            + data.draw(st.sampled_from(["", '"', ";", "\n", text[place:] + text[place : place + 40]]))
            + text[place + 1 :]
        )
        text = text[:5000] or " "
    for found in plain.reading(text).rows.values():
        for row in found:
            assert all(value in text for name, value in row.items() if name.startswith("POOL_"))
