"""Schedules of faults between the program and the database, and what did not survive them.

What must hold: an answer that does not come costs a bounded time; the exit status says whether the work is done, one line
why not; what is written, here and on the server, is whole or not there; no connection, thread or temporary file stays.
The commands are the real ones; ``short`` ones read few sources and install few objects, so that many can be tried.
"""

import atexit
import multiprocessing
import os
import random
import re
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection as PipeConnection
from pathlib import Path
from unittest.mock import patch

from advisor.capture.opening import opened as opened_capture
from advisor.catalogue.embedded import connect as embedded
from advisor.catalogue.sources import all_sources
from advisor.db2 import collector, connection
from advisor.errors import EXIT_FAULT
from advisor.install import installer
from tests.faults.proxy import COMMIT, DRIP, GARBLED, HALF, LOST, STALL, UNANSWERED, Proxy
from tests.standin.objects.image import Image, put, take
from tests.standin.serving import Served
from tests.support.paths import FIXTURES
from tests.wire.conftest import Server, standin

KINDS = (LOST, UNANSWERED, HALF, STALL, DRIP, GARBLED)
WAITING = (STALL, DRIP)  # which end by the limits of time
SLOW = (*WAITING, GARBLED)  # which may
SELDOM = 6
LIMIT_S, GRACE_S = 3, 1
NOT_KNOWN = "whether they are kept is not known"
MOST_S = 60  # that any of them may take, beyond five times what it takes without a fault; processors may be busy
SOURCES = ("system", "instance", "database", "member", "bufferpool", "tablespace", "dbcfg", "registry", "hostfact")
STATEMENTS = 40  # of an installation that is short


HANGS = -1000
_OF_DB2 = re.compile(r"db2tune: (?:SQL|CLI)\d{4,5}[A-Z]")  # garbled, an answer may be any message that Db2 has
CRASHES = {-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS}  # what IBM's driver does of some answers
_APART = multiprocessing.get_context("forkserver")
_APART.set_forkserver_preload(["ibm_db", "advisor.judge.run", "advisor.capture", "tests.faults.wire"])


@dataclass(frozen=True)
class Done:
    """How a process ended, and what it said."""

    exit_code: int
    output: str
    stderr: str


@contextmanager
def _shortened(short: bool) -> Iterator[None]:
    """A short grace, and few sources and statements."""
    few = {name: source for name, source in all_sources().items() if name in SOURCES}
    first = installer.install_statements
    with ExitStack() as stack:
        stack.enter_context(patch.object(connection, "GRACE_S", GRACE_S))
        if short:
            stack.enter_context(patch.object(collector, "all_sources", lambda: few))
            stack.enter_context(
                patch.object(installer, "install_statements", lambda *given: first(*given)[:STATEMENTS])
            )
        yield


def _client(told: PipeConnection, server: Server, folder: Path, arguments: tuple[str, ...], short: bool) -> None:
    tempfile.tempdir = str(folder)
    with _shortened(short):
        done = server.tune(*arguments)
    told.send((done.exit_code, done.output, done.stderr))
    told.close()
    atexit._run_exitfuncs()  # which a process of this kind would not do
    os._exit(0)  # as the program does where the driver has not come back


@dataclass(frozen=True)
class Command:
    """One command: its arguments, what is there before and after it, and which requests are tried of a long one."""

    name: str
    arguments: Callable[[Path], tuple[str, ...]]
    state: Callable[[Server, Path], str]
    short: bool = True
    installed: bool = False
    most: int = 10_000  # schedules

    def run(self, server: Server, folder: Path, limit_s: int, most_s: float = 600) -> Done:
        """Run it in a process of its own; the driver may crash where the answer is garbled."""
        limits = ("--statement-timeout", str(limit_s), "--connect-timeout", str(limit_s))
        reading, writing = _APART.Pipe(False)
        plain = Server(server.url, server.password)
        process = _APART.Process(
            target=_client, args=(writing, plain, folder, (*self.arguments(folder), *limits), self.short)
        )
        process.start()
        writing.close()
        process.join(most_s)
        if process.is_alive():
            process.kill()
            process.join()
            return Done(HANGS, "", "")
        with reading, suppress(EOFError):
            return Done(*reading.recv())
        return Done(process.exitcode or 0, "", "")


