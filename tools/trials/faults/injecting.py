"""Injection of failures into a process: one file-changing call fails, or kills the process.

Python raises an audit event before each call, so all libraries written in Python are covered. SQLite's own calls go
through a file system in Python. Only calls below one folder count.
"""

import errno
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

_CHANGING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# the paths among an event's arguments
_PATHS = {
    "open": 1, "os.mkdir": 1, "os.rmdir": 1, "os.remove": 1, "os.rename": 2, "os.link": 2, "os.chmod": 1, "os.fsync": 0,
}  # fmt: skip
_SQLITE = {"sqlite write", "sqlite sync", "sqlite truncate", "sqlite delete"}
_ALL = frozenset(_PATHS) | _SQLITE
_TAKES_ROOM = {"open", "os.mkdir", "os.link", "os.fsync", "sqlite write", "sqlite sync"}
_BETWEEN = {"os.rename", "os.link"}
_kept: list[apsw.VFS] = []  # file systems live as long as the process
READ_ONLY, ONCE = "then read-only", "input/output error"  # when removal fails too


@dataclass(frozen=True)
class Kind:
    """A possible failure: at one call or from one call on; at named calls or at all."""

    name: str
    number: int = 0  # errno; 0 kills
    lasts: bool = False
    calls: frozenset[str] = _ALL


KINDS = (
    Kind("killed"),
    Kind("disk full", errno.ENOSPC, True, frozenset(_TAKES_ROOM)),
    Kind(READ_ONLY, errno.EROFS, True, _ALL - {"sqlite sync"}),  # it still syncs what was written before
    Kind(ONCE, errno.EIO),
    Kind("another file system", errno.EXDEV, True, frozenset(_BETWEEN)),
)


def watch(folder: Path, seen: Callable[[str], None], reading: bool = False) -> None:
    """Report each call below a folder until the process ends, because an audit hook cannot be removed.

    With ``reading``, also report each file anywhere that is opened for reading.
    """
    below = f"{folder}{os.sep}"

    def concerns(event: str, arguments: tuple[Any, ...]) -> bool:
        if event == "open" and reading:
            return True
        if event == "open" and not (isinstance(arguments[2], int) and arguments[2] & _CHANGING):
            return False
        # a relative name belongs to an open folder, for example while a tree is removed
        named = [
            os.fsdecode(path) for path in arguments[: _PATHS[event]] if isinstance(path, str | bytes | os.PathLike)
        ]
        return any(path.startswith(below) or not path.startswith(os.sep) for path in named)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _PATHS and concerns(event, arguments):
            seen(event)

    def synced(opened: Any) -> None:
        seen("os.fsync")
        real(opened)

    real = os.fsync
    os.fsync = synced  # type: ignore[assignment]
    sys.addaudithook(hook)
    _kept.append(_WatchedSystem(below, seen))


class _WatchedSystem(apsw.VFS):
    """The file system of SQLite, which reports each change below a folder and fails as an operating system does."""

    def __init__(self, below: str, seen: Callable[[str], None]) -> None:
        self.base = apsw.vfs_names()[0]
        super().__init__("watched", self.base, makedefault=True)
        self._below, self._seen = below, seen

    def report(self, name: str, event: str) -> None:
        try:
            if name.startswith(self._below):
                self._seen(event)
        except OSError as error:
            kind = apsw.FullError if error.errno == errno.ENOSPC else apsw.IOError
            raise kind(os.strerror(error.errno or 0)) from None

    def xOpen(self, name: Any, flags: list[int]) -> "_WatchedFile":  # noqa: N802
        return _WatchedFile(self, name, flags)

    def xDelete(self, name: str, sync: bool) -> None:  # noqa: N802
        self.report(name, "sqlite delete")
        super().xDelete(name, sync)


class _WatchedFile(apsw.VFSFile):
    """An open file of SQLite."""

    def __init__(self, system: _WatchedSystem, name: Any, flags: list[int]) -> None:
        self._system, self._name = system, name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        super().__init__(system.base, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._system.report(self._name, "sqlite write")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._system.report(self._name, "sqlite sync")
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self._system.report(self._name, "sqlite truncate")
        super().xTruncate(size)


def failing(at: int, kind: Kind) -> Callable[[str], None]:
    """Return an observer that acts at the n-th call that this kind of fault concerns."""
    count = 0

    def seen(event: str) -> None:
        nonlocal count
        if event not in kind.calls:
            return
        count += 1
        if count == at or (kind.lasts and count > at):
            if kind.number == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(kind.number, os.strerror(kind.number))

    return seen
