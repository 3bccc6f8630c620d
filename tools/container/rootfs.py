"""Root file system with only this process's Python and some installed packages.

An image needs a base, a base needs a registry, and a test machine may reach none. The base is therefore copied from
this machine: interpreter, standard library, packages, and the shared libraries that ldd finds for them.
"""

import importlib.metadata
import io
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PACKAGES = "/packages"
INTERPRETER = "/usr/bin/python"

SKIPPED = frozenset(
    {"__pycache__", "ensurepip", "idlelib", "lib2to3", "site-packages", "test", "tkinter", "turtledemo"}
)
"""Folders of the standard library that no server needs."""

SKIPPED_FILES = ("_tkinter.", "libpython")

ACCOUNTS = {
    "etc/passwd": b"root:x:0:0:root:/:/none\nnobody:x:65534:65534:nobody:/:/none\n",
    "etc/group": b"root:x:0:\nnobody:x:65534:\n",
}


def distributions(names: "Iterable[str]") -> list[importlib.metadata.Distribution]:
    """Return the installed distributions of those names and their requirements, in order of name."""
    from packaging.requirements import Requirement

    found: dict[str, importlib.metadata.Distribution] = {}
    wanted = list(names)
    while wanted:
        requirement = Requirement(wanted.pop())
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        found[name] = importlib.metadata.distribution(name)
        wanted += found[name].requires or []
    return [found[name] for name in sorted(found)]


def write_rootfs(path: Path, packages: "Iterable[importlib.metadata.Distribution]") -> None:
    """Write the tar file; ``INTERPRETER`` starts Python in it, ``PACKAGES`` is for PYTHONPATH."""
    files = dict(_python()) | dict(_packages(packages))
    own = set(files.values())
    files |= {str(library): library for library in _libraries(own) - own}
    with tarfile.open(path, "w", dereference=True) as archive:
        for name in sorted(files):
            archive.add(files[name], arcname=name.lstrip("/"), recursive=False, filter=readable)
        _add_furniture(archive)


def readable(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Make a member owned by root, and readable by any user that runs the server."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode |= 0o555 if entry.isdir() or entry.mode & 0o100 else 0o444
    return entry


def _python() -> "Iterator[tuple[str, Path]]":
    """Add interpreter and standard library at the same paths as here, so that one finds the other."""
    interpreter = os.path.realpath(sys.executable)
    yield interpreter, Path(interpreter)
    library = Path(sysconfig.get_path("stdlib"))
    for path in library.rglob("*"):
        parts = path.relative_to(library).parts
        if path.is_file() and not SKIPPED.intersection(parts) and not parts[-1].startswith(SKIPPED_FILES):
            yield str(path), path


def _packages(packages: "Iterable[importlib.metadata.Distribution]") -> "Iterator[tuple[str, Path]]":
    for package in packages:
        for file in package.files or []:
            path = Path(str(package.locate_file(file)))
            if ".." not in file.parts and "__pycache__" not in file.parts and path.is_file():
                yield f"{PACKAGES}/{file}", path


def _libraries(files: "Iterable[Path]") -> set[Path]:
    """Return the shared libraries, and their loader, of every program and extension module among the files."""
    programs = [os.path.realpath(sys.executable), *(str(file) for file in files if ".so" in file.suffixes)]
    listing = subprocess.run(["ldd", *programs], capture_output=True, text=True, check=False).stdout
    return {Path(os.path.normpath(name)) for name in re.findall(r"(?:^|=>)\s+(/\S+) \(0x", listing, re.MULTILINE)}


def _entry(name: str, mode: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.mode = mode
    return entry


def _add_furniture(archive: tarfile.TarFile) -> None:
    """Add the accounts, a folder for temporary files and a name for Python that programs expect."""
    for name, text in ACCOUNTS.items():
        entry = _entry(name, 0o644)
        entry.size = len(text)
        archive.addfile(entry, io.BytesIO(text))
    folder = _entry("tmp", 0o1777)
    folder.type = tarfile.DIRTYPE
    archive.addfile(folder)
    link = _entry(INTERPRETER.lstrip("/"), 0o777)
    link.type = tarfile.SYMTYPE
    link.linkname = os.path.realpath(sys.executable)
    archive.addfile(link)
