"""Wheel and source archive of a checkout, and the proof that the archive gives the same bytes elsewhere."""

import hashlib
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.release.environment import run

SCRIPTS = {
    "tune-install.sql": ("install", "--script"),
    "tune-check.sql": ("install", "--check", "--script"),
    "tune-uninstall.sql": ("uninstall", "--script"),
    "tune-collect.sql": ("capture", "--script"),
}
SUMS = "SHA256SUMS"


def build(checkout: Path, target: Path) -> list[Path]:
    """Build wheel and source archive of a checkout with the hatchling of this environment."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", target, checkout)
    return sorted([*target.glob("*.whl"), *target.glob("*.tar.gz")])


def scripts(target: Path) -> list[Path]:
    """Write the scripts for users who have only Db2's command line processor."""
    for name, words in SCRIPTS.items():
        (target / name).write_text(run(Path(sys.executable).with_name("db2tune"), *words), encoding="utf-8")
    return [target / name for name in SCRIPTS]


def sums(files: list[Path]) -> str:
    """Return the files and sums in the format of ``sha256sum --check``."""
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(files))


def built_elsewhere(archive: Path) -> str:
    """Return the sums of a build from the source archive: elsewhere, with another time zone, file times and umask."""
    with TemporaryDirectory() as folder:
        target = Path(folder, "dist")
        with tarfile.open(archive) as packed:
            packed.extractall(Path(folder, "a place"), filter="data")
        (checkout,) = Path(folder, "a place").iterdir()
        run("find", checkout, "-type", "f", "-exec", "touch", "-d", "2001-02-03 04:05:06", "{}", "+")
        command = f'umask 077; exec "{sys.executable}" -m build --no-isolation --outdir "$1" "$2"'
        also = {"TZ": "Asia/Kolkata", "LC_ALL": "C", "PYTHONHASHSEED": "1"}
        run("sh", "-c", command, "sh", target, checkout, also=also)
        return sums([*target.glob("*.whl"), *target.glob("*.tar.gz")])
