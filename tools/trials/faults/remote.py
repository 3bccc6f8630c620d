"""Commands against a fake server, each in another process, and the check of their results.

The commands are the real ones. ``short`` commands read few sources and install few objects, so that many can be tried.
"""

import atexit
import json
import multiprocessing
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection as PipeConnection
from pathlib import Path
from unittest.mock import patch

from click.testing import CliRunner
from filelock import FileLock

from advisor import ending
from advisor.capture.opening import open_capture as opened_capture
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.sources import all_sources
from advisor.cli.main import main
from advisor.db2 import collector, connection
from advisor.install import installer
from advisor.install.statement import COMMIT, Statement
from advisor.install.statements import install_statements
from advisor.nightly import history, job
from advisor.nightly.clock import Clock
from advisor.patience import pause
from tests.standin.backend import Served
from tests.standin.objects.image import Image, put, take
from tests.support.paths import CAPTURES
from tests.wire.conftest import Server, standin
from tools.trials.faults.proxy import Proxy

GRACE_S = 1
STATEMENTS = 40  # of a short installation
SOURCES = ("system", "instance", "database", "member", "bufferpool", "tablespace", "dbcfg", "registry", "hostfact")
HANGS = -1000
_APART = multiprocessing.get_context("forkserver")
_APART.set_forkserver_preload(["ibm_db", "advisor.judgement.run", "advisor.capture", "tools.trials.faults.remote"])


@dataclass(frozen=True)
class Done:
    """The exit status and output of a process."""

    exit_code: int
    output: str
    stderr: str


@contextmanager
def _shortened(short: bool) -> Iterator[None]:
    """Set a short grace period, few sources and few statements."""
    few = {name: source for name, source in all_sources().items() if name in SOURCES}
    first = install_statements
    with ExitStack() as stack:
        stack.enter_context(patch.object(connection, "GRACE_S", GRACE_S))
        stack.enter_context(patch.object(job, "Clock", lambda: Clock(wait=lambda _: pause(0.1))))
        if short:
            stack.enter_context(patch.object(collector, "read_sources", lambda: few))
            stack.enter_context(patch.object(installer, "install_statements", lambda *given: _few(first(*given))))
        yield


def _few(statements: list[Statement]) -> list[Statement]:
    """Return the first statements as one unit of work, which leaves all objects or none."""
    return [*(one for one in statements[:STATEMENTS] if one != COMMIT), COMMIT]


def _client(told: PipeConnection, password: str, folder: Path, arguments: tuple[str, ...], short: bool) -> None:
    tempfile.tempdir = str(folder)
    environment = {"DB2TUNE_PASSWORD": password, "DB2TUNE_DEBUG": "0", "DB2TUNE_RUNS": str(folder / "runs")}
    ending.heed(lambda _: None)
    with _shortened(short):
        done = CliRunner(env=environment).invoke(main, arguments)
    ending.ignore_signals()
    told.send((done.exit_code, done.output, done.stderr))
    told.close()
    atexit._run_exitfuncs()  # a process of this kind would not do so
    os._exit(0)  # as the program does if the driver has not returned


@dataclass(frozen=True)
class Command:
    """A command: its arguments, the state before and after it, and the tried requests of a long command."""

    name: str
    arguments: Callable[[Path], tuple[str, ...]]
    state: Callable[[Server, Path], str]
    short: bool = True
    installed: bool = False
    most: int = 10_000  # schedules
    from_file: bool = False  # nightly.toml names the database

    def start(self, server: Server, folder: Path, limit_s: int) -> "Running":
        """Start the command in a process of its own; the driver may crash on a garbled answer."""
        if self.from_file:
            _listed(server, folder, limit_s)
            words = self.arguments(folder)
        else:
            limits = ("--statement-timeout", str(limit_s), "--connect-timeout", str(limit_s))
            name, *others = self.arguments(folder)
            words = (name, "--database", server.url, *others, *limits)
        return Running(server.password, folder, words, self.short)

    def run(self, server: Server, folder: Path, limit_s: int, most_s: float = 600) -> Done:
        return self.start(server, folder, limit_s).done(most_s)


class Running:
    """A running command."""

    def __init__(self, password: str, folder: Path, words: tuple[str, ...], short: bool) -> None:
        self._reading, writing = _APART.Pipe(False)
        self._process = _APART.Process(target=_client, args=(writing, password, folder, words, short))
        self._process.start()
        writing.close()

    def tell(self, number: int) -> None:
        """Send a signal to the command if it still runs."""
        if self._process.pid:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    def done(self, most_s: float) -> Done:
        self._process.join(most_s)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
            return Done(HANGS, "", "")
        with self._reading, suppress(EOFError):
            return Done(*self._reading.recv())
        return Done(self._process.exitcode or 0, "", "")


