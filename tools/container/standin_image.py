"""Build of the stand-in's image; needs an engine on Linux, but no registry."""

import fcntl
import hashlib
import platform
import sys
import tarfile
import tempfile
import tomllib
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from tools.container.errors import ContainerError, one_line
from tools.container.login import ROOT
from tools.container.rootfs import distributions, readable, write_rootfs

if TYPE_CHECKING:
    import importlib.metadata
    from collections.abc import Iterator

    from docker import DockerClient

IMAGE = "db2tune-standin"
BASE = "db2tune-python"
LABEL = "db2tune.standin"
DOCKERFILE = "tools/container/standin.Dockerfile"

CONTENTS = ("advisor", "sql", "procedures", "fixtures", "tests", "tools", "pyproject.toml")
TEST_PACKAGES = ("duckdb", "lark", "pyyaml", "sqlglot")
"""Packages that the stand-in needs in addition to the product's."""


def build_standin_image(engine: "DockerClient") -> str:
    """Build the image from this working tree and return its name; unchanged layers are reused."""
    import docker.errors

    if sys.platform != "linux" or engine.version()["Arch"] not in _architectures():
        raise ContainerError("the stand-in's image is cut out of this machine's own Python: it needs Linux")
    with _alone(), tempfile.TemporaryFile() as context:
        _write_context(context)
        try:
            base = _base(engine)
            engine.images.build(
                fileobj=context,
                custom_context=True,
                dockerfile=DOCKERFILE,
                buildargs={"BASE": base},
                tag=IMAGE,
                labels={LABEL: "1"},
                rm=True,
                forcerm=True,
            )
            engine.images.prune({"dangling": True, "label": LABEL})  # the tag's earlier image
        except docker.errors.DockerException as error:
            raise ContainerError(f"the stand-in's image cannot be built: {one_line(error)}") from None
    return f"{IMAGE}:latest"


def _architectures() -> set[str]:
    """Return this machine's architecture in the names of Docker and of the kernel."""
    machine = platform.machine()
    return {machine, {"x86_64": "amd64", "aarch64": "arm64"}.get(machine, machine)}


@contextmanager
def _alone() -> "Iterator[None]":
    """Allow one build at a time on this machine: test workers start together."""
    with (Path(tempfile.gettempdir()) / "db2tune-standin-image.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _base(engine: "DockerClient") -> str:
    """Return the image with Python and the packages; import it when they have changed and remove older ones."""
    product = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    packages = distributions([*product, *TEST_PACKAGES])
    name = f"{BASE}:{_fingerprint(packages)}"
    present = [tag for image in engine.images.list(BASE) for tag in image.tags]
    if name not in present:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rootfs.tar"
            write_rootfs(path, packages)
            repository, _, tag = name.partition(":")
            engine.api.import_image_from_file(str(path), repository=repository, tag=tag)
    for older in present:
        if older != name:
            engine.images.remove(older, force=True)
    return name


def _fingerprint(packages: "list[importlib.metadata.Distribution]") -> str:
    parts = [sys.version, sys.base_prefix, Path(__file__).with_name("rootfs.py").read_text()]
    parts += [f"{package.name} {package.version}" for package in packages]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _write_context(file: IO[bytes]) -> None:
    """Write the tar of the Dockerfile's files, without times, so that equal files make equal layers."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
        entry.mtime = 0
        return None if "__pycache__" in entry.name else readable(entry)

    with tarfile.open(fileobj=file, mode="w") as archive:
        for name in CONTENTS:
            archive.add(ROOT / name, arcname=name, filter=plain)
    file.seek(0)
