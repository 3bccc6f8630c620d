"""The import command: its inputs and messages; other inputs fail only with a documented message."""

import bz2
import gzip
import io
import json
import re
import subprocess
import sys
import tarfile
import zipfile

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.capture import open_capture
from advisor.cli.main import main
from advisor.imports import labels, values
from advisor.imports.texts import import_texts
from tests.imports.printers import config
from tests.imports.reading import captured, reading, rows_in
from tests.machines import MACHINES
from tests.support.paths import CAPTURES, FIXTURES, ROOT

TEXT = config.printed(MACHINES["vm-oltp-final"]())
COMMAND = "UPDATE DB CFG FOR OLTP USING MON_REQ_METRICS BASE"


def run(*args, **extra):
    return CliRunner().invoke(main, [str(arg) for arg in args], **extra)


def tar(text, mode="w:gz"):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:
        item = tarfile.TarInfo("a/cfg.txt")
        item.size = len(text)
        archive.addfile(item, io.BytesIO(text))
    return packed.getvalue()


def zipped(text):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a/cfg.txt", text)
        archive.writestr("readme.md", "nothing of Db2")
    return packed.getvalue()


def settings_of(content, folder):
    """Return a text's settings as the capture contains them."""
    (folder / "given").write_bytes(content)
    (folder / "made").mkdir()
    import_texts([folder / "given"], folder / "made")
    return (folder / "made" / "dbcfg.csv").read_text(encoding="utf-8")


@pytest.fixture(name="plain", scope="module")
def fixture_plain(tmp_path_factory):
    return settings_of(TEXT.encode(), tmp_path_factory.mktemp("plain"))


WRITTEN = {
    "UTF-8 with a mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "UTF-16 with a mark": TEXT.encode("utf-16"),
    "UTF-16 little-endian": TEXT.encode("utf-16-le"),
    "UTF-16 big-endian": TEXT.encode("utf-16-be"),
    "GBK": TEXT.replace("The parameter of this name", "参数").encode("gbk"),
    "Latin-1": TEXT.replace("The parameter of this name", "Größe").encode("latin-1"),
    "CRLF": TEXT.replace("\n", "\r\n").encode(),
    "CR": TEXT.replace("\n", "\r").encode(),
    "blank lines": TEXT.replace("\n", "\n\n").encode(),
    "tabs": TEXT.replace(" ", "\t").encode(),
    "line numbers": "".join(f"{n:>4} {line}\n" for n, line in enumerate(TEXT.splitlines(), 1)).encode(),
    "prompts": f"$ db2\ndb2 => get db cfg\n\n{TEXT}\ndb2 => quit\n".encode(),
    "gzip": gzip.compress(TEXT.encode()),
    "tar.gz": tar(TEXT.encode()),
    "tar.bz2": tar(TEXT.encode(), "w:bz2"),
    "tar.xz": tar(TEXT.encode(), "w:xz"),
    "zip": zipped(TEXT.encode()),
}


@pytest.mark.parametrize("content", WRITTEN.values(), ids=WRITTEN)
def test_a_text_gives_its_settings_however_it_is_written(content, plain, tmp_path):
    assert settings_of(content, tmp_path) == plain


def test_standard_input_and_folders(tmp_path):
    result = run("advise", "-", input=TEXT.encode())
    assert (result.exit_code, COMMAND in result.stdout) == (0, True)
    (tmp_path / "texts").mkdir()
    machine = MACHINES["vm-oltp-final"]()
    for name, text in (("db", config.database), ("dbm", config.instance)):
        (tmp_path / "texts" / name).write_text(text(machine))
    result = run("import", tmp_path / "texts", "-o", tmp_path / "out")
    rows = ", ".join(f"{source} {len(machine.sources[source])}" for source in ("dbcfg", "dbmcfg"))
    assert (result.exit_code, result.stderr.splitlines()[0]) == (0, f"rows: {rows}")


