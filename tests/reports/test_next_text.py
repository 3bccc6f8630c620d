"""Advice on pasted text: only facts from the text, and the command to paste next."""

import re
from pathlib import Path

import pytest

from advisor.imports.texts import Known, import_texts
from advisor.judgement.run import advise
from advisor.report import markdown, next_text, table
from advisor.report.selection import NOTHING_JUDGED, select
from advisor.resources import data_file
from tests.support.paths import CAPTURES, FIXTURES

IMPORTS = FIXTURES / "imports"

# A text of each command, as printed.
PRINTED = {
    "~/sqllib/samples/perf/db2mon.sh {DB} 60 > db2mon.txt": "db2mon-report.txt",
    "db2 get snapshot for all on {DB}": "snapshot-all.txt",
    "db2pd -db {DB} -tablespaces -bufferpools -logs -storagepaths -storagegroups -dbcfg": "db2pd-shop.txt",
    "db2pd -db {DB} -hadr": "db2pd-hadr.txt",
    "db2pd -db {DB} -wlocks -applications -transactions": "db2pd-wlocks.txt",
    "db2 list tablespaces show detail": "list-tablespaces.txt",
    "db2 get db cfg for {DB} show detail": "configuration-oltp.txt",
    "db2look -d {DB} -l": "db2look-shop.txt",
    "db2 get dbm cfg show detail": "instance.txt",
}


@pytest.mark.parametrize("row", data_file("schema", "texts"), ids=lambda row: row["COMMAND"].split()[0])
def test_command_fills_the_documented_sources(row: dict[str, str], tmp_path: Path) -> None:
    found = import_texts([IMPORTS / PRINTED[row["COMMAND"]]], tmp_path, Known())
    assert set(row["SOURCES"].split()) <= found.rows.keys()


def _screen(said: str) -> list[str]:
    """Return the lines before the details of the first lane."""
    return re.split(r"\n\n[A-Z][^\n]*\(\d+\)\n", said)[0].splitlines()


def report(text: str, folder: Path) -> str:
    import_texts([IMPORTS / text], folder, Known())
    return table.render(select(advise(folder)), 100)


@pytest.mark.parametrize(
    "text",
    ["list-tablespaces.txt", "configuration-default.txt", "configuration-oltp.txt", "instance.txt", "db2look-shop.txt"],
)
def test_text_without_interval_names_the_next_command(text: str, tmp_path: Path) -> None:
    said = report(text, tmp_path)
    for word in (
        "active sessions",
        "BI 50",
        "since activation",
        "NOT USABLE",
        "was not collected",
        "HOSTNAME",
        "Questions",
    ):
        assert word not in said
    assert "From text: " in said
    assert "add the output of:" in said
    assert "db2mon.sh" in said
    assert "db2 -tf tune-collect.sql" in said
    assert len(_screen(said)) <= 27


SPACE = """ Tablespace ID                        = {id}
 Name                                 = {name}
 Type                                 = Database managed space
 Contents                             = All permanent data. Large table space.
 State                                = {state}
 Total pages                          = 640000
 Useable pages                        = 639936
 Used pages                           = {used}
 High water mark (pages)              = {top}
 Page size (bytes)                    = 8192
 Extent size (pages)                  = 32
 Prefetch size (pages)                = 32
 Number of containers                 = {containers}

"""


def test_four_findings_fit_a_screen(tmp_path: Path) -> None:
    spaces = (
        {"id": 4, "name": "GRAVEL", "state": "0x0000", "used": 639904, "top": 639904, "containers": 2},
        {"id": 5, "name": "SAND", "state": "0x0020", "used": 90016, "top": 601056, "containers": 1},
    )
    (tmp_path / "text").write_text("".join(SPACE.format(**space) for space in spaces))
    (tmp_path / "capture").mkdir()
    import_texts([tmp_path / "text"], tmp_path / "capture", Known())
    said = table.render(select(advise(tmp_path / "capture")), 100)
    for rule in ("state", "full-or-growing", "high-water-mark"):
        assert f"[tablespace.{rule}]" in said
    assert len(said.splitlines()) < 45
    assert len(_screen(said)) <= 30


CONFIGURED = """
       Database Configuration for Database WARES

 Lock timeout (sec)                        (LOCKTIMEOUT) = 30
 Log file size (4KB)                         (LOGFILSIZ) = 10000
"""


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("TBSP_NAME   TBSP_TYPE\n----------- ---------\nGRAVEL      DMS\n", []),
        ("TBSP_NAME   TBSP_STATE\n----------- ----------\nGRAVEL      NORMAL\n", ["tablespace.state"]),
        # LOGPRIMARY and others are missing, so no check of the log is complete
        (CONFIGURED, ["lock.no-wait", "lock.waits-without-end"]),
    ],
)
def test_clean_verdict_names_the_checks_that_passed(text: str, passed: list[str], tmp_path: Path) -> None:
    (tmp_path / "text").write_text(text)
    (tmp_path / "capture").mkdir()
    import_texts([tmp_path / "text"], tmp_path / "capture", Known())
    selection = select(advise(tmp_path / "capture"))
    assert selection.passed == passed
    said = table.render(selection, 100)
    if passed:
        assert re.search(r"No changes recommended from this text: \d checks? ran and passed\.", said)
        assert f"Passed      {', '.join(passed)}\n" in said
    else:
        assert NOTHING_JUDGED in said
    assert re.search(r"^Not judged  \d+ rules need more text: ", said, re.MULTILINE)


def test_message_passes_no_check_of_others(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("SQL0956C  Not enough storage is available in the database heap\n")
    (tmp_path / "capture").mkdir()
    import_texts([tmp_path / "text"], tmp_path / "capture", Known())
    advice = advise(tmp_path / "capture")
    assert [item.rule.name for item in advice.ranked] == ["event.out-of-memory"]
    assert select(advice).passed == []


def test_heading_lists_the_measured_values(tmp_path: Path) -> None:
    said = report("db2mon-report.txt", tmp_path)
    assert re.search(r"^2026-\S+ \S+ to 2026-.* two snapshots", said, re.MULTILINE)
    assert "active sessions on average" in said


def test_reasons_are_printed_if_everything_is_requested(tmp_path: Path) -> None:
    import_texts([IMPORTS / "list-tablespaces.txt"], tmp_path, Known())
    selection = select(advise(tmp_path))
    assert "was not collected" in table.render(selection, 100, everything=True)
    assert "add the output of:" in markdown.render(selection)
    assert "was not collected" in markdown.render(selection, everything=True)


def test_capture_of_a_connection_needs_no_paste() -> None:
    assert next_text.find_next_text(advise(CAPTURES / "idle")) is None


def test_script_is_suggested_if_it_gives_more(tmp_path: Path) -> None:
    """It reads everything that a rule may need, except host facts."""
    import_texts([IMPORTS / "list-tablespaces.txt"], tmp_path, Known())
    advice = advise(tmp_path)
    best = next_text.find_next_text(advice)
    _, command, script = next_text.parts(advice)
    assert best is not None
    assert (command, int(script.split()[1]) > best.rules) == (best.command, True)
    assert script in markdown.render(select(advice)).replace("\\", "")
