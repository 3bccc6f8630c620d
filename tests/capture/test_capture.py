"""Invalid captures: each is refused with one line that names the file."""

import csv
import io
import json
import shutil
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from advisor.anonymize import anonymize_capture
from advisor.capture import Snapshot, open_capture, opening
from advisor.capture.reading import CsvFile
from advisor.capture.writing import format_row
from advisor.catalogue.rules import all_rules
from advisor.errors import UserError
from advisor.judgement.run import advise
from tests.support.advised import judge
from tests.support.paths import CAPTURES
from tests.support.states import state_of, write_capture

Change = Callable[[Path], object]


@pytest.fixture(name="capture")
def fixture_capture(tmp_path: Path) -> Path:
    return write_capture(state_of({}), tmp_path / "capture")


def refused(path: Path) -> str:
    with pytest.raises(UserError) as caught:
        advise(path, [])
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 1000
    return message


def manifest(path: Path, **change: object) -> None:
    file = path / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | change), encoding="utf-8")


def table(path: Path, source: str, change: Callable[[list[list[str]]], object]) -> None:
    """Rewrite one CSV file; ``change`` gets its rows, the header first."""
    file = path / f"{source}.csv"
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    change(rows)
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)


def drop_column(rows: list[list[str]], name: str) -> None:
    place = rows[0].index(name)
    for row in rows:
        del row[place]


def set_cell(rows: list[list[str]], name: str, value: str) -> None:
    rows[1][rows[0].index(name)] = value


def other_database(path: Path, **change: str) -> None:
    first, second = json.loads((path / "manifest.json").read_text(encoding="utf-8"))["snapshots"]
    manifest(path, snapshots=[first, second | {"database": second["database"] | change}])


def snapshots(path: Path, **change: object) -> None:
    first, second = json.loads((path / "manifest.json").read_text(encoding="utf-8"))["snapshots"]
    manifest(path, snapshots=[first, second | change])


def test_missing_path(tmp_path: Path) -> None:
    assert "no such capture" in refused(tmp_path / "none")


def test_empty_directory(tmp_path: Path) -> None:
    assert "manifest.json is missing" in refused(tmp_path)


