"""Guard that removes the container of a process that died: ``python -m tools.container.guard NAME``.

Its standard input is a pipe from that process. However the process ends (killed, interrupted inside C code,
os._exit of a test worker), the pipe closes, and the guard removes the container.
"""

import subprocess
import sys
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from tools.container.engine import client, remove
from tools.container.login import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docker import DockerClient

LINGER_S = 5
"""How long a container may still appear after its process died: the engine was creating it."""


@contextmanager
def guarded(engine: "DockerClient", name: str) -> "Iterator[None]":
    """Remove the container of that name at the end of the block, or if this process dies."""
    with subprocess.Popen(
        [sys.executable, "-m", "tools.container.guard", name],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        start_new_session=True,  # the guard ignores a Ctrl-C in the terminal
    ) as guard:
        try:
            yield
        finally:
            remove(engine, name)
            guard.terminate()


def _watch(name: str) -> None:
    sys.stdin.buffer.read()
    with closing(client()) as engine:
        end = time.monotonic() + LINGER_S
        while not remove(engine, name) and time.monotonic() < end:
            time.sleep(0.5)


if __name__ == "__main__":
    _watch(sys.argv[1])
