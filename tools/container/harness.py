"""One container with a database server, from start to removal."""

import secrets
import time
from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from tools.container.engine import client, find_image, labels, reap, remove
from tools.container.errors import ContainerError, ImageAbsentError, one_line
from tools.container.guard import guarded
from tools.container.kinds import PORT, USER, Kind
from tools.container.login import Login, refusal

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

LOG_LINES = 20
PROBE_S = 15
PAUSE_S = 0.5
STARTING = "its health check says starting"
PREPARE_S = 600


def new_password() -> str:
    return secrets.token_hex(16)


def start(
    engine: "DockerClient",
    kind: Kind,
    name: str,
    password: str,
    marks: dict[str, str],
    command: list[str] | None = None,
) -> "Container":
    """Create and start a container; its port is published on a free port of 127.0.0.1."""
    import docker.errors

    try:
        return engine.containers.run(
            find_image(engine, kind),
            command,
            name=name,
            detach=True,
            labels=marks,
            environment=kind.environment | {kind.password_variable: password},
            cap_add=list(kind.capabilities),
            privileged=kind.privileged,
            ports={f"{PORT}/tcp": ("127.0.0.1", None)},
        )
    except docker.errors.APIError as error:
        raise ContainerError(f"the container cannot be started: {one_line(error)}") from None


def login_to(container: "Container", kind: Kind, password: str) -> Login:
    """Return how to connect to a started container, or raise ContainerError if it has ended."""
    container.reload()
    published = container.ports.get(f"{PORT}/tcp")
    if not published:
        trouble = _trouble(container) or "publishes no port"
        raise _failure(container, password, f"the {kind.name} container {trouble}")
    return Login("127.0.0.1", int(published[0]["HostPort"]), kind.database, USER, password)


def wait(container: "Container", kind: Kind, login: Login, within_s: float) -> Counter[str]:
    """Wait for a CONNECT, after the log's last line and the creation of the database; return the earlier refusals.

    Raise ContainerError with the end of the log.
    """
    refusals: Counter[str] = Counter()
    end = time.monotonic() + within_s
    awaited = kind.ready.encode()
    while True:
        container.reload()
        if trouble := _trouble(container):
            raise _failure(container, login.password, f"the {kind.name} container {trouble}")
        left_s = end - time.monotonic()
        if awaited and awaited in container.logs():
            awaited = b""
            _prepare(container, kind, login.password)
        if awaited:
            reason: str | None = f"its log lacks {kind.ready!r}"
        else:
            reason = STARTING if _health(container) == "starting" else refusal(login, max(1, min(PROBE_S, left_s)))
        if not reason:
            return refusals
        refusals[reason] += 1
        if left_s <= 0:
            seen = "; ".join(f"{count} x {text}" for text, count in refusals.most_common())
            raise _failure(container, login.password, f"no CONNECT to the {kind.name} within {within_s:.0f} s: {seen}")
        time.sleep(PAUSE_S)


def _prepare(container: "Container", kind: Kind, password: str) -> None:
    """Run the script that creates the database, or raise ContainerError with its output."""
    if kind.prepare:
        status, output = container.exec_run(["timeout", str(PREPARE_S), "su", "-", USER, "-c", kind.prepare])
        if status:
            text = output.decode(errors="replace").strip()
            raise _failure(container, password, f"the database cannot be created: {' '.join(text.split())}")


def _health(container: "Container") -> str | None:
    """Return the state of the image's health check: starting, healthy, unhealthy; None without a check."""
    found: str | None = container.attrs["State"].get("Health", {}).get("Status")
    return found


def _trouble(container: "Container") -> str | None:
    if container.status != "running":
        return f"ended with status {container.attrs['State']['ExitCode']}"
    return "is unhealthy" if _health(container) == "unhealthy" else None


def _failure(container: "Container", password: str, reason: str) -> ContainerError:
    log = container.logs(tail=LOG_LINES).decode(errors="replace").strip()
    return ContainerError("\n".join([reason, *log.splitlines()]).replace(password, "********"))


class Db2Container:
    """A server in its own container, for the length of a ``with``.

    Entering returns when a CONNECT succeeds, or raises ContainerError: first line the reason, then the end of
    the log, without the password. The password is random for each container and passed only by environment.
    However the block or the process ends, the container is removed. If the image's capabilities are not enough, a
    second container is --privileged.
    """

    container: "Container"

    login: Login
    refusals: Counter[str]

    def __init__(self, kind: Kind, *, command: list[str] | None = None, start_s: float | None = None) -> None:
        self.kind = kind
        self.command = command
        self.start_s = kind.start_s if start_s is None else start_s
        self.name = f"db2tune-test-{secrets.token_hex(6)}"
        self._resources = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            engine = stack.enter_context(closing(client()))
            reap(engine)
            stack.enter_context(guarded(engine, self.name))
            try:
                self._start(engine)
            except ContainerError as error:
                if not self.kind.capabilities or isinstance(error, ImageAbsentError):
                    raise
                remove(engine, self.name)
                self.kind = replace(self.kind, capabilities=(), privileged=True)
                self._start(engine)
            self._resources = stack.pop_all()
        return self

    def _start(self, engine: "DockerClient") -> None:
        password = new_password()
        self.container = start(engine, self.kind, self.name, password, labels(), self.command)
        self.login = login_to(self.container, self.kind, password)
        self.refusals = wait(self.container, self.kind, self.login, self.start_s)

    def __exit__(self, *_: object) -> None:
        self._resources.close()
