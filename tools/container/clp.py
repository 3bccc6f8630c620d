"""The Db2 command line processor for a server: in its container, or a program of this machine."""

import io
import os
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tools.container.kinds import USER

if TYPE_CHECKING:
    from docker.models.containers import Container

FOLDER = "/tmp/db2tune"
SUFFIXES = (".sql", ".sh")

# db2 finds its connection by the id of its parent process: the script calls it in one shell, never in a subshell.
# Exit status 1 means no rows, 2 a warning.
PRELUDE = """\
db2() {
    command db2 "$@" || [ $? -le 2 ] || exit 4
}
"""


class Clp(Protocol):
    def run(self, script: str, folder: Path, within_s: int) -> tuple[int, str]:
        """Run a shell script next to a copy of the folder's scripts; return exit status and output."""


@dataclass(frozen=True)
class LocalClp:
    """A program ``db2`` in ``programs``."""

    programs: Path

    def run(self, script: str, folder: Path, within_s: int) -> tuple[int, str]:
        done = subprocess.run(
            ["sh", "-c", PRELUDE + script],
            cwd=folder,
            env=os.environ | {"PATH": f"{self.programs}:{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=within_s,
            check=False,
        )
        return done.returncode, done.stdout


@dataclass(frozen=True)
class ContainerClp:
    """The processor of Db2's container, as the instance owner."""

    container: "Container"

    def run(self, script: str, folder: Path, within_s: int) -> tuple[int, str]:
        self.container.put_archive("/tmp", _pack_scripts(folder))
        words = ["timeout", str(within_s), "su", "-", USER, "-c", f"cd {FOLDER} || exit 4\n{PRELUDE}{script}"]
        status, output = self.container.exec_run(words)
        return status, output.decode(errors="replace")


def _pack_scripts(folder: Path) -> bytes:
    """Return a tar file of the folder's scripts, readable by every user."""
    packed = io.BytesIO()

    def chosen(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
        entry.mode = 0o755 if entry.isdir() else 0o644
        entry.uid = entry.gid = 0
        return entry if entry.isdir() or entry.name.endswith(SUFFIXES) else None

    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(folder, arcname=Path(FOLDER).name, filter=chosen)
    return packed.getvalue()