def _captured(_: Server, folder: Path) -> str:
    """Whether there is a capture; raises what the program raises of half of one."""
    if not (folder / "new").exists():
        return ""
    with opened_capture(folder / "new") as capture, embedded() as tables:
        capture.load(tables)
    return "captured"


def _schema(server: Server, _: Path) -> str:
    """What schema TUNE has, and whether it has a snapshot."""
    assert server.standin is not None
    objects = server.standin.backend.database.registry.objects
    names = sorted(f"{key}" for key in objects if key.schema == "TUNE")
    if not any("'SNAPSHOT'" in name for name in names):
        return f"{len(names)} objects"
    with server.connect() as direct:
        snapshots = next(iter(direct.rows("SELECT COUNT(*) FROM TUNE.SNAPSHOT")))
    return f"{len(names)} objects, {snapshots} snapshots"


def _nothing(_: Server, __: Path) -> str:
    return ""


COMMANDS = (
    Command("capture of few sources", lambda f: ("capture", "--interval", "0", "-o", str(f / "new")), _captured),
    Command("install of few objects", lambda _: ("install",), _schema),
    Command("advise", lambda _: ("advise", "--interval", "0", "--format", "json"), _nothing, most=36),
    Command("uninstall", lambda _: ("uninstall", "--yes"), _schema, installed=True, most=24),
    Command("capture", lambda f: ("capture", "--interval", "0", "-o", str(f / "new")), _captured, False, most=48),
    Command("install", lambda _: ("install",), _schema, False, most=18),
    Command("advise --in-database", lambda _: ("advise", "--in-database"), _schema, False, True, most=12),
)
QUICK = 2  # of them


@dataclass(frozen=True)
class Tried:
    """A fault at a request of a command, and what did not survive; None where all did."""

    command: str
    kind: str
    at: int
    why: str | None

    def __str__(self) -> str:
        return f"{self.command}: {self.kind}, request {self.at}: {self.why}"


class Behind:
    """The stand-in behind a proxy; made anew where the one before it was changed."""

    def __init__(self, command: Command, place: Path) -> None:
        self._command = command
        self._running = ExitStack()
        self._image: Image | None = None
        self._place = place
        self.renew()
        self.proxy = Proxy(self._standin().port)

    def renew(self) -> None:
        self._running.close()
        self.direct = self._running.enter_context(contextmanager(standin)(FIXTURES / "x445-8way"))
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
        """The server as it is reached by the proxy."""
        return Server(self.direct.url.replace(str(self._standin().port), str(self.proxy.port)), self.direct.password)

    def is_left(self) -> bool:
        """Whether the server still has a connection."""
        return self._standin().server.busy

    def _standin(self) -> Served:
        assert self.direct.standin is not None
        return self.direct.standin

    def close(self) -> None:
        self.proxy.close()
        self._running.close()


def tried(commands: tuple[Command, ...], seed: int, most: int | None = None) -> Iterator[Tried]:
    """The schedules of some commands: all of them, or so many of each, COMMIT and the first and last requests among them."""
    for command in commands:
        with tempfile.TemporaryDirectory() as place:
            behind = Behind(command, Path(place))
            try:
                yield from _of(command, behind, Path(place), random.Random(seed), most)
            finally:
                behind.close()