WRONG: dict[str, tuple[Change, str]] = {
    "manifest is not JSON": (lambda p: (p / "manifest.json").write_text("{"), "manifest.json: not valid JSON"),
    "manifest is not UTF-8": (
        lambda p: (p / "manifest.json").write_bytes(b'{"a": "\xff"}'),
        "manifest.json: not UTF-8 text",
    ),
    "manifest is a list": (
        lambda p: (p / "manifest.json").write_text("[1]"),
        "manifest.json: the file: must be an object, not a list",
    ),
    "newer schema": (lambda p: manifest(p, schema=2), "schema 2 is newer"),
    "unknown key": (
        lambda p: manifest(p, colour="red"),
        "manifest.json: the file: there is no 'colour'; there are schema, snapshots, ",
    ),
    "unknown platform": (
        lambda p: other_database(p, platform="z/OS"),
        "snapshots[1].database.platform: must be one of AIX, Linux, Solaris, HP-UX, Windows, null, not 'z/OS'",
    ),
    "date": (lambda p: snapshots(p, taken_at="yesterday"), "taken_at 'yesterday' is not a date"),
    "one id for two snapshots": (lambda p: snapshots(p, id=1), "two snapshots have the same id"),
    "two databases": (lambda p: other_database(p, name="OTHER"), "different databases (name 'SAMPLE' and 'OTHER')"),
    "two hosts": (lambda p: other_database(p, host="db2"), "different databases (host 'db1' and 'db2')"),
    "unknown option": (lambda p: manifest(p, options={"site": {"no": 1}}), "option site.no: no such option"),
    "no choice": (lambda p: manifest(p, options={"site": {"workload": "DSS"}}), "'DSS' must be one of BI, OLTP, MIXED"),
    "no number": (lambda p: manifest(p, options={"site": {"floor_pct": "nan"}}), "'nan' is not a number"),
    "option is no number": (
        lambda p: manifest(p, options={"site": {"floor_pct": "x"}}),
        "site.floor_pct: 'x' is not a number",
    ),
    "unknown file": (lambda p: (p / "notes.txt").write_text("x"), "notes.txt: not a file of a capture"),
    "file of the manifest is missing": (
        lambda p: (manifest(p, sources={"table": {"rows": 0}}), (p / "table.csv").unlink()),
        "lists table, but its file",
    ),
    "fewer rows than the manifest says": (
        lambda p: manifest(p, sources={"bufferpool": {"rows": 9}}),
        "bufferpool.csv: 2 rows instead of the manifest's 9",
    ),
    "declared column is missing": (
        lambda p: (
            manifest(p, sources={"bufferpool": {"columns": ["AUTOMATIC"]}}),
            table(p, "bufferpool", lambda rows: drop_column(rows, "AUTOMATIC")),
        ),
        "bufferpool.csv: column AUTOMATIC is missing",
    ),
    "key column is missing": (
        lambda p: table(p, "bufferpool", lambda rows: drop_column(rows, "BP_NAME")),
        "bufferpool.csv: column BP_NAME is missing",
    ),
    "no SNAP_ID": (
        lambda p: table(p, "bufferpool", lambda rows: drop_column(rows, "SNAP_ID")),
        "bufferpool.csv: column SNAP_ID is missing",
    ),
    "column twice": (
        lambda p: table(p, "bufferpool", lambda rows: [row.append(row[0]) for row in rows]),
        "bufferpool.csv: a column name occurs twice",
    ),
    "wrong type": (
        lambda p: table(p, "bufferpool", lambda rows: set_cell(rows, "POOL_DATA_L_READS", "many")),
        "bufferpool.csv: line 2: POOL_DATA_L_READS 'many' is not of type BIGINT; capture bufferpool again",
    ),
    "number too large": (
        lambda p: table(p, "bufferpool", lambda rows: set_cell(rows, "POOL_DATA_L_READS", "9" * 30)),
        "bufferpool.csv: ",
    ),
    "a cell as long as a book": (
        lambda p: table(p, "bufferpool", lambda rows: set_cell(rows, "POOL_DATA_L_READS", "x" * 90_000)),
        "bufferpool.csv: ",
    ),
    "row is short": (lambda p: table(p, "bufferpool", lambda rows: rows[1].pop()), "bufferpool.csv: "),
    "foreign snapshot": (
        lambda p: table(p, "bufferpool", lambda rows: set_cell(rows, "SNAP_ID", "7")),
        "bufferpool.csv: line 2: the manifest does not list a SNAP_ID",
    ),
    "no snapshot": (
        lambda p: table(p, "bufferpool", lambda rows: set_cell(rows, "SNAP_ID", "")),
        "bufferpool.csv: line 2: the manifest does not list a SNAP_ID",
    ),
    "duplicate key": (
        lambda p: table(p, "bufferpool", lambda rows: rows.append(rows[1])),
        "bufferpool.csv: line 4: two rows have the same key (BP_NAME, MEMBER)",
    ),
    "empty file": (lambda p: (p / "bufferpool.csv").write_text(""), "bufferpool.csv: column SNAP_ID is missing"),
    "file is not UTF-8": (
        lambda p: (p / "bufferpool.csv").write_bytes(b"\xff\xfe\x00"),
        "bufferpool.csv: not a CSV file",
    ),
    "values are not UTF-8": (
        lambda p: (p / "bufferpool.csv").write_bytes(b"SNAP_ID,BP_NAME,MEMBER\n2,\xff\xfe,0\n"),
        "bufferpool.csv: ",
    ),
    "NUL bytes": (lambda p: (p / "bufferpool.csv").write_bytes(b"\0" * 100), "bufferpool.csv: "),
    "NUL in a name": (
        lambda p: table(p, "bufferpool", lambda rows: set_cell(rows, "BP_NAME", "A\0B")),
        "bufferpool.csv: line 2: contains a NUL character",
    ),
    "Parquet": (
        lambda p: (p / "bufferpool.csv").rename(p / "bufferpool.parquet"),
        "bufferpool.parquet: Parquet files are no longer read; convert it to CSV or capture again",
    ),
    "a time that is none": (
        lambda p: table(p, "database", lambda rows: set_cell(rows, "DB_CONN_TIME", "yesterday")),
        "database.csv: line 2: DB_CONN_TIME 'yesterday' is not of type TIMESTAMP",
    ),
    "beyond INTEGER": (
        lambda p: table(p, "cat_bufferpool", lambda rows: set_cell(rows, "NPAGES", "2147483648")),
        "cat_bufferpool.csv: line 2: NPAGES '2147483648' is not of type INTEGER",
    ),
    "a folder with the name of a file": (
        lambda p: ((p / "bufferpool.csv").unlink(), (p / "bufferpool.csv").mkdir()),
        "bufferpool.csv",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_capture(name: str, capture: Path) -> None:
    change, message = WRONG[name]
    change(capture)
    assert message in refused(capture)


def zipped(capture: Path, target: Path, folder: str = "") -> Path:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in capture.iterdir():
            archive.write(file, folder + file.name)
    return target


def test_zip_is_read_like_its_directory(capture: Path, tmp_path: Path) -> None:
    path = zipped(capture, tmp_path / "one.capture")
    with open_capture(path) as one, open_capture(capture) as other:
        assert one.files.keys() == other.files.keys()
        unpacked = one.directory
    assert not unpacked.exists()
    assert advise(path, []) == advise(capture, [])


@pytest.mark.parametrize("folder", ["capture/", "../", "/tmp/"])
def test_zip_with_folders_is_refused(capture: Path, tmp_path: Path, folder: str) -> None:
    assert "a capture cannot contain folders" in refused(zipped(capture, tmp_path / "one.capture", folder))
    assert not (tmp_path / "manifest.json").exists()


@pytest.mark.parametrize("part", [0.0, 0.5, 0.99])
def test_truncated_zip(capture: Path, tmp_path: Path, part: float) -> None:
    path = zipped(capture, tmp_path / "one.capture")
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * part)])
    assert "one.capture: not a complete zip file" in refused(path)