@pytest.mark.parametrize("name", ["made.capture", "made"])
def test_a_capture_is_made_that_every_command_takes(name, tmp_path):
    given_text, target = tmp_path / "text", tmp_path / name
    given_text.write_text(TEXT)
    assert run("import", given_text, "-o", target).exit_code == 0
    with open_capture(target) as capture:
        assert capture.database["name"] == "OLTP"
        assert {snapshot.id for snapshot in capture.snapshots} == {2}
    assert COMMAND in run("advise", "--capture", target).stdout
    assert COMMAND in run("advise", target).stdout
    assert COMMAND in run("plan", "--capture", target).stdout


@pytest.mark.parametrize("beside", ["folder", "named"])
def test_a_capture_among_texts_is_refused(beside, tmp_path):
    """They may come from different machines, and together describe none of them."""
    text, capture = tmp_path / "text", tmp_path / "made.capture"
    text.write_text(TEXT)
    assert run("import", text, "-o", capture).exit_code == 0
    for command in (("advise",), ("import", "-o", tmp_path / "other.capture")):
        result = run(*command, *((tmp_path,) if beside == "folder" else (text, capture)))
        assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
        assert "made.capture" in result.stderr
    assert not (tmp_path / "other.capture").exists()


STATISTICS = """Database Member 0 -- Database QUARRY -- Active -- Up 0 days 00:10:00 -- Date 2026-03-04-11.20.45.118203
Tablespace Statistics:
Address            Id    TotalPgs   UsablePgs  UsedPgs    PndFreePgs FreePgs    HWM        State      MinRecTime
0x07700001DAF2D000 4     65536      65504      65472      0          32         65472      0x00000000 0
0x07700001DAF2E000 5     1          1          1          0          0          -          0x00000000 0
"""
NAMED = """Database Member 0 -- Database QUARRY -- Active -- Up 0 days 00:11:00 -- Date 2026-03-04-11.21.45.118203
Tablespace Configuration:
Address            Id    Type Content PageSz ExtentSz Auto Prefetch BufID BufIDDisk FSC NumCntrs MaxStripe Name
0x07700001DAF2D000 4     DMS  Large   32768  32       No   96       3     3         Off 1        0         GRAVEL
"""
CATALOG = """TBSPACE   TBSPACEID   PAGESIZE
--------- ----------- -----------
GRAVEL              4       32768
"""


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        ([STATISTICS], ["TBSPACEID_4", "TBSPACEID_5"]),
        ([STATISTICS + NAMED], ["GRAVEL", "TBSPACEID_5"]),
        ([NAMED, STATISTICS], ["GRAVEL", "TBSPACEID_5"]),
        ([CATALOG + STATISTICS], ["GRAVEL", "TBSPACEID_5"]),
        ([STATISTICS.replace(" 4 ", " 0 ", 1)], ["SYSCATSPACE", "TBSPACEID_5"]),  # with its usual number
    ],
)
def test_a_table_space_without_a_name_has_that_of_its_number(texts, names, tmp_path):
    result = captured(tmp_path, *texts)
    rows = {row["TBSP_NAME"]: row for row in result.rows("tablespace")}
    assert [*rows] == names
    assert (rows[names[0]]["TBSP_TYPE"], rows[names[0]]["TBSP_USED_PAGES"]) == ("DMS", "65472")
    assert rows["TBSPACEID_5"]["TBSP_TYPE"] != "DMS"  # without a high-water mark
    (note,) = [note for note in result.notes if "TBSPACEID_" in note]
    unnamed = [name for name in names if name.startswith("TBSPACEID_")]
    assert note == (
        f"no text names the table spaces {', '.join(name[-1] for name in unnamed)}: {unnamed[0]} is the first;"
        " SELECT TBSPACEID, TBSPACE FROM SYSCAT.TABLESPACES shows their names"
    )


def test_invalid_instance_name_is_a_note(tmp_path):
    text = (FIXTURES / "imports" / "snapshot-dbm.txt").read_text().replace("db2inst1", "db2*inst")
    result = captured(tmp_path, text)
    assert "'db2*inst' is not the name of an instance and is not used" in result.notes
    manifest = json.loads((result.folder / "manifest.json").read_text())
    assert manifest["snapshots"][-1]["database"]["instance"] == "INSTNAME"