def _listed(server: Server, folder: Path, limit_s: int) -> None:
    """Write nightly.toml for one database; its store is new."""
    (folder / "new").mkdir(exist_ok=True)
    (folder / "new" / "secret").write_text(f"{server.password}\n", encoding="utf-8")
    (folder / "new" / "nightly.toml").write_text(
        f'[store]\npath = "store"\n[[database]]\nname = "DB"\nurl = "{server.url}"\npassword_file = "secret"\n'
        f"interval_s = 10\ntimeout_s = {max(limit_s, 10)}\nfail_on = ['any']\n",
        encoding="utf-8",
    )


def _captured(_: Server, folder: Path) -> str:
    """Return whether a capture exists; raise the program's error if it is incomplete."""
    if not (folder / "new").exists():
        return ""
    with opened_capture(folder / "new") as capture, open_tables() as tables:
        capture.load(tables)
    return "captured"


def _schema(server: Server, _: Path) -> str:
    """Return the objects of schema TUNE, and whether it has a snapshot."""
    assert server.standin is not None
    objects = server.standin.backend.database.registry.objects
    names = sorted(f"{key}" for key in objects if key.schema == "TUNE")
    if not any("'SNAPSHOT'" in name for name in names):
        return f"{len(names)} objects"
    with server.connect() as direct:
        snapshots = next(iter(direct.rows("SELECT COUNT(*) FROM TUNE.SNAPSHOT")))
    return f"{len(names)} objects, {snapshots} snapshots"


def _night(_: Server, folder: Path) -> str:
    """Return the runs of the store, each with its capture. Raise an error if one has none, or a lock is left."""
    store = folder / "new" / "store"
    if not (store / history.FILE).exists():
        return ""
    with FileLock(store / "DB" / "lock", timeout=0), history.open_history(store, create=False) as kept:
        runs = kept.runs("DB")
    for run in runs:
        with opened_capture(store / "DB" / f"{run.capture}"):
            pass
    return f"{len(runs)} runs" if runs else ""


def _document(server: Server, folder: Path) -> str:
    """Return the files of a selftest, and schema TUNE after it. Raise ValueError for half a document."""
    tested = "tested" if (folder / "new").exists() and json.loads((folder / "new").read_text(encoding="utf-8")) else ""
    return f"{tested} {_schema(server, folder)}"


def _nothing(_: Server, __: Path) -> str:
    return ""


COMMANDS = (
    Command("capture of few sources", lambda f: ("capture", "--interval", "0", "-o", str(f / "new")), _captured),
    Command("install of few objects", lambda _: ("install",), _schema),
    Command(
        "nightly", lambda f: ("nightly", "--config", str(f / "new" / "nightly.toml")), _night, from_file=True, most=48
    ),
    Command("advise --in-database", lambda _: ("advise", "--in-database"), _schema, False, True, most=12),
    Command("selftest", lambda f: ("selftest", "-o", str(f / "new")), _document, most=6),
    Command("advise", lambda _: ("advise", "--interval", "0", "--format", "json"), _nothing, most=36),
    Command("uninstall", lambda _: ("uninstall", "--yes"), _schema, installed=True, most=24),
    Command("capture", lambda f: ("capture", "--interval", "0", "-o", str(f / "new")), _captured, False, most=48),
    Command("install", lambda _: ("install",), _schema, False, most=18),
)
QUICK, PAGE = 2, 4  # tried by tests and by the page, out of all


class Behind:
    """The fake server behind a proxy; a new server if the last one was changed."""

    def __init__(self, command: Command, place: Path) -> None:
        self._command = command
        self._running = ExitStack()
        self._image: Image | None = None
        self._place = place
        self.renew()
        self.proxy = Proxy(self._standin().port)

    def renew(self) -> None:
        self._running.close()
        self.direct = self._running.enter_context(contextmanager(standin)(CAPTURES / "x445-8way"))
        if self._command.installed:
            database = self._standin().backend.database
            if self._image is None:
                assert self.direct.tune("install").exit_code == 0
                self._image = take(database, self._place / "tune.duckdb")
            else:
                put(database, self._image)
        if hasattr(self, "proxy"):
            self.proxy.port_behind = self._standin().port

    def through(self) -> Server:
        """Return the server's address through the proxy."""
        return Server(self.direct.url.replace(str(self._standin().port), str(self.proxy.port)), self.direct.password)

    def is_left(self) -> bool:
        """Return whether the server still has a connection."""
        return self._standin().server.busy

    def _standin(self) -> Served:
        assert self.direct.standin is not None
        return self.direct.standin

    def close(self) -> None:
        self.proxy.close()
        self._running.close()
