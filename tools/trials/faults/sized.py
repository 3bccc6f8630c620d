"""Input that is made to be large: each command ends in time, within its memory, with its result or one line.

A program of its own measures each command: a maximum of memory would otherwise include earlier ones.
"""

import csv
import gzip
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from advisor.catalogue.sources import Column, all_sources
from tests.machines import MACHINES
from tests.support.states import state_of, write_capture
from tools.trials.faults.fuzz import Tried

MOST_MB, LONGEST_S = 1024, 150
_MEASURED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True, errors="replace")
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10, done.stderr.strip(), sep="\\n")
"""


def _lines(line: str, count: int, first: str = "") -> Callable[[Path], Path]:
    """Return a maker of a text in which ``{0}`` numbers the lines."""

    def make(folder: Path) -> Path:
        path = folder / "text.txt"
        with path.open("w", encoding="utf-8") as file:
            file.write(first)
            for number in range(count):
                file.write(line.format(number))
        return path

    return make


def _rows(source: str, count: int, **given: str) -> Callable[[Path], Path]:
    """Return a maker of a capture with this many rows of a source, which differ in their keys."""

    def make(folder: Path) -> Path:
        path = folder / "large.capture"
        state = MACHINES["x445-8way"]()
        state.sources.setdefault(source, state_of({source: [{}]}).sources[source])
        write_capture(state, path)
        columns = all_sources()[source].columns
        known = list(csv.DictReader((path / f"{source}.csv").open(encoding="utf-8", newline="")))
        with (path / f"{source}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, ["SNAP_ID", *(column.name for column in columns)])
            writer.writeheader()
            keys = [
                each for each in columns if each.name in all_sources()[source].names("key") and each.name not in given
            ]
            for number in range(count):
                writer.writerow(known[-1] | given | {key.name: _key(key, number) for key in keys})
        return path

    return make


def _key(column: Column, number: int) -> str:
    if column.name == "EXECUTABLE_ID":
        return f"{number:016X}"
    if column.type == "SMALLINT":
        return "0"
    return str(number) if column.type in ("INTEGER", "BIGINT") else f"N{number}"


def _nested(folder: Path) -> Path:
    content = b"DB2_WORKLOAD=SAP\n"
    for _ in range(500):
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("x.zip", content)
        content = packed.getvalue()
    (folder / "nested.zip").write_bytes(content)
    return folder / "nested.zip"


def _bomb(folder: Path) -> Path:
    with gzip.open(folder / "bomb.gz", "wb") as file:
        for _ in range(1000):
            file.write(bytes(1 << 20))
    return folder / "bomb.gz"


def _many_files(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "many.zip", "w") as archive:
        for number in range(100_000):
            archive.writestr(f"{number}.txt", "DB2_WORKLOAD=SAP\n")
    return folder / "many.zip"


def _option(folder: Path) -> Path:
    """Make a manifest with an option that is nested very deep."""
    path = folder / "deep.capture"
    write_capture(MACHINES["x445-8way"](), path)
    manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
    text = json.dumps(manifest | {"options": "DEEP"}).replace('"DEEP"', '{"a":' * 100_000 + "1" + "}" * 100_000)
    (path / "manifest.json").write_text(text, encoding="utf-8")
    return path


_DIAG = """2026-03-02-10.00.00.000000-000 I{0}E500              LEVEL: Error
PID     : 1234                 TID : 1  PROC : db2sysc
INSTANCE: db2inst1             NODE : 000           DB   : S{0}
FUNCTION: DB2 UDB, data protection services, sqlpgResSpace, probe:2860
MESSAGE : ADM1823E  The active log is full and is held by application handle "0-{0}".

"""
_SPACE = """ Tablespace ID                        = {0}
 Name                                 = TS{0}
 Type                                 = Database managed space
 State                                = 0x0000
 Total pages                          = 1000
 Used pages                           = 960
 Page size (bytes)                    = 4096

"""


@dataclass(frozen=True)
class Large:
    """A large input: its name, its maker, and whether its advice must be given."""

    name: str
    make: Callable[[Path], Path]
    is_judged: bool = False

    def why(self) -> str | None:
        """Return why the command failed the test, or None."""
        with TemporaryDirectory() as folder:
            path = self.make(Path(folder))
            given: list[Any] = ["--capture", path] if path.suffix == ".capture" else [path]
            command = [sys.executable, "-m", "advisor.cli.main", "advise", "--no-keep", *given]
            try:
                done = subprocess.run(
                    [sys.executable, "-c", _MEASURED, *map(str, command)],
                    capture_output=True,
                    text=True,
                    timeout=LONGEST_S,
                    check=True,
                )
            except subprocess.TimeoutExpired:
                return f"more than {LONGEST_S} s"
        status, memory_mb, *said = done.stdout.splitlines()
        if int(memory_mb) > MOST_MB:
            return f"{memory_mb} MB"
        if int(status) not in ((0,) if self.is_judged else (0, 2)):
            return f"exit status {status}: {said}"
        if int(status) == 2 and (len(said) != 1 or len(said[0]) > 1000):
            return f"not one line: {said[:3]}"
        return None


LARGE = (
    Large("5,000,000 containers", _rows("container", 5_000_000), True),
    Large("300,000 containers that Db2 cannot read", _rows("container", 300_000, ACCESSIBLE="0"), True),
    Large("300,000 table spaces", _rows("tablespace", 300_000), True),
    Large("300,000 tables that wait for a reorganization", _rows("table_size", 300_000, REORG_PENDING="Y"), True),
    Large("300,000 statements", _rows("statement", 300_000), True),
    Large("500,000 host facts", _rows("hostfact", 500_000), True),
    Large("a lock that 200,000 sessions wait for", _rows("unit_of_work", 200_000, UOW_ID="1", WAITS_FOR="5"), True),
    Large("options in options, 100,000 deep", _option),
    Large("archives in archives, 500 deep", _nested),
    Large("an archive of 1 GB of zeros", _bomb),
    Large("an archive of 100,000 files", _many_files),
    Large("a line of 300 MB", _lines("x" * (1 << 20), 300, "Database Configuration for Database X\n")),
    Large("100 MB of empty lines", _lines("\n", 100 << 20)),
    Large("2,000,000 registry variables", _lines("[i] DB2_VAR{0}=V{0}\n", 2_000_000, "$ db2set -all\n")),
    Large("messages about 300,000 databases", _lines(_DIAG, 300_000)),
    Large("a listing of 400,000 table spaces", _lines(_SPACE, 400_000, " Tablespaces for Current Database\n\n"), True),
    Large("DDL of 300,000 tables", _lines('CREATE TABLE "S"."T{0}" ("A" INTEGER NOT NULL, "B" DATE);\n', 300_000)),
)


def tried() -> Iterator[Tried]:
    """Try every large input, one after the other."""
    for each in LARGE:
        yield Tried(each.name, "", each.why())