def _of(command: Command, behind: Behind, place: Path, chance: random.Random, most: int | None) -> Iterator[Tried]:
    old = command.state(behind.direct, place)
    begun = time.monotonic()
    done = command.run(behind.through(), place, 600)
    took_s = time.monotonic() - begun
    new = command.state(behind.direct, place)
    assert done.exit_code in {0, 1}, done
    assert behind.proxy.end()
    for number, (kind, at) in enumerate(
        _schedules(behind.proxy.asked, chance, min(most or command.most, command.most))
    ):
        folder = place / str(number)
        folder.mkdir()
        if command.state(behind.direct, folder) != old:
            behind.renew()
        yield Tried(command.name, kind, at, _wrong(command, behind, folder, (kind, at), took_s, (old, new)))
    (place / "last").mkdir()
    if command.state(behind.direct, place / "last") != old:
        behind.renew()
    last = command.run(behind.direct, place / "last", 600)
    right = last.exit_code in {0, 1} and command.state(behind.direct, place / "last") == new
    yield Tried(command.name, "none any more", 0, None if right else last.output)


def _schedules(asked: list[int], chance: random.Random, most: int) -> list[tuple[str, int]]:
    """Kinds of fault at requests: at COMMIT and the first and last ones first; few of those that wait for their limit."""
    special = sorted({1, 2, len(asked), *(at for at, code in enumerate(asked, 1) if code == COMMIT)}, reverse=True)
    first = [(kind, at) for at in special for kind in KINDS]
    others = [(kind, at) for kind in KINDS for at in range(1, len(asked) + 1) if at not in special]
    chance.shuffle(others)
    waiting = [each for each in others if each[0] in WAITING][:SELDOM]
    others = waiting + [each for each in others if each[0] not in WAITING]
    chance.shuffle(others)
    if most >= len(first):
        return [*first, *others[: most - len(first)]]
    soon = [each for each in first if each[0] not in WAITING]
    return chance.sample(soon, min(most, len(soon)))


def _wrong(
    command: Command, behind: Behind, folder: Path, fault: tuple[str, int], took_s: float, states: tuple[str, str]
) -> str | None:
    """What did not survive, None where all did."""
    behind.proxy.fault(*fault, seed=int(folder.name))
    begun = time.monotonic()
    done = command.run(behind.through(), folder, LIMIT_S if fault[0] in SLOW else 600, 5 * took_s + MOST_S)
    elapsed_s = time.monotonic() - begun
    if not (behind.proxy.end() and _soon(lambda: not behind.is_left())):
        return "a connection is left"
    try:
        there = command.state(behind.direct, folder)
    except Exception as error:
        return f"half of it is there: {error}"
    if done.exit_code in CRASHES and fault[0] == GARBLED:
        return None if there == states[0] else f"the driver crashes, and there is {there!r}"
    left = sorted(path.name for path in folder.iterdir() if path.name != "new")
    if left:
        return f"left behind: {left}"
    if done.exit_code == HANGS:
        return f"still there after {elapsed_s:.0f} s; without a fault it takes {took_s:.0f}"
    return _said_wrongly(done, fault[0], there, *states)


def _said_wrongly(done: Done, kind: str, there: str, old: str, new: str) -> str | None:
    said = done.stderr.strip().splitlines()
    if done.exit_code in {0, 1}:
        return None if there == new else f"status {done.exit_code}, but there is {there!r}"
    lines = [line for line in said if line.startswith("db2tune: ")]
    of_db2 = done.exit_code == EXIT_FAULT and kind == GARBLED and _OF_DB2.match(done.stderr)
    if (done.exit_code not in {2, 3} and not of_db2) or len(lines) != 1 or "Traceback" in done.output:
        return f"status {done.exit_code}: {done.output.strip()[-300:]}"
    if there == old or (there == new and NOT_KNOWN in lines[0]):
        return None
    return f"there is {there!r}, and it says: {lines[0]}"


def _soon(holds: Callable[[], bool]) -> bool:
    """Whether something comes to hold within the time that a driver may take to see that its connection is gone."""
    end = time.monotonic() + 2 * (LIMIT_S + 2 * GRACE_S) + 10
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