@pytest.mark.parametrize("level", ["foo", "11", "11.x", "v11.5", "11.5.9.0.1", ""])
def test_invalid_level_is_refused(level, tmp_path):
    text, target = tmp_path / "text", tmp_path / "made.capture"
    text.write_text(TEXT)
    result = run("import", text, "-o", target, "--db2-level", level)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert f"{level!r} is not a Db2 level; write it as 11.5 or 11.5.9" in result.stderr
    assert not target.exists()


def test_a_capture_is_not_imported_but_can_be_anonymized(tmp_path):
    capture = CAPTURES / "idle"
    assert run("import", capture, "-o", tmp_path / "away", "--anonymize").exit_code == 0
    with open_capture(tmp_path / "away") as given_away:
        assert given_away.database["name"] == "DB1"
    for others in ((), (ROOT / "README.md", "--anonymize")):
        result = run("import", capture, "-o", tmp_path / "more", *others)
        assert (result.exit_code, result.stderr.partition("idle: ")[2]) == (
            2,
            "already a capture; import can only anonymize it, as the only file and with -o\n",
        )


def test_what_a_text_does_not_hold_is_a_reason_and_no_advice(tmp_path):
    path = tmp_path / "text"
    path.write_text(TEXT)
    result = json.loads(run("advise", path, "--format", "json").stdout)
    assert {item["rule"] for item in result["recommendations"]} == {
        "cleaning.softmax-or-pageage",
        "config.deprecated-in-use",
        "config.monitoring-off",
        "config.registry-legacy-unsafe",
        "lock.waits-without-end",
        "prefetch.detection-off",
        "stats.collection-off",
    }
    reasons = {item["rule"]: item["reason"] for item in result["not_run"]}
    assert "source bufferpool was not collected: not in the imported text" in reasons["bufferpool.hit-ratio-low"]


def test_manual_values_complete_the_text():
    line = b" (MON_REQ_METRICS) = NONE\n"
    result = run("advise", "-", input=line)
    assert "UPDATE DB CFG FOR DBNAME USING MON_REQ_METRICS BASE" in result.stdout
    assert result.stderr == ""
    assert "Placeholder replace DBNAME in the commands, or pass --name\n" in result.stdout
    assert "the platform is not known" in run("advise", "--all", "-", input=line).stdout
    result = run("advise", "--all", "-", "--name", "shop", "--db2-level", "11.5.9", "--platform", "AIX", input=line)
    assert "UPDATE DB CFG FOR SHOP USING MON_REQ_METRICS BASE" in result.stdout
    assert "Placeholder" not in result.stdout
    assert "SHOP, Db2 11.5.9, AIX\n" in result.stdout
    assert "is not known (os.io-scheduler" not in result.stdout


def test_explain_names_every_range(tmp_path):
    path = tmp_path / "mixed.txt"
    path.write_text(f"Dear team,\nhere it is:\n\n{TEXT}\nMany thanks\n")
    text = path.read_text().splitlines()
    dbm = text.index("          Database Manager Configuration") + 1
    registry = next(number for number, line in enumerate(text, 1) if line.startswith("[i]"))
    result = run("import", "--explain", path)
    assert result.exit_code == 0
    ranges = [line for line in result.stdout.splitlines() if not line.startswith("    ")]
    assert [line.split(None, 2) for line in ranges] == [
        ["mixed.txt"],
        ["lines", "1-3", "ignored: not recognised"],
        ["lines", f"4-{dbm - 1}", "get db cfg, get dbm cfg"],
        ["lines", f"{dbm}-{registry - 1}", "get db cfg, get dbm cfg"],
        ["lines", f"{registry}-{len(text) - 1}", "db2set -all"],
        ["line", f"{len(text)}", "ignored: not recognised"],
    ]
    assert list(tmp_path.iterdir()) == [path]


