"""Output of tune-collect.sql: the same capture in any form, and never an incomplete one that looks complete."""

import csv
import json
import re
from pathlib import Path
from textwrap import fill

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from advisor.capture.manifest import read_manifest
from advisor.catalogue.sources import all_sources
from advisor.cli.main import main
from advisor.errors import UserError
from advisor.imports.collect_script import MARK, NOT_READ
from advisor.imports.texts import Known, import_texts
from advisor.judgement.run import advise
from tests.imports.printers import tune_collect as printer
from tests.support.paths import CAPTURES, FIXTURES, NAMES

SINGLE, PARTITIONED, SHARED = "vm-oltp-before", "x445-8way", "purescale"
BOTH = [name for name in NAMES if len(read_manifest(CAPTURES / name).snapshots) == 2]

Rows = list[dict[str, str | float]]


def rows(folder: Path, name: str, snapshot: int | None = None) -> Rows:
    """Return the rows of a source, numbers in one form."""
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        found = [row for row in csv.DictReader(file) if snapshot is None or row["SNAP_ID"] == str(snapshot)]
    return [{key: plain(cell) for key, cell in row.items()} for row in found]


def plain(cell: str) -> str | float:
    try:
        return float(cell)
    except ValueError:
        return re.sub(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.0+)?$", r"\1 \2", cell)


def texts(name: str, folder: Path) -> list[Path]:
    """Return both snapshots of a machine."""
    found = []
    for snapshot in (1, 2):
        path = folder / f"sales-{snapshot}.txt"
        path.write_text(printer.printed(CAPTURES / name, snapshot), encoding="utf-8")
        found.append(path)
    return found


def made(folder: Path, given: list[Path], **known: str) -> Path:
    target = folder / "made"
    target.mkdir()
    import_texts(given, target, Known(**known))
    return target


def same(target: Path, name: str) -> None:
    """Assert that the capture has the machine's rows for each source."""
    own = CAPTURES / name
    for source in all_sources().keys() - NOT_READ:
        assert (target / f"{source}.csv").exists() == (own / f"{source}.csv").exists(), source
        if (own / f"{source}.csv").exists():
            assert rows(target, source) == rows(own, source), source
    assert [item.epoch_s for item in read_manifest(target).snapshots] == [
        item.epoch_s for item in read_manifest(own).snapshots
    ]


@pytest.mark.parametrize(
    "name", [n if n in (SINGLE, PARTITIONED, SHARED) else pytest.param(n, marks=pytest.mark.full) for n in BOTH]
)
def test_a_machine_that_was_printed_is_the_same(name: str, tmp_path: Path) -> None:
    same(made(tmp_path, texts(name, tmp_path)), name)


def test_one_text_gives_averages_since_activation(tmp_path: Path) -> None:
    window = advise(made(tmp_path, texts(SINGLE, tmp_path)[1:])).window
    own = advise(CAPTURES / SINGLE).window
    assert (window.source, own.source) == ("ACTIVATION", "DELTA")
    assert window.seconds > own.seconds


def wrapped(text: str) -> str:
    """Wrap the text like a mail, at 76 characters."""
    return "\n".join(
        fill(line, 76, break_on_hyphens=False) if MARK in line else line.rstrip() for line in text.split("\n")
    )


def quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.split("\n"))


def echoed(text: str) -> str:
    """Print each statement before its answer, as -v does."""
    statement = (
        f"WITH DATA AS ( SELECT T.X FROM SYSCAT.TABLES AS T ) SELECT '{MARK}x:' || CAST(1 AS VARCHAR(20)) WITH UR"
    )
    return text.replace("\nTUNE ", f"{statement}\n\nTUNE ")


WAYS = {
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "UTF-16, by a shell of Windows": lambda text: text.encode("utf-16"),
    "trimmed": lambda text: re.sub(" +\n", "\n", text).encode(),
    "wrapped": lambda text: wrapped(text).encode(),
    "quoted": lambda text: quoted(text).encode(),
    "with -v": lambda text: echoed(text).encode(),
    "with -x": lambda text: re.sub(r"TUNE +\n-+\n|  \d+ record\(s\) selected.", "", text).encode(),
    "in German": lambda text: text.replace("record(s) selected.", printer.OTHER_LANGUAGE).encode("latin-1"),
    "as CSV of another client": lambda text: re.sub(f"^({MARK}.*?) *$", r'"\1"', text, flags=re.MULTILINE).encode(),
    "as a table": lambda text: re.sub(f"^({MARK}.*)$", r"| \1 |", text, flags=re.MULTILINE).encode(),
    "in a mail": lambda text: f"Hello,\n\nhere is what you asked for.\n\n{text}\n-- \nMe\n".encode(),
}


