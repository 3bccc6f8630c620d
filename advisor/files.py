"""How a file comes to be: whole and for good, or not at all, whoever else writes meanwhile and whenever power fails.

A file is written beside its place, forced to disk, and put there in one step of the file system.
"""

import os
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from advisor.errors import UserError

PRIVATE = 0o600  # captures and summaries hold names, and texts of statements
_PREFIX, _BESIDE = "db2tune-", ".db2tune-"
_NEW, _LOCK = ".new", ".db2tune.lock"
_YOUNG_S = 60  # so old it is before it counts as left behind: it may be about to be locked, or put in its place


def replace(file: Path, text: str, private: bool = False) -> None:
    """Write a file anew. One that is there keeps its mode, a link stays one. Raises OSError, and then nothing changed."""
    place = file.resolve()
    # not what mkstemp makes: a new file has the mode that the user's umask says, unless it is private
    beside = place.with_name(f"{_BESIDE}{place.name}.{os.getpid()}{_NEW}")
    with suppress(FileNotFoundError):
        beside.unlink()  # of a process of this number that was killed
    tidy(place.parent)
    try:
        with beside.open("x", encoding="utf-8", errors="backslashreplace", newline="\n") as opened:
            if private or place.exists():
                beside.chmod(place.stat().st_mode & 0o7777 if place.exists() else PRIVATE)
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        beside.replace(place)
        _sync(place.parent)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def place(new: Path, target: Path) -> None:
    """Give a file or folder that is complete, on the same file system, its name. Raises UserError where that is taken."""
    for path in [*new.rglob("*"), new]:
        _sync(path)
    try:
        if new.is_dir() or os.name == "nt":
            new.rename(target)  # of a folder, and on Windows, it never replaces anything but an empty folder
        else:
            _link(new, target)
            with suppress(OSError):  # the other name goes with its folder
                new.unlink()
    except OSError as error:
        if target.exists():
            raise UserError(f"{target}: is there already; name another file or remove it") from None
        raise UserError(f"{target}: cannot be written ({error.strerror})") from error
    _sync(target.parent)


def _link(new: Path, target: Path) -> None:
    """A second name, which no other file can have; where the file system has no links, the name is taken first."""
    try:
        os.link(new, target)
    except FileExistsError:
        raise
    except OSError:
        target.open("xb").close()
        shutil.copy2(new, target)


def beside(target: Path) -> AbstractContextManager[Path]:
    """A private folder on the file system of the target, for as long as the context lasts."""
    target.parent.mkdir(parents=True, exist_ok=True)
    return _folder(_BESIDE, target.parent)


def tidy(folder: Path) -> None:
    """Take away what killed processes left where they wrote."""
    _sweep(_BESIDE, folder)


def temporary() -> AbstractContextManager[Path]:
    """A private temporary folder for as long as the context lasts."""
    return _folder(_PREFIX, Path(tempfile.gettempdir()))


@contextmanager
def _folder(prefix: str, parent: Path) -> Iterator[Path]:
    """A folder that is locked while it is used: those of killed processes are told by that, and go as well."""
    from filelock import FileLock

    _sweep(prefix, parent)
    folder = parent / f"{prefix}{secrets.token_hex(8)}"
    try:  # from before it is there until it is gone: a signal may come at any moment, of which only the first is heard
        folder.mkdir(mode=0o700)
        content = folder / "content"
        with FileLock(folder / _LOCK):
            content.mkdir(mode=0o700)
            try:
                yield content
            finally:
                shutil.rmtree(content, ignore_errors=True)
    finally:
        try:
            shutil.rmtree(folder, ignore_errors=True)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Whoever else asks for the same folder waits meanwhile; no file is left behind."""
    if os.name == "nt":
        yield  # has no lock of a folder
        return
    import fcntl

    opened = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # of a file system that has none
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _sweep(prefix: str, parent: Path) -> None:
    """Remove what killed processes of this user left, and nothing else that is called alike.

    Those are files that were to replace others, folders that are empty, and locked ones into which nobody else could put
    anything.
    """
    if os.name == "nt":
        return
    with suppress(OSError):  # who may write into a folder need not be allowed to list it
        for entry in os.scandir(parent):
            if entry.name.startswith(prefix):
                with suppress(OSError):  # gone meanwhile
                    _remove(Path(entry.path), entry.stat(follow_symlinks=False))


def _remove(left: Path, is_: os.stat_result) -> None:
    from filelock import FileLock, Timeout

    if is_.st_uid != os.getuid() or is_.st_mtime >= time.time() - _YOUNG_S:
        return
    if stat.S_ISREG(is_.st_mode) and left.name.startswith(_BESIDE) and left.suffix == _NEW:
        left.unlink()
    elif stat.S_ISDIR(is_.st_mode) and not is_.st_mode & 0o077:
        lock = left / _LOCK
        if not lock.exists():
            left.rmdir()  # of one that was killed before it had locked it; what holds anything stays
            return
        with suppress(Timeout), FileLock(lock, timeout=0):
            shutil.rmtree(left)


def _sync(path: Path) -> None:
    """Force a file, or the names in a folder, to disk, where the system can."""
    with suppress(OSError):  # not of folders on Windows
        opened = os.open(path, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
