"""The first contact with a server: the steps of first.yml, a table of their results, and one archive to send."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from tools.container import sample
from tools.container.clp import Clp
from tools.container.errors import one_line
from tools.container.kinds import read_data
from tools.container.login import ROOT, ConnectError, Login, connected

STEP_S = 3_600
"""The time limit of one step: Db2 compiles a whole installation, on some machines under an emulator."""

PROGRAM = "from advisor.start import program; program()"
TABLE = "result.md"
WIDTH = 90

Ended = tuple[int, str]
"""Exit status, and standard output with errors."""


@dataclass(frozen=True)
class Step:
    """A row of first.yml."""

    name: str
    run: str
    file: str
    command: str = ""
    ends: tuple[int, ...] = (0,)
    shows: str = ""


@dataclass(frozen=True)
class Result:
    """The outcome of a step; ``reason`` is empty if it worked."""

    step: Step
    seconds: float
    reason: str


def read_steps() -> list[Step]:
    """Return the steps in order."""
    return [Step(**row | {"ends": tuple(row.get("ends", (0,)))}) for row in read_data()["steps"]]


def run_db2tune(arguments: Sequence[str], folder: Path, password: str) -> Ended:
    """Run db2tune in its own process, in the folder."""
    environment = {"PYTHONPATH": str(ROOT), "DB2TUNE_PASSWORD": password, "DB2TUNE_RUNS": ""}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=folder,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=STEP_S,
        check=False,
    )
    return done.returncode, done.stdout


@dataclass(frozen=True)
class Contact:
    """A server, its command line processor, and the folder of the results. ``interval_s`` separates two snapshots."""

    login: Login
    clp: Clp
    folder: Path
    interval_s: int = 60
    db2tune: Callable[[Sequence[str], Path, str], Ended] = run_db2tune

    def run(self, say: Callable[[str], object] = print, steps: Iterable[Step] | None = None) -> list[Result]:
        """Run all steps in a new folder, also after an error, and write the table."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        results = []
        for step in read_steps() if steps is None else steps:
            result = self._try(step)
            say(f"{step.name}: {result.reason or 'worked'} ({result.seconds:.0f} s)")
            results.append(result)
        self.keep(TABLE, format_table(results))
        return results

    def keep(self, name: str, text: str) -> None:
        """Write one more file, and remove the password from all of them."""
        (self.folder / name).write_text(text, encoding="utf-8")
        self._remove_password()

    def _try(self, step: Step) -> Result:
        begun = time.monotonic()
        try:
            status, output = getattr(self, f"_run_{step.run}")(step)
        except subprocess.TimeoutExpired:
            status, output = 124, f"not ended within {STEP_S} s\n"
        except Exception as error:  # the next steps run whatever happens
            status, output = 1, f"{type(error).__name__}: {one_line(error)}\n"
        (self.folder / step.file).write_text(output, encoding="utf-8")
        return Result(step, time.monotonic() - begun, find_reason(step, status, output))

    def _fill(self, text: str) -> str:
        return Template(text).substitute(URL=self.login.url, DB=self.login.database, INTERVAL=self.interval_s)

    def _run_tune(self, step: Step) -> Ended:
        return self.db2tune(shlex.split(self._fill(step.command)), self.folder, self.login.password)

    def _run_clp(self, step: Step) -> Ended:
        return self.clp.run(f"DB={self.login.database}\n{step.command}", self.folder, STEP_S)

    def _run_text(self, step: Step) -> Ended:
        return 0, self._fill(step.command)

    def _run_load(self, _: Step) -> Ended:
        try:
            with connected(self.login.keywords()) as connection, connected(self.login.keywords()) as other:
                sample.load(connection)
                return 0, "".join(f"{line}\n" for line in sample.strain(connection, other))
        except ConnectError as error:
            return 1, f"{error}\n"

    def _run_compare(self, step: Step) -> Ended:
        one, two = (_list_advice(self.folder / name) for name in step.command.split())
        lines = [f"only outside: {item}" for item in sorted(one - two)]
        lines += [f"only inside: {item}" for item in sorted(two - one)]
        return int(bool(lines)), "\n".join([*lines, f"the same: {len(one & two)} recommendations", ""])

    def _remove_password(self) -> None:
        secret = self.login.password.encode()
        for path in self.folder.rglob("*"):
            if path.is_file() and secret in (content := path.read_bytes()):
                path.write_bytes(content.replace(secret, b"********"))


def _list_advice(path: Path) -> set[str]:
    found = json.loads(path.read_text(encoding="utf-8"))["recommendations"]
    return {f"{item['rule']} {item['object']['name']}" for item in found}


def find_reason(step: Step, status: int, output: str) -> str:
    """Return why a step failed, with its last line, or an empty text."""
    last = next((line.strip() for line in reversed(output.splitlines()) if line.strip()), "no output")
    if status not in step.ends:
        return f"failed with exit status {status}: {last}"
    if step.shows and not re.search(step.shows, output, re.MULTILINE):
        return f"failed, the output lacks {step.shows!r}: {last}"
    return ""


def format_table(results: Iterable[Result]) -> str:
    """Return the results as a table in Markdown."""
    rows = ["| step | seconds | result | file |", "|---|---:|---|---|"]
    for result in results:
        reason = result.reason[:WIDTH].replace("|", "\\|")
        rows.append(f"| {result.step.name} | {result.seconds:.0f} | {reason or 'worked'} | {result.step.file} |")
    return "\n".join([*rows, ""])


def pack(folder: Path) -> Path:
    """Write all files of the folder into one archive next to it, without owners, and return its path."""
    path = folder.with_name(f"{folder.name}.tar.gz")
    with tarfile.open(path, "w:gz") as archive:
        archive.add(folder, arcname=folder.name, filter=_without_owner)
    return path


def _without_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry
