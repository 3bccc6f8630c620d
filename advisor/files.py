"""Atomic, durable file writes that no other user can divert.

A file is written under another name in its folder, forced to disk, and renamed in one step of the file system. The way to
that folder is walked component by component, and each one stays open: another user cannot exchange it meanwhile.
"""

import errno
import os
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import count
from pathlib import Path

from advisor.errors import UserError

PRIVATE = 0o600  # captures and summaries hold names, and texts of statements
PRIVATE_FOLDER = 0o700
_MOST_LINKS = 40  # as in the Linux kernel
_ENTER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_PREFIX, _BESIDE = "db2tune-", ".db2tune-"
_NEW, _LOCK = ".new", ".db2tune.lock"
_YOUNG_S = 60  # so old it is before it counts as left behind: it may be about to be locked, or put in its place


def replace(file: Path, text: str, mode: int | None = None) -> None:
    """Write a file, and replace an older one in one step; a symbolic link to it stays.

    Without a ``mode``, an older file keeps its own and a new one gets that of the umask. Raises OSError or UserError,
    and then nothing has changed.
    """
    with _located(file) as (path, at):
        name = path.name if at is not None else str(path)
        fresh = f"{_BESIDE}{secrets.token_hex(8)}{_NEW}"
        fresh = fresh if at is not None else str(path.with_name(fresh))
        older = _state(name, at)
        if mode is None and older:
            mode = older.st_mode & 0o777
        tidy(path.parent)
        try:
            opened = os.open(fresh, _FRESH, 0o666 if mode is None else PRIVATE, dir_fd=at)
            with os.fdopen(opened, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as content:
                if mode not in {None, PRIVATE}:
                    os.chmod(fresh, mode, dir_fd=at)
                content.write(text)
                content.flush()
                os.fsync(content.fileno())
            os.replace(fresh, name, src_dir_fd=at, dst_dir_fd=at)
            _sync(path.parent)
        except BaseException:
            with suppress(OSError):
                os.unlink(fresh, dir_fd=at)
            raise


def place(new: Path, target: Path) -> None:
    """Give a complete file or folder its name on the same file system. Raises UserError if that name exists."""
    for path in [*new.rglob("*"), new]:
        _sync(path)
    try:
        with _entered(target.parent) as (parent, at):
            named = target.name if at is not None else str(parent / target.name)
            if new.is_dir() or os.name == "nt":
                # a folder, and any file on Windows, can replace an empty folder only
                os.rename(new, named, dst_dir_fd=at)
            else:
                _link(new, named, at)
                with suppress(OSError):  # the other name goes with its folder
                    new.unlink()
    except OSError as error:
        if target.exists():
            raise UserError(f"{target}: is there already; name another file or remove it") from None
        raise UserError(f"{target}: cannot be written ({error.strerror})") from error
    _sync(target.parent)


def _link(new: Path, name: str, at: int | None) -> None:
    """Give a file a second name that is still free; copy it if the file system has no links."""
    try:
        os.link(new, name, dst_dir_fd=at)
    except FileExistsError:
        raise
    except OSError:
        with new.open("rb") as source, os.fdopen(os.open(name, _FRESH, PRIVATE, dir_fd=at), "wb") as copy:
            shutil.copyfileobj(source, copy)


def folder(path: Path, mode: int = PRIVATE_FOLDER) -> Path:
    """Create a folder and those above it that are missing; return its path without symbolic links."""
    with _entered(path, mode) as (real, _):
        return real


def located(file: Path) -> Path:
    """Return the path of a file without symbolic links. Raises UserError if another user could divert it."""
    with _located(file) as (path, _):
        return path


def beside(target: Path) -> AbstractContextManager[Path]:
    """Make a private folder on the file system of the target for as long as the context lasts."""
    return _folder(_BESIDE, folder(target.parent))


@contextmanager
def private() -> Iterator[None]:
    """Let this process create files for their owner alone. Libraries choose no mode for their files."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def _located(file: Path) -> Iterator[tuple[Path, int | None]]:
    """Yield the path of a file without symbolic links, and its folder, which stays open."""
    for links in count():
        _check_links(links, file)
        with _entered(file.parent) as (parent, at):
            path = parent / file.name
            if at is None:
                yield path.resolve(), None
                return
            state = _state(file.name, at)
            if state is None or not stat.S_ISLNK(state.st_mode):
                if state and os.fstat(at).st_mode & stat.S_ISVTX and not _trusted(state):
                    raise UserError(f"{path}: belongs to another user in a shared folder; choose another name")
                yield path, at
                return
            file = parent / _target(path, state, at)


@contextmanager
def _entered(folder: Path, make: int | None = None) -> Iterator[tuple[Path, int | None]]:
    """Yield the path of a folder without symbolic links, and the folder opened; ``make`` is the mode of missing ones.

    Windows opens no folders. Raises UserError if another user could lead the way elsewhere, and OSError.
    """
    if os.name == "nt":
        if make is not None:
            folder.mkdir(parents=True, exist_ok=True)
        yield folder.resolve(), None
        return
    real, at = _walk(folder, make)
    try:
        yield real, at
    finally:
        os.close(at)


def _walk(folder: Path, make: int | None) -> tuple[Path, int]:
    """Follow a path from the root, component by component; return it without symbolic links, and the folder opened."""
    here, names, links = Path("/"), [*reversed(folder.absolute().parts[1:])], 0
    at = os.open(here, _ENTER)
    try:
        while names:
            name = names.pop()
            state = _state(name, at)
            if state and stat.S_ISLNK(state.st_mode):
                links += 1
                _check_links(links, folder)
                target = _target(here / name, state, at)
                if target.is_absolute():
                    here, at = Path("/"), _next("/", at)
                names += reversed(target.parts[target.is_absolute() :])
                continue
            here = here.parent if name == ".." else here / name
            if state is None and make is not None:
                with suppress(FileExistsError):
                    os.mkdir(name, make, dir_fd=at)
            at = _next(name, at)
            _check_folder(here, at)
    except BaseException as error:
        os.close(at)
        if isinstance(error, OSError):  # which knows a name in a folder only
            error.filename = str(here)
        raise
    return here, at


def _check_folder(folder: Path, opened: int) -> None:
    """Raise UserError if every user may exchange what an open folder contains."""
    if os.fstat(opened).st_mode & (stat.S_IWOTH | stat.S_ISVTX) == stat.S_IWOTH:
        raise UserError(f"{folder}: every user may write to this folder; choose another one, or run chmod o-w on it")


def _check_links(links: int, path: Path) -> None:
    """Raise OSError if a path has more symbolic links than the kernel would follow."""
    if links > _MOST_LINKS:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))


def _next(name: str, at: int) -> int:
    """Open a folder in an open one, which is closed."""
    deeper = os.open(name, _ENTER, dir_fd=at)
    os.close(at)
    return deeper


def _target(link: Path, state: os.stat_result, at: int) -> Path:
    """Return the target of a symbolic link in an open folder. Raises UserError if another user could have made it."""
    if not (_trusted(state) and _trusted(os.fstat(at))):
        raise UserError(f"{link}: is a symbolic link that another user can change; name the file that it leads to")
    return Path(os.readlink(link.name, dir_fd=at))


def _trusted(state: os.stat_result) -> bool:
    """Return whether something belongs to this user or to root."""
    return state.st_uid in {os.geteuid(), 0}


def _state(name: str, at: int | None) -> os.stat_result | None:
    """Return the state of a file in an open folder, or None if there is no such file."""
    try:
        return os.stat(name, dir_fd=at, follow_symlinks=False)
    except FileNotFoundError:
        return None


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