def test_zip_with_a_damaged_file(capture: Path, tmp_path: Path) -> None:
    path = zipped(capture, tmp_path / "one.capture")
    content = bytearray(path.read_bytes())
    content[60:160] = bytes(100)
    path.write_bytes(content)
    assert "one.capture: not a complete zip file" in refused(path)


def test_a_damaged_name_of_a_manifest_is_shown_in_part(tmp_path: Path) -> None:
    path = tmp_path / "one.capture"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", b"\xe9" * 5000)
    content = bytearray(path.read_bytes())
    content[26:28] = (4000).to_bytes(2, "little")  # the length of the name, which then overlaps the file
    path.write_bytes(content)
    with pytest.raises(UserError, match="not a complete zip file") as caught:
        opening.manifest(path)
    assert len(str(caught.value)) < 500


def test_zip_with_a_file_without_a_name(capture: Path, tmp_path: Path) -> None:
    path = zipped(capture, tmp_path / "one.capture")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("x", "")
    content = path.read_bytes()
    at = content.rfind(b"PK\x01\x02")  # the last entry of the directory: "x" becomes its comment
    entry = bytearray(content[at:])
    entry[28:30], entry[32:34] = b"\0\0", b"\1\0"
    path.write_bytes(content[:at] + entry)
    assert "not a" in refused(path)


def test_encrypted_zip(capture: Path, tmp_path: Path) -> None:
    path = zipped(capture, tmp_path / "one.capture")
    content = bytearray(path.read_bytes())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = content.find(signature)
        while place >= 0:
            content[place + flags] |= 1
            place = content.find(signature, place + 4)
    path.write_bytes(content)
    assert "one.capture: " in refused(path)


def test_sources_and_columns_of_another_version_are_skipped(capture: Path, tmp_path: Path) -> None:
    """Earlier versions had a source distribution_key; its copies and kept runs are read, too."""
    rules = list(all_rules().values())
    whole = advise(capture, rules)
    (capture / "distribution_key.csv").write_text("SNAP_ID,TABNAME\n1,T\n2,T\n")
    table(capture, "bufferpool", lambda rows: [row.append("OLD_COUNTER" if row is rows[0] else "7") for row in rows])
    manifest(
        capture,
        sources={
            "distribution_key": {"rows": 2, "columns": ["TABNAME"]},
            "bufferpool": {"columns": ["BP_NAME", "OLD_COUNTER"]},
        },
    )
    advice = advise(capture, rules)
    skipped = {name: reason for name, reason in advice.not_run if reason.startswith("skipped: ")}
    assert set(skipped) == {"distribution_key", "bufferpool.OLD_COUNTER"}
    assert [item for item in advice.not_run if item[0] not in skipped] == whole.not_run
    assert advice.recommendations == whole.recommendations

    anonymize_capture(capture, tmp_path / "copy")
    assert len(advise(tmp_path / "copy", rules).recommendations) == len(whole.recommendations)