@pytest.mark.parametrize("way", WAYS)
def test_it_may_come_in_any_way(way: str, tmp_path: Path) -> None:
    found = texts(SINGLE, tmp_path)
    for path in found:
        path.write_bytes(WAYS[way](path.read_text(encoding="utf-8")))
    same(made(tmp_path, found), SINGLE)


def test_order_and_repetition_of_texts_do_not_matter(tmp_path: Path) -> None:
    one, two = texts(SINGLE, tmp_path)
    together = tmp_path / "together.txt"
    together.write_text(two.read_text(encoding="utf-8") + one.read_text(encoding="utf-8"), encoding="utf-8")
    same(made(tmp_path, [two, together]), SINGLE)


ODD = [
    "",
    " ",
    "a|b",
    "\\",
    "\\x41",
    "line\nfeed",
    "trailing  ",
    '"',
    "tab\t;",
    "Zürich",
    "\u65e5\u672c",
    "\u00a0",
    "&lt;",
    ":tune:",
]


@pytest.mark.parametrize("codec", ["utf-8", "latin-1", "cp932"])
def test_every_text_comes_as_it_was(codec: str, tmp_path: Path) -> None:
    """The text is in the database's code page, which its configuration contains."""
    names = [name for name in ODD if encodes(name, codec)]
    codeset = {"utf-8": "UTF-8", "latin-1": "ISO8859-1", "cp932": "IBM-943"}[codec]
    entry = json.loads((CAPTURES / SINGLE / "manifest.json").read_text(encoding="utf-8"))["snapshots"][0]
    text = printer.answer("identity", *printer.identity(entry))
    settings = [["codeset", "0", codeset, "NONE"]]
    text += printer.answer("dbcfg", ["NAME", "MEMBER", "VALUE", "VALUE_FLAGS"], settings)
    text += printer.answer("registry", ["REG_VAR_NAME", "MEMBER", "REG_VAR_VALUE", "IS_AGGREGATE"],
                           [[str(n), "0", name, None] for n, name in enumerate(names)], codec)  # fmt: skip
    path = tmp_path / "text"
    path.write_text(text, encoding="utf-8")
    target = made(tmp_path, [path])
    with (target / "registry.csv").open(encoding="utf-8", newline="") as file:
        assert [row["REG_VAR_VALUE"] for row in csv.DictReader(file)] == names
    written = (target / "registry.csv").read_text(encoding="utf-8")
    assert '"0","",' not in written.partition("\n")[0]
    assert written.splitlines()[1] == '"1","0","0","",'  # an empty text is quoted, NULL is not


def encodes(text: str, codec: str) -> bool:
    try:
        return text.encode(codec).decode(codec) == text
    except UnicodeEncodeError:
        return False


# --- damage ----------------------------------------------------------------------------------------------------------


def imported(text: str, folder: Path) -> Path | None:
    """Return the capture of one text, or None if it is refused."""
    target = folder / str(len(list(folder.iterdir())))
    target.mkdir()
    (target / "text").write_text(text, encoding="utf-8")
    try:
        import_texts([target / "text"], target, Known())
    except UserError:
        return None
    return target


def is_whole_or_refused(target: Path | None) -> None:
    """Assert that each source in the capture is complete, and each other one has a reason."""
    if target is None:
        return
    manifest = read_manifest(target)
    for source in all_sources():
        assert (source in manifest.sources) != (source in manifest.not_collected), source
        if source in manifest.sources:
            wanted = [row | {"SNAP_ID": 1.0} for row in rows(CAPTURES / PARTITIONED, source, 1)]
            assert rows(target, source) == wanted, source


WHOLE = printer.printed(CAPTURES / PARTITIONED, 1)
LINES = WHOLE.split("\n")


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(end=st.integers(0, len(WHOLE)))
def test_a_text_that_is_cut_anywhere(end: int, tmp_path: Path) -> None:
    is_whole_or_refused(imported(WHOLE[:end], tmp_path))


@pytest.mark.full
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(begin=st.integers(0, len(LINES)), many=st.integers(1, 40))
def test_a_text_that_lacks_lines(begin: int, many: int, tmp_path: Path) -> None:
    # rows lost between two answers may leave a matching count: the text shows no error
    assume(not any(MARK in line and ":0:1:" in line for line in LINES[begin : begin + many]))
    is_whole_or_refused(imported("\n".join(LINES[:begin] + LINES[begin + many :]), tmp_path))


@pytest.mark.full
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from([n for n, line in enumerate(LINES) if MARK in line]), data=st.data())
def test_a_line_that_lost_characters(place: int, data: st.DataObject, tmp_path: Path) -> None:
    line = LINES[place].rstrip()
    at = data.draw(st.integers(0, len(line) - 1))
    many = data.draw(st.integers(1, 5))
    is_whole_or_refused(
        imported("\n".join([*LINES[:place], line[:at] + line[at + many :], *LINES[place + 1 :]]), tmp_path)
    )


