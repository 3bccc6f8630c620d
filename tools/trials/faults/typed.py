"""Commands as users type them, each in another process, and the check of their results."""

import atexit
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from advisor import files
from advisor.capture.opening import open_capture as opened_capture
from advisor.cli.main import program
from tests.support.paths import CAPTURES, FIXTURES

TEXT = str(FIXTURES / "imports" / "configuration-oltp.txt")
STEP = 2  # scripts
MACHINE = str(CAPTURES / "docker-default")


@dataclass(frozen=True)
class Typed:
    """One command: its arguments, the state before it, and the state as a text that can be compared.

    ``state`` raises the program's own error if it cannot read the state.
    """

    name: str
    arguments: Callable[[Path], tuple[str, ...]]
    state: Callable[[Path], str]
    prepare: Callable[[Path], object] = lambda _: None


@dataclass(frozen=True)
class Ended:
    """The exit status and output of a process; the status is the shell's."""

    status: int
    output: str
    errors: str
    killed: bool = False  # by a signal to which it did not listen yet


class Process:
    """A command that is being run: a fork of this process, which has imported what the command needs."""

    def __init__(self, typed: Typed, folder: Path, begun: Callable[[], object] = lambda: None) -> None:
        self._said = [tempfile.TemporaryFile("w+", encoding="utf-8") for _ in range(2)]  # noqa: SIM115 -- closed by ended
        self.pid = os.fork()
        if self.pid == 0:
            self._be(typed, folder, begun)

    def _be(self, typed: Typed, folder: Path, begun: Callable[[], object]) -> None:
        status = 1
        try:
            atexit._clear()  # what the process before the fork is to do at its end
            for number, file in enumerate(self._said, 1):
                os.dup2(file.fileno(), number)
            os.environ |= {"DB2TUNE_RUNS": str(folder / "work" / "runs"), "DB2TUNE_DEBUG": "0", "LOGNAME": "me"}
            tempfile.tempdir = str(folder / "tmp")
            vars(files)["_YOUNG_S"] = -1  # what a killed run left is swept at once
            sys.argv = ["db2tune", *typed.arguments(folder / "work")]
            begun()
            program()
        except SystemExit as end:
            status = int(end.code or 0)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)

    def tell(self, number: int) -> None:
        """Send it a signal if it still runs."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def ended(self) -> Ended:
        """Wait for it."""
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        texts = []
        for file in self._said:
            with file:
                file.seek(0)
                texts.append(file.read())
        output, errors = texts
        return Ended(128 - status if status < 0 else status, output, errors, killed=status < 0)


def text(name: str) -> Callable[[Path], str]:
    return lambda folder: (folder / name).read_text(encoding="utf-8") if (folder / name).exists() else ""


def lines(name: str) -> Callable[[Path], str]:
    """Return the number of items in a text that contains the time."""
    read = text(name)
    return lambda folder: f"{len(read(folder).splitlines())} lines"


def capture(name: str) -> Callable[[Path], str]:
    """Whether there is a capture; raises what the program raises of half of one."""

    def state(folder: Path) -> str:
        if not (folder / name).exists():
            return ""
        with opened_capture(folder / name) as found:
            return " ".join(sorted(found.files))

    return state


def runs(folder: Path) -> str:
    """The runs that are kept, each of which can be read."""
    found = sorted((folder / "runs").glob("[!.]*"))
    return " ".join(path.stem for path in found if capture(path.name)(path.parent))


def scripts(folder: Path) -> str:
    """Return the scripts of all steps if there is more than one. Raise ValueError if a change has no undo."""
    there = {path.relative_to(folder).as_posix() for path in (folder / "scripts").rglob("[!.]*.sql")}
    if any(name.replace("apply", "undo") not in there for name in there):
        raise ValueError(f"a change without its way back: {sorted(there)}")
    return " ".join(sorted(there)) if len(there) > STEP else ""


def _one_run(folder: Path) -> None:
    Process(Typed("", _into("runs/1.capture", "import", TEXT), runs), folder.parent).ended()


def _site(folder: Path) -> None:
    (folder / "site.toml").write_text('[site]\nworkload = "OLTP"\n', encoding="utf-8")


def _into(name: str, *words: str) -> Callable[[Path], tuple[str, ...]]:
    return lambda folder: (*words, "-o", str(folder / name))


def _accept(folder: Path) -> tuple[str, ...]:
    words = ("accept", "log.circular", "*", "--reason", "a copy", "--by", "me")
    return (*words, "--options", str(folder / "site.toml"))


COMMANDS = (
    Typed("import, a folder", _into("new", "import", TEXT), capture("new")),
    Typed("import, a file", _into("new.capture", "import", TEXT), capture("new.capture")),
    Typed("advise, which keeps its run", lambda _: ("advise", TEXT), runs),
    Typed("ticket", _into("t.md", "ticket", TEXT, "--rank", "1"), lines("t.md")),
    Typed("plan, the scripts", lambda f: ("plan", TEXT, "--no-keep", "--scripts", str(f / "scripts")), scripts),
    Typed("accept", _accept, text("site.toml"), _site),
    Typed("verify", _into("v.txt", "verify", MACHINE, "--after", MACHINE), text("v.txt")),
    Typed("runs", lambda _: ("runs",), runs, _one_run),
)
QUICK = tuple(each for each in COMMANDS if each.name in {"import, a file", "accept", "verify"})