def test_explain_lists_the_values_of_each_line(tmp_path):
    path = tmp_path / "taken.txt"
    path.write_text(
        "$ db2 get db cfg for quarry show detail\n\n"
        " Log file size (4KB)     (LOGFILSIZ) = 1000      2000\n"
        " Package cache size     (PCKCACHESZ) = AUTOMATIC(8192)      AUTOMATIC(8192)\n"
        "$ db2set DB2_PARALLEL_IO=*\n"
        "$ db2 list tablespaces\n\n"
        " Tablespace ID = 3\n Name = STONES\n Type = Database managed space\n Page size (bytes) = 4096\n"
    )
    result = run("import", "--explain", path)
    assert result.stdout.splitlines() == [
        "taken.txt",
        "  lines 1-2        a command",
        "  lines 3-4        get db cfg, get dbm cfg",
        "    line 3           LOGFILSIZ = 1000, 2000 waits",
        "    line 4           PCKCACHESZ = AUTOMATIC(8192)",
        "  line 5           a command",
        "    line 5           db2set; its outcome is unknown: counted as done",
        "    line 5           DB2_PARALLEL_IO = *",
        "  lines 6-7        ignored: not recognised",
        "  lines 8-11       list tablespaces",
        "    line 11          cat_tablespace STONES: TBSPACEID 3, PAGESIZE 4096, TBSPACETYPE D",
        "    line 11          tablespace STONES: TBSP_ID 3, TBSP_PAGE_SIZE 4096, TBSP_TYPE DMS",
    ]


def test_an_import_tells_the_first_values(tmp_path):
    path = tmp_path / "text"
    lines = [f" A pool ({name}) = {number}\n" for number, name in enumerate(["LOGPRIMARY", "LOGSECOND", "LOGBUFSZ"], 3)]
    path.write_text("".join(lines) + "db2 update db cfg using sortheap 9 deferred\n")
    result = run("import", path, "-o", tmp_path / "made")
    assert result.stderr.splitlines()[:2] == [
        "rows: dbcfg 4",
        "  dbcfg: LOGBUFSZ = 5; LOGPRIMARY = 3; LOGSECOND = 4; SORTHEAP 9 waits",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "nothing to read: given is empty"),
        (b"Dear team,\nthe database is slow.\n", "nothing in the text is recognised; 'db2tune import --explain' shows how"),
        (bytes(range(256)) * 40, "nothing to read: given is not text"),
        (zipped(b"x" * 5000)[:-30], "nothing to read: given starts like a zip archive and is damaged"),
        (tar(TEXT.encode())[:300], "given: damaged or encrypted archive (Compressed file ended before"),
        (gzip.compress(TEXT.encode())[:300], "given: damaged or encrypted archive (Compressed file ended before"),
        (bz2.compress(TEXT.encode())[:300], "given: damaged or encrypted archive (Compressed file ended before"),
        (b" Database Configuration for Database A\n (LOGBUFSZ) = 8\n Database Configuration for Database B\n"
         b" (LOGBUFSZ) = 8\n", "the texts are about A, B; choose one with --name"),
    ],
    ids=["nothing", "a mail", "bytes", "half a zip", "half a tar", "half a gzip", "half a bzip2", "two databases"],
)  # fmt: skip
def test_what_cannot_be_used_is_one_line_and_leaves_nothing(content, message, tmp_path):
    path, target = tmp_path / "given", tmp_path / "made.capture"
    path.write_bytes(content)
    for command in (("advise", path), ("import", path, "-o", target)):
        result = run(*command)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"db2tune: {message}")
        assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("import", "no such file"), "name the capture to write with -o, or use --explain"),
        (("import", "no such file", "--explain"), "no such file: no such file"),
        (("advise", "no such file"), "no such file: no such file"),
        (("advise", "text", "--capture", "capture"), "use one of: FILE, --capture, --run or --database"),
        (("advise",), "use one of: FILE, --capture, --run or --database"),
        (("advise", "text", "--interval", "30"), "--interval requires --database"),
    ],
)
def test_bad_usage_is_one_line(args, message):
    result = run(*args)
    assert (result.exit_code, result.stderr) == (2, f"db2tune: {message}\n")


def test_a_target_that_is_there_stays(tmp_path):
    (tmp_path / "text").write_text(TEXT)
    (tmp_path / "made").write_text("dear")
    result = run("import", tmp_path / "text", "-o", tmp_path / "made")
    assert (result.exit_code, result.stderr.partition("made: ")[2]) == (
        2,
        "already exists; choose another name or remove it\n",
    )
    assert (tmp_path / "made").read_text() == "dear"


