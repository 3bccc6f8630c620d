"""The Docker engine: whether a container can run here, and the left-overs of killed runs."""

import os
import socket
from contextlib import closing
from typing import TYPE_CHECKING

from tools.container.errors import ContainerError, ImageAbsentError, one_line
from tools.container.kinds import Kind

if TYPE_CHECKING:
    from docker import DockerClient

TEST_LABEL = "db2tune.test"
OWNER_LABEL = "db2tune.owner"

PULL_VARIABLE = "DB2TUNE_DB2_PULL"


def client() -> "DockerClient":
    """Return a client of this machine's engine (or of DOCKER_HOST's), or raise ContainerError with one line."""
    try:
        import docker
        import docker.errors
    except ImportError:
        raise ContainerError("the Python package docker is not installed (pip install docker)") from None
    try:
        return docker.from_env()
    except docker.errors.DockerException as error:
        raise ContainerError(f"no Docker engine answers: {one_line(error)}") from None


def why_not(kind: Kind) -> str | None:
    """Return the one line why a container of this kind cannot run here, or None."""
    try:
        with closing(client()) as engine:
            find_image(engine, kind)
    except ContainerError as error:
        return str(error)
    return None


def find_image(engine: "DockerClient", kind: Kind) -> str:
    """Return the name of an image on the engine: pulled only if DB2TUNE_DB2_PULL is set, built if it is ours."""
    import docker.errors

    if kind.image is None:
        from tools.container.standin_image import build_standin_image

        return build_standin_image(engine)
    try:
        engine.images.get(kind.image)
    except docker.errors.ImageNotFound:
        if not os.environ.get(PULL_VARIABLE):
            reason = f"the image {kind.image} is not on this engine ({PULL_VARIABLE}=1 pulls it)"
            raise ImageAbsentError(reason) from None
        _pull(engine, kind.image)
    return kind.image


def _pull(engine: "DockerClient", image: str) -> None:
    import docker.errors

    try:
        engine.images.pull(image)
    except docker.errors.APIError as error:
        raise ImageAbsentError(f"the image {image} cannot be pulled: {one_line(error)}") from None


def labels() -> dict[str, str]:
    """Return the labels that mark a test's container as ours, with its owner."""
    return {TEST_LABEL: "1", OWNER_LABEL: f"{socket.gethostname()}:{os.getpid()}"}


def reap(engine: "DockerClient") -> list[str]:
    """Remove test containers whose process on this host is gone, and return their names.

    Those of other hosts and of running processes stay: several test runs may share an engine.
    """
    removed = []
    for container in engine.containers.list(all=True, filters={"label": f"{TEST_LABEL}=1"}, ignore_removed=True):
        host, _, process = container.labels.get(OWNER_LABEL, "").rpartition(":")
        if host == socket.gethostname() and not _runs(int(process)):
            remove(engine, container.name)
            removed.append(container.name)
    return removed


def remove(engine: "DockerClient", name: str) -> bool:
    """Remove a container and its anonymous volumes, running or not. Return False if no container has that name."""
    import docker.errors

    try:
        engine.containers.get(name).remove(force=True, v=True)
    except docker.errors.NotFound:
        return False
    except docker.errors.APIError as error:
        if error.status_code != 409:  # its removal has already begun
            raise
    return True


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
