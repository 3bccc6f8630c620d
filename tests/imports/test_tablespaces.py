"""``list tablespaces`` and ``list tablespace containers``: the values, however they were pasted."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.catalogue.rules import all_rules
from advisor.judgement.run import advise
from tests.imports.garbling import SPELLINGS
from tests.imports.reading import captured, reading
from tests.support.paths import FIXTURES

SAMPLES = FIXTURES / "imports"
SPACES = (SAMPLES / "list-tablespaces.txt").read_text(encoding="utf-8")
CONTAINERS = (SAMPLES / "list-tablespace-containers.txt").read_text(encoding="utf-8")


def test_table_spaces() -> None:
    found = reading(SPACES)
    spaces = {row["TBSP_NAME"]: row for row in found.rows["tablespace"]}
    assert sorted(spaces) == ["SYSCATSPACE", "TEMPSPACE1", "USERSPACE1"]
    assert spaces["USERSPACE1"] == {
        "REPORT": "0",
        "TBSP_NAME": "USERSPACE1",
        "TBSP_ID": "2",
        "TBSP_TYPE": "DMS",
        "TBSP_CONTENT_TYPE": "LARGE",
        "TBSP_TOTAL_PAGES": "65536",
        "TBSP_USED_PAGES": "60000",
        "TBSP_USABLE_PAGES": "65472",
        "TBSP_FREE_PAGES": "5472",
        "TBSP_PAGE_TOP": "61216",
        "TBSP_NUM_CONTAINERS": "2",
        "TBSP_STATE": "NORMAL",
        "TBSP_PAGE_SIZE": "8192",
        "TBSP_EXTENT_SIZE": "32",
        "TBSP_PREFETCH_SIZE": "64",
    }
    assert found.rows["cat_tablespace"][1]["TBSPACETYPE"] == "S"
    assert "PREFETCHSIZE" not in found.rows["cat_tablespace"][1]  # the text does not show whether it is AUTOMATIC
    [report] = found.reports
    assert (report.counts, report.database, report.member, report.taken_at) == ("state", None, None, None)


@pytest.mark.parametrize(
    ("bits", "words"),
    [
        ("0x0000", "NORMAL"),
        ("0x0080", "ROLLFORWARD_PENDING"),
        ("0x'00000021'", "QUIESCED_SHARE+BACKUP_PENDING"),
        ("0x80000020", "0x80000020"),  # one of them is unknown
        ("BACKUP_PENDING", "BACKUP_PENDING"),
        ("-", None),
    ],
)
def test_state_is_read_from_words(bits: str, words: str | None) -> None:
    rows = reading(SPACES.replace("0x0000", bits)).rows["tablespace"]
    assert {row.get("TBSP_STATE") for row in rows} == {words}


def test_containers_know_their_table_space_by_its_number() -> None:
    rows = reading(CONTAINERS).rows["container"]
    assert [(row["TBSP_ID"], row["CONTAINER_ID"], row["CONTAINER_TYPE"]) for row in rows] == [
        ("2", "0", "FILE_EXTENT_TAG"),
        ("2", "1", "FILE_EXTENT_TAG"),
        ("1", "0", "PATH"),
    ]
    assert rows[1]["CONTAINER_NAME"] == "/data2/db2/T2.LRG"
    assert rows[1]["USABLE_PAGES"] == "32736"
    assert rows[0]["ACCESSIBLE"] == "1"
    assert "TBSP_NAME" not in rows[0]


FORMS = {
    **SPELLINGS,
    "broken behind the sign": lambda text: re.sub(r"= +(\S.*)$", r"=\n     \1", text, flags=re.M),
    "without heading": lambda text: text.replace("Tablespaces for Current Database", ""),
}


@pytest.mark.parametrize("name", FORMS)
def test_spellings(name: str) -> None:
    assert reading(FORMS[name](SPACES)).rows == reading(SPACES).rows
    if name != "without heading":
        assert reading(FORMS[name](CONTAINERS)).rows == reading(CONTAINERS).rows


def test_prompts_and_other_formats_between() -> None:
    text = f"$ db2 list tablespaces show detail\n{SPACES}\n[i] DB2COMM=TCPIP\n$ db2 list tablespace containers for 2\n"
    found = reading(text + CONTAINERS)
    assert (len(found.rows["tablespace"]), len(found.rows["container"]), len(found.rows["registry"])) == (3, 3, 1)


def test_a_quiescer_names_another_table_space() -> None:
    quiesced = SPACES.replace(
        " Number of containers                 = 2\n",
        " Number of containers                 = 2\n Number of quiescers                  = 1\n   Quiescer 1:\n"
        "     Tablespace ID                    = 7\n     Object ID                        = 5\n",
    )
    assert quiesced != SPACES
    assert reading(quiesced).rows == reading(SPACES).rows


def test_what_is_not_applicable_is_absent() -> None:
    rows = reading(SPACES.replace("= 60000", "= Not applicable")).rows["tablespace"]
    assert "TBSP_USED_PAGES" not in rows[2]


def test_without_detail() -> None:
    short = re.sub(r"^ (Total|Useable|Used|Free|High|Page|Extent|Prefetch|Number).*\n", "", SPACES, flags=re.M)
    assert [sorted(row) for row in reading(short).rows["tablespace"]] == [
        ["REPORT", "TBSP_CONTENT_TYPE", "TBSP_ID", "TBSP_NAME", "TBSP_STATE", "TBSP_TYPE"]
    ] * 3


def test_a_missing_number_does_not_mix_two_table_spaces() -> None:
    rows = reading(SPACES.replace(" Tablespace ID                        = 1\n", "")).rows["tablespace"]
    assert {row["TBSP_NAME"]: row.get("TBSP_ID") for row in rows} == {
        "SYSCATSPACE": "0",
        "TEMPSPACE1": None,
        "USERSPACE1": "2",
    }


@settings(max_examples=30)
@given(st.data())
def test_garbled_text_is_read_without_inventing(data: st.DataObject) -> None:
    lines = (SPACES + CONTAINERS).splitlines()
    kept = [line for line in lines for _ in range(data.draw(st.sampled_from((0, 1, 1, 1, 2))))]
    text = "\n".join(kept)[: data.draw(st.integers(0, 6000))]
    if data.draw(st.booleans()):
        text = re.sub(r" +", " ", text)
    words = {"DMS", "SMS", "D", "S", "ANY", "LARGE", "SYSTEMP", "A", "L", "T", "PATH", "FILE_EXTENT_TAG", "NORMAL"}
    fixed = words | {"0", "1"}
    for rows in reading(text).rows.values():
        for row in rows:
            for column, value in row.items():
                assert column == "REPORT" or value in fixed or value in text


def test_lines_that_an_article_has_numbered():
    text = "Here it is:\n\n10 Tablespace ID= 1\n11 Name= STONE\n12 Type= Database managed space\n13 Page size (bytes)= 4096\n"
    (row,) = reading(text).rows["tablespace"]
    assert (row["TBSP_ID"], row["TBSP_NAME"], row["TBSP_PAGE_SIZE"]) == ("1", "STONE", "4096")


def in_kilobytes(*others: str) -> str:
    """Return some columns as SYSIBMADM.TBSP_UTILIZATION shows them."""
    names = ["TBSP_TOTAL_SIZE_KB", "TBSP_USED_SIZE_KB", "TBSP_FREE_SIZE_KB", *others]
    rows = {"LEDGER": (8388608, 8283136, 105344, 8192), "TEMPSPACE1": (32, 32, 0, 8192)}
    lines = [f"{name:18} " + " ".join(f"{value:20}" for value in row[: len(names)]) for name, row in rows.items()]
    return "\n".join(
        [
            f'$ db2 "select substr(tbsp_name,1,18) as name, {", ".join(names)} from sysibmadm.tbsp_utilization"\n',
            "NAME".ljust(18) + " " + " ".join(name.ljust(20) for name in names),
            " ".join(["-" * 18, *["-" * 20 for _ in names]]),
            *lines,
            "\n  2 record(s) selected.\n",
        ]
    )


@pytest.mark.parametrize(
    ("texts", "page", "noted"),
    [
        ([in_kilobytes()], 32, True),
        ([in_kilobytes("TBSP_PAGE_SIZE")], 8, False),
        ([SPACES.replace("USERSPACE1", "LEDGER").replace("65472", "-"), in_kilobytes()], 8, False),
    ],
    ids=["page size not known", "page size next to it", "page size in another text"],
)
def test_sizes_in_kilobytes_are_pages(tmp_path: Path, texts: list[str], page: int, noted: bool) -> None:
    imported = captured(tmp_path, *texts)
    rows = {row["TBSP_NAME"]: row for row in imported.rows("tablespace")}
    found = rows["LEDGER"]
    assert (int(found["TBSP_USED_PAGES"]), int(found["TBSP_USABLE_PAGES"])) == (8283136 // page, 8388480 // page)
    assert found["TBSP_TYPE"] == "DMS"  # only these have free pages
    assert rows["TEMPSPACE1"].get("TBSP_TYPE") != "DMS"
    assert any("pages of 32 KB" in note for note in imported.notes) is noted


FREE = """\
select varchar(tbsp_name, 12) as tbsp_name, tbsp_free_pages, tbsp_page_top, tbsp_usable_pages from table(mon_get_tablespace('', -2))

TBSP_NAME    TBSP_FREE_PAGES      TBSP_PAGE_TOP        TBSP_USABLE_PAGES
------------ -------------------- -------------------- --------------------
TEMPSPACE1                      0                    0                    1
PEBBLES                         0                 8160                 8160
SHINGLE                      4000                   96                 4096
"""


def test_what_is_not_free_is_used(tmp_path: Path) -> None:
    rows = captured(tmp_path, FREE).rows("tablespace")
    assert {row["TBSP_NAME"]: (row["TBSP_TYPE"], row["TBSP_USED_PAGES"]) for row in rows} == {
        "TEMPSPACE1": ("", "1"),
        "PEBBLES": ("DMS", "8160"),
        "SHINGLE": ("DMS", "96"),
    }


@pytest.mark.parametrize(("unlisted", "reported"), [("none of them", True), ("0x00007F2A10C5F9A0", False)])
def test_temporary_pages_need_a_listing_without_gaps(unlisted: str, reported: bool, tmp_path: Path) -> None:
    lines = (SAMPLES / "db2pd-shop.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    target = captured(tmp_path, "".join(line for line in lines if unlisted not in line)).folder
    assert bool(advise(target, [all_rules()["tablespace.temp-layout"]]).recommendations) is reported