def later(text):
    """Return a snapshot ten minutes later, in which every table space has more reads."""
    text = text.replace("10:30:4", "10:40:4")
    return re.sub(
        r"(Buffer pool data (?:logical|physical) reads\s*= )(\d+)", lambda m: f"{m[1]}{int(m[2]) + 600}", text
    )


def test_two_snapshots_are_a_difference(tmp_path):
    text = (ROOT / "fixtures" / "imports" / "snapshot-all.txt").read_text(encoding="utf-8")
    for name, content in (("b", text), ("a", later(text))):
        (tmp_path / name).write_text(content, encoding="utf-8")
    result = run("import", tmp_path / "a", tmp_path / "b", "-o", tmp_path / "made")
    assert result.exit_code == 0, result.output
    window = json.loads(run("advise", tmp_path / "made", "--format", "json").stdout)["window"]
    assert (window["seconds"], window["source"]) == (600, "DELTA")
    reads = [(row["TBSP_NAME"], int(row["POOL_DATA_L_READS"])) for row in rows_in(tmp_path / "made", "tablespace")]
    begin, end = dict(reads[: len(reads) // 2]), dict(reads[len(reads) // 2 :])
    assert {name: end[name] - begin[name] for name in end} == dict.fromkeys(end, 600)


def test_anonymized_text_has_no_name_of_its_own(tmp_path):
    text = ROOT / "fixtures" / "imports" / "snapshot-all.txt"
    assert run("import", text, "-o", tmp_path / "made", "--anonymize").exit_code == 0
    content = b"".join(path.read_bytes() for path in (tmp_path / "made").iterdir())
    for name in (b"SHOP", b"db2home", b"db2inst1"):
        assert name in text.read_bytes()
        assert name not in content


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"KIND": "objekt"}, "unknown KIND 'objekt'"),
        ({"VALUE": None}, "needs a cell for each column"),
        ({"COLUMN": "latch.NAME"}, "no column latch.NAME in sql/collect/"),
    ],
)
def test_fault_in_a_table_of_labels_names_file_and_line(row, fault, monkeypatch):
    good = {"SECTION": "a", "LABEL": "b", "COLUMN": "latch.LATCH_NAME", "KIND": "", "TEXT": "", "VALUE": ""}
    monkeypatch.setattr(values, "csv_rows", lambda _: (good, good | row))
    values.columns.cache_clear()
    with pytest.raises(ValueError, match=re.escape(f"advisor/imports/columns/made-up.csv, line 3: {fault}")):
        labels.sections("made-up")
    values.columns.cache_clear()


@given(st.binary(max_size=3000))
@settings(max_examples=60)
def test_no_bytes_are_a_fault(content):
    reading(content)


@given(st.lists(st.sampled_from(TEXT.splitlines()) | st.text(max_size=80), max_size=40))
@settings(max_examples=60)
def test_no_lines_are_a_fault(lines):
    reading("\n".join(lines))


@pytest.mark.parametrize("part", ["(", "=", " ", "-", "a,", "[i] DB2", "MEMBER ", '"', "--\n", "\n", "\0", "1,"])
def test_a_megabyte_of_anything_takes_no_time(part):
    """Twice the text takes about twice the time: a quadratic program would be stopped long before its end."""
    code = "import sys; from tests.imports.reading import reading; reading(sys.stdin.buffer.read())"
    content = (part * (1_000_000 // len(part))).encode()
    subprocess.run([sys.executable, "-c", code], input=content, timeout=60, check=True, cwd=ROOT)


def test_the_texts_of_statements_are_not_given_away(tmp_path):
    sample = FIXTURES / "imports/snapshot-all.txt"
    for name, options in (("whole", ()), ("given away", ("--anonymize",))):
        assert run("import", sample, "-o", tmp_path / name, *options).exit_code == 0
        assert ("CUSTOMER" in (tmp_path / name / "statement.csv").read_text()) == (not options)
