"""Time limits hold: for bytes that arrive slowly, and for a library that ignores Ctrl-C."""

import gc
import logging
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

import pytest

from advisor.db2 import connection as connecting
from advisor.db2.failures import Db2Failure
from advisor.errors import EXIT_NO_CONNECTION
from advisor.patience import Apart, OverdueError, run_within
from tests.db2.test_connection import DROPPED, FakeDriver, Script, live, opened
from tests.standin.drda import Server


def test_what_is_done_apart_comes_back_as_it_is() -> None:
    apart = Apart()
    assert [apart.do(5, divmod, 7, 2), apart.do(5, threading.current_thread)] == [(3, 1), apart._thread]
    with pytest.raises(ZeroDivisionError):
        apart.do(5, divmod, 7, 0)
    assert (apart.do(5, str), apart.lost) == ("", False)
    apart.end()


def test_slow_work_is_abandoned_and_nothing_follows() -> None:
    apart, go_on, done = Apart(), threading.Event(), list[int]()
    with pytest.raises(OverdueError):
        apart.do(0.05, go_on.wait, 20)
    begun = time.monotonic()
    with pytest.raises(OverdueError):
        apart.do(20, done.append, 1)
    assert (time.monotonic() - begun < 1, done, apart.lost) == (True, [], True)
    apart.end()
    go_on.set()
    apart._thread.join(5)
    assert not apart._thread.is_alive()


def test_release_during_work_does_not_wait() -> None:
    """Python frees a cycle of objects in the thread that creates the next one."""
    apart, freed = Apart(), list[str]()

    class Circle:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            freed.append(apart.do(1, str, "freed"))

    Circle()
    apart.do(20, gc.collect)
    assert freed == ["freed"]
    apart.end()


def test_a_thread_for_one_thing_ends_with_it() -> None:
    before = set(threading.enumerate())
    assert run_within(5, lambda: 7) == 7
    deadline = time.monotonic() + 5
    while set(threading.enumerate()) - before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not set(threading.enumerate()) - before


def test_a_connection_that_fails_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    with pytest.raises(Db2Failure), opened(FakeDriver(connect=[DROPPED, DROPPED])):
        pass
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
        assert not thread.is_alive()


class Dripping:
    """A server in front of another one: once it ``drips``, the bytes of an answer come slowly, one by one."""

    def __init__(self, port: int) -> None:
        self.drips = threading.Event()
        self._port = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                near = self._listening.accept()[0]
                far = socket.create_connection(("127.0.0.1", self._port))
                for source, target, send in ((near, far, far.sendall), (far, near, self._drip(near))):
                    threading.Thread(target=self._forward, args=(source, target, send), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket, send: Callable[[bytes], None]) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                send(data)
            target.shutdown(socket.SHUT_WR)

    def _drip(self, target: socket.socket) -> Callable[[bytes], None]:
        def send(data: bytes) -> None:
            for byte in data:
                target.sendall(bytes([byte]))
                if self.drips.is_set():
                    time.sleep(0.1)

        return send


@pytest.fixture
def dripping() -> Iterator[Dripping]:
    pytest.importorskip("ibm_db")
    logging.getLogger("standin").setLevel(logging.CRITICAL)
    with Server(Script()) as server, closing(Dripping(server.port)) as between:
        yield between


@pytest.mark.parametrize("what", ["execute", "commit", "rows"])
def test_an_answer_that_drips(monkeypatch: pytest.MonkeyPatch, dripping: Dripping, what: str) -> None:
    """Each byte is in time for the driver, and the last one never comes."""
    with live(f"db2://bob@127.0.0.1:{dripping.port}/SAMPLE", timeout_s=1) as connection:
        connection.execute("UPDATE A")
        monkeypatch.setattr(connecting, "GRACE_S", 1)
        dripping.drips.set()
        begun = time.monotonic()
        with pytest.raises(Db2Failure) as failed:
            {
                "execute": lambda: connection.execute("UPDATE B"),
                "commit": connection.commit,
                "rows": lambda: list(connection.rows("SELECT 1")),
            }[what]()
        took_s = time.monotonic() - begun
    assert (failed.value.exit_status, failed.value.dropped) == (EXIT_NO_CONNECTION, True)
    assert "the server answers too slowly" in str(failed.value)
    assert ("it is unknown whether the changes were committed" in str(failed.value)) == (what == "commit")
    assert took_s < 6
    assert time.monotonic() - begun < 8, "closing a connection that is stuck waits for it"


def test_an_interrupt_is_heard_while_the_driver_waits(dripping: Dripping) -> None:
    """On Ctrl-C the process ends, whatever the driver is waiting for."""
    url = f"db2://bob@127.0.0.1:{dripping.port}/SAMPLE"
    waiting = f"""
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background was started without one
from advisor.cli import main
from tests.db2.test_connection import live
@main.main.command("wait")
def wait():
    with live({url!r}, timeout_s=60) as connection:
        connection.execute("UPDATE A")
        print("waiting", flush=True)
        list(connection.rows("SELECT SLOWLY"))
main.program()
"""
    with subprocess.Popen([sys.executable, "-c", waiting, "wait"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        time.sleep(1)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130  # as a shell encodes a signal
        assert time.monotonic() - begun < 5
