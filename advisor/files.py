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

PRIVATE = 0o600  # captures and summaries contain names and statement texts
PRIVATE_FOLDER = 0o700
_MOST_LINKS = 40  # as in the Linux kernel
_ENTER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_PREFIX, _BESIDE = "db2tune-", ".db2tune-"
_NEW, _LOCK = ".new", ".db2tune.lock"
_YOUNG_S = 60  # minimum age of leftovers: younger ones may be about to be locked or renamed


def replace(file: Path, text: str, mode: int | None = None) -> None:
    """Write a file. Replace an older one in one step, and keep a symbolic link to it.

    Without ``mode``, an older file keeps its mode, and the umask sets that of a new one. Raise OSError or UserError;
    then nothing has changed.
    """
    with _open_parent(file) as (path, at):
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
    """Give a complete file or folder its name on the same file system. Raise UserError if that name exists."""
    for path in [*new.rglob("*"), new]:
        _sync(path)
    try:
        with _open_folder(target.parent) as (parent, at):
            named = target.name if at is not None else str(parent / target.name)
            if new.is_dir() or os.name == "nt":
                # a folder, and any file on Windows, can replace an empty folder only
                os.rename(new, named, dst_dir_fd=at)
            else:
                _link(new, named, at)
                with suppress(OSError):  # its folder is removed later
                    new.unlink()
    except OSError as error:
        if target.exists():
            raise UserError(f"{target}: already exists; choose another name or remove it") from None
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
    """Create a folder and its missing parents. Return its path without symbolic links."""
    with _open_folder(path, mode) as (real, _):
        return real


def resolve_file(file: Path) -> Path:
    """Return the path of a file without symbolic links. Raise UserError if another user could divert it."""
    with _open_parent(file) as (path, _):
        return path


def create_folder_beside(target: Path) -> AbstractContextManager[Path]:
    """Create a private folder on the target's file system. Remove it when the context ends."""
    return _folder(_BESIDE, folder(target.parent))


@contextmanager
def create_private_files() -> Iterator[None]:
    """Create all files of this process for their owner only. Libraries set no mode for their files."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def _open_parent(file: Path) -> Iterator[tuple[Path, int | None]]:
    """Yield the path of a file without symbolic links, and its folder, which stays open."""
    for links in count():
        _check_links(links, file)
        with _open_folder(file.parent) as (parent, at):
            path = parent / file.name
            if at is None:
                yield path.resolve(), None
                return
            state = _state(file.name, at)
            if state is None or not stat.S_ISLNK(state.st_mode):
                if state and os.fstat(at).st_mode & stat.S_ISVTX and not _is_trusted(state):
                    raise UserError(f"{path}: belongs to another user in a shared folder; choose another name")
                yield path, at
                return
            file = parent / _target(path, state, at)


@contextmanager
def _open_folder(folder: Path, make: int | None = None) -> Iterator[tuple[Path, int | None]]:
    """Yield the path of a folder without symbolic links, and its descriptor. ``make`` is the mode of missing folders.

    On Windows, the descriptor is None. Raise UserError if another user could divert the path, or OSError.
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
    """Follow a path from the root, component by component. Return it without symbolic links, and its descriptor."""
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
                    here, at = Path("/"), _open_child("/", at)
                names += reversed(target.parts[target.is_absolute() :])
                continue
            here = here.parent if name == ".." else here / name
            if state is None and make is not None:
                with suppress(FileExistsError):
                    os.mkdir(name, make, dir_fd=at)
            at = _open_child(name, at)
            _check_folder(here, at)
    except BaseException as error:
        os.close(at)
        if isinstance(error, OSError):  # it contains only the last name
            error.filename = str(here)
        raise
    return here, at


def _check_folder(folder: Path, opened: int) -> None:
    """Raise UserError if every user may replace files in an open folder."""
    if os.fstat(opened).st_mode & (stat.S_IWOTH | stat.S_ISVTX) == stat.S_IWOTH:
        raise UserError(f"{folder}: every user may write to this folder; choose another one, or run chmod o-w on it")


def _check_links(links: int, path: Path) -> None:
    """Raise OSError if a path has more symbolic links than the kernel would follow."""
    if links > _MOST_LINKS:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))


def _open_child(name: str, at: int) -> int:
    """Open a folder in an open one. Close the outer one."""
    deeper = os.open(name, _ENTER, dir_fd=at)
    os.close(at)
    return deeper


def _target(link: Path, state: os.stat_result, at: int) -> Path:
    """Return the target of a symbolic link in an open folder. Raise UserError if another user could have made it."""
    if not (_is_trusted(state) and _is_trusted(os.fstat(at))):
        raise UserError(f"{link}: another user can change this symbolic link; name its target instead")
    return Path(os.readlink(link.name, dir_fd=at))


def _is_trusted(state: os.stat_result) -> bool:
    """Return whether this user or root is the owner."""
    return state.st_uid in {os.geteuid(), 0}


def _state(name: str, at: int | None) -> os.stat_result | None:
    """Return the state of a file in an open folder, or None if there is no such file."""
    try:
        return os.stat(name, dir_fd=at, follow_symlinks=False)
    except FileNotFoundError:
        return None


def tidy(folder: Path) -> None:
    """Remove files that killed processes left in a folder."""
    _sweep(_BESIDE, folder)


def temporary() -> AbstractContextManager[Path]:
    """Create a private temporary folder. Remove it when the context ends."""
    return _folder(_PREFIX, Path(tempfile.gettempdir()))


@contextmanager
def _folder(prefix: str, parent: Path) -> Iterator[Path]:
    """Create a folder and lock it while it is used. Remove the unlocked folders of killed processes."""
    from filelock import FileLock

    _sweep(prefix, parent)
    folder = parent / f"{prefix}{secrets.token_hex(8)}"
    try:  # begins before mkdir: the first signal may come at any moment, and only it raises
        _create(folder)
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


def _create(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        what = f"cannot create files here ({error.strerror})"
        raise OSError(error.errno, what, str(folder.parent)) from error


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock a folder against other processes. Create no lock file."""
    if os.name == "nt":
        yield  # Windows cannot lock folders
        return
    import fcntl

    opened = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems have no locks
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _sweep(prefix: str, parent: Path) -> None:
    """Remove the files and folders that killed processes of this user left.

    These are new files that were never renamed, empty folders, and private folders whose lock is free.
    """
    if os.name == "nt":
        return
    with suppress(OSError):  # users may lack permission to list the folder
        for entry in os.scandir(parent):
            if entry.name.startswith(prefix):
                with suppress(OSError):  # removed meanwhile
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
            left.rmdir()  # its process died before the lock; other content remains
            return
        with suppress(Timeout), FileLock(lock, timeout=0):
            shutil.rmtree(left)


def _sync(path: Path) -> None:
    """Force a file, or the names in a folder, to disk, if the system supports it."""
    with suppress(OSError):  # Windows cannot sync folders
        opened = os.open(path, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
