"""The developer's one container: ``make db2-up`` and ``make db2-down``."""

import os
from contextlib import closing
from typing import TYPE_CHECKING

from tools.container.engine import client, remove
from tools.container.errors import ContainerError
from tools.container.harness import login_to, new_password, start, wait
from tools.container.kinds import STANDIN, Kind, db2
from tools.container.login import ROOT, Login

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

NAME = "db2tune-dev"
KIND_LABEL = "db2tune.kind"
PASSWORD_FILE = ROOT / "build" / f"{NAME}.password"


def up(kind: Kind) -> Login:
    """Start the container, or find it started, and wait for a CONNECT. Raise ContainerError on failure."""
    with closing(client()) as engine:
        container = _present(engine)
        if container is None:
            return _create(engine, kind)
        if container.labels[KIND_LABEL] != kind.name:
            raise ContainerError(f"{NAME} is up already, as the {container.labels[KIND_LABEL]}: take it down first")
        if container.status != "running":
            container.start()
        login = login_to(container, kind, _password())
        wait(container, kind, login, kind.start_s)
        return login


def down() -> bool:
    """Remove the container with its data, and the password. Return False if none existed."""
    PASSWORD_FILE.unlink(missing_ok=True)
    with closing(client()) as engine:
        return remove(engine, NAME)


def status() -> tuple[str, Login | None]:
    """Return the state of the container, and how to connect if it runs."""
    with closing(client()) as engine:
        container = _present(engine)
        if container is None:
            return "not there", None
        if container.status != "running":
            return container.status, None
        kind = next(kind for kind in (db2(), STANDIN) if kind.name == container.labels[KIND_LABEL])
        return f"running, the {kind.name}", login_to(container, kind, _password())


def _present(engine: "DockerClient") -> "Container | None":
    import docker.errors

    try:
        return engine.containers.get(NAME)
    except docker.errors.NotFound:
        return None


def _create(engine: "DockerClient", kind: Kind) -> Login:
    password = new_password()
    try:
        container = start(engine, kind, NAME, password, {KIND_LABEL: kind.name})
        _keep(password)
        login = login_to(container, kind, password)
        wait(container, kind, login, kind.start_s)
    except BaseException:  # also on Ctrl-C: a container that never worked is removed
        PASSWORD_FILE.unlink(missing_ok=True)
        remove(engine, NAME)
        raise
    return login


def _keep(password: str) -> None:
    """Write the file, readable only by its owner."""
    PASSWORD_FILE.parent.mkdir(exist_ok=True)
    PASSWORD_FILE.unlink(missing_ok=True)
    descriptor = os.open(PASSWORD_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(password)


def _password() -> str:
    try:
        return PASSWORD_FILE.read_text()
    except FileNotFoundError:
        raise ContainerError(f"{PASSWORD_FILE} is gone: take {NAME} down, then up again") from None