def test_what_was_not_collected_has_its_reason(capture: Path) -> None:
    (capture / "container.csv").unlink()
    manifest(capture, not_collected={"container": "SQLCODE -551"})
    reasons = {reason for _, reason in advise(capture).not_run}
    assert any("source container was not collected: SQLCODE -551" in reason for reason in reasons)


def test_a_time_without_zone_is_utc() -> None:
    zoned = Snapshot(1, datetime(2026, 3, 2, 10, tzinfo=UTC), {})
    assert Snapshot(1, datetime(2026, 3, 2, 10), {}).epoch_s == zoned.epoch_s


def test_a_file_that_was_changed_is_refused(capture: Path, tmp_path: Path) -> None:
    """This holds even if every value is valid and the number of rows is unchanged."""
    whole, packed = tmp_path / "whole", tmp_path / "changed.capture"
    anonymize_capture(capture, whole)  # writes a capture as the program does
    before = advise(whole, [])
    table(whole, "bufferpool", lambda rows: set_cell(rows, "POOL_DATA_L_READS", "7"))
    zipped(whole, packed)
    for path in (whole, packed):
        assert "bufferpool.csv: its sha256 differs from the one in manifest.json" in refused(path)
        with open_capture(path) as read, pytest.raises(UserError, match=r"bufferpool\.csv: its sha256 differs"):
            list(judge([(read, [])]))
    said = json.loads((whole / "manifest.json").read_text(encoding="utf-8"))
    said["sources"]["bufferpool"].pop("sha256")
    manifest(whole, **said)
    assert advise(whole, []).database == before.database


@pytest.mark.parametrize("id", ["01') X(x'", "0A01\nDROP TABLE T", "TEXT-1'", "TEXT-"])
def test_id_that_is_not_hexadecimal_is_refused(tmp_path: Path, id: str) -> None:
    capture = write_capture(state_of({"statement": [{"EXECUTABLE_ID": "0A01", "STMT_TEXT": "SELECT"}]}), tmp_path / "c")
    table(capture, "statement", lambda rows: set_cell(rows, "EXECUTABLE_ID", id))
    assert "a row's key (EXECUTABLE_ID, MEMBER) is missing or damaged" in refused(capture)


TEXTS = ["", "a", '"', '""', 'a"', ",", '","', '"",""', "a\nb", 'a\n"",\nb', "\r\n", " ", "NULL"]


@pytest.mark.parametrize("quote", [True, False], ids=["all quoted", "few quoted"])
def test_texts_are_read_as_written(quote: bool) -> None:
    """An empty field is NULL, and a quoted empty field an empty text, also next to quotes and line ends in texts."""
    rows: list[list[str | None]] = [[one, None, two] for one in TEXTS for two in TEXTS]
    written = [
        ",".join("" if value is None else '"' + value.replace('"', '""') + '"' for value in row) + "\n"
        if quote
        else format_row(row)
        for row in rows
    ]
    assert list(CsvFile(io.StringIO("A,B,C\n" + "".join(written), newline=""))) == rows


@pytest.mark.parametrize(
    ("taken_at", "reason"),
    [
        ("2026-03-02T10:00:00", "both snapshots have the same time"),
        ("2026-03-02T09:59:59", "the clock of the server went back between the snapshots"),
    ],
)
def test_interval_without_length_is_discarded_with_the_reason(taken_at: str, reason: str, tmp_path: Path) -> None:
    capture = Path(shutil.copytree(CAPTURES / "webshop", tmp_path / "webshop"))
    manifest = json.loads((capture / "manifest.json").read_text())
    manifest["snapshots"][1]["taken_at"] = taken_at
    (capture / "manifest.json").write_text(json.dumps(manifest))
    assert advise(capture).window.reason == f"interval discarded: {reason}"