def test_snapshot_without_its_end_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("\n".join(LINES[: LINES.index(next(line for line in LINES if f"{MARK}registry:0" in line))]))
    done = db2tune("import", path, "-o", tmp_path / "made")
    assert done.exit_code == 0
    assert "note: text, line 4: the text ends before tune-collect.sql did" in done.output
    assert read_manifest(tmp_path / "made").not_collected["registry"] == "the text ends before it"


def test_a_text_that_has_no_source_whole_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text(WHOLE[: WHOLE.index(f"{MARK}bufferpool:9")])
    done = db2tune("advise", path)
    assert (done.exit_code, "no source is complete; run it again" in done.output) == (2, True)


def test_text_without_its_database_is_refused(tmp_path: Path) -> None:
    """The first query was refused (SQL0551N), or the header is missing. SET is refused outside Unicode (42815)."""
    path = tmp_path / "text"
    behind = WHOLE[WHOLE.index("\nTUNE", WHOLE.index(f"{MARK}identity")) :]
    path.write_text("SQL0351N  Not this one.\n\n" + printer.refused() + behind)
    done = db2tune("advise", path)
    assert done.exit_code == 2
    assert "its database is unknown: READER may not EXECUTE" in done.output
    path.write_text(behind[200:])
    assert "its database is unknown: " in db2tune("advise", path).output


def test_a_refused_query_costs_what_it_reads(tmp_path: Path) -> None:
    """The program prints the reason in the words of the other commands."""
    target = made(tmp_path, texts(PARTITIONED, tmp_path))
    reasons = read_manifest(target).not_collected
    absent = {source for source in all_sources() if not (CAPTURES / PARTITIONED / f"{source}.csv").exists()}
    assert reasons.keys() == absent | NOT_READ
    assert {"READER" in reasons[source] for source in absent - NOT_READ} == {True}


def test_an_error_in_the_middle_of_an_answer_refuses_it(tmp_path: Path) -> None:
    """After some rows comes the lock time-out (SQL0911N): without a count, the rows are incomplete."""
    text = re.sub(
        r"(:tune:tablespace:3:.*\n)(?:.*\n)*?  \d+ record\(s\) selected\.", r"\1\nSQL0911N  Rolled back.\n", WHOLE
    )
    assert text != WHOLE
    target = imported(text, tmp_path)
    assert target is not None
    reasons = read_manifest(target).not_collected
    assert "SQL0911N" in reasons["tablespace"] or "rolled back" in reasons["tablespace"].lower()
    is_whole_or_refused(target)


# --- messages ---------------------------------------------------------------------------------------------------------


def db2tune(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_of_several_databases_one_has_to_be_named(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    both = [*texts(SINGLE, tmp_path), texts(SHARED, tmp_path / "other")[0]]
    assert "choose one with --name" in db2tune("advise", *both).output
    one, other = (read_manifest(CAPTURES / name).snapshots[0].database["name"] for name in (SINGLE, SHARED))
    assert read_manifest(made(tmp_path, both, name=one.lower())).snapshots[1].database["name"] == one
    assert f"no text is about database X; the texts are about {', '.join(sorted((one, other)))}" in db2tune(
        "advise", *both, "--name", "X"
    ).output  # fmt: skip


def test_other_texts_next_to_it_are_not_used(tmp_path: Path) -> None:
    done = db2tune(
        "import", *texts(SINGLE, tmp_path), FIXTURES / "imports" / "list-tablespaces.txt", "-o", tmp_path / "c"
    )
    assert "with snapshots of tune-collect.sql nothing else is used: not list-tablespaces.txt" in done.output
    same(tmp_path / "c", SINGLE)


def test_explain_names_each_source_and_what_was_refused(tmp_path: Path) -> None:
    said = db2tune("import", "--explain", texts(PARTITIONED, tmp_path)[0]).output
    assert re.search(r"lines \d+-\d+ +tune-collect.sql: tablespace\n", said)
    assert re.search(r"lines \d+-\d+ +ignored: hadr: READER may not EXECUTE", said)
    assert "lines 4-5 " in said


@pytest.mark.parametrize("damage", ["exchanged lines", "level"])
def test_identity_that_was_damaged_is_refused(tmp_path: Path, damage: str) -> None:
    lines = (FIXTURES / "imports" / "tune-collect.txt").read_text(encoding="utf-8").splitlines()
    at = max(n for n, line in enumerate(lines) if line.startswith(":tune:identity:1:1:"))
    if damage == "level":
        lines[at] = lines[at].replace("11050900", "1105090x")
    else:
        other = max(n for n, line in enumerate(lines[:at]) if line == "  1 record(s) selected.")
        lines[at], lines[other] = lines[other], lines[at]
    (tmp_path / "text").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(UserError, match=r"run tune-collect\.sql again"):
        made(tmp_path, [tmp_path / "text"])
