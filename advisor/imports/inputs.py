"""Input documents of an import: files, folders, zip and tar archives, gzip, standard input."""

import bz2
import gzip
import io
import lzma
import shutil
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.capture import MANIFEST
from advisor.capture.manifest import SUFFIX
from advisor.capture.opening import LONGEST, MOST_TIMES, NO_ZIP, unpacked_limit
from advisor.errors import UserError
from advisor.imports.lines import encoding_of
from advisor.progress import bar

STDIN = Path("-")

_DAMAGED = (tarfile.TarError, *NO_ZIP)
_HEAD = 4096
_ZIP = b"PK\x03\x04"
MOST_NESTED = 8  # archives inside each other
BUFFER = 1 << 18  # bytes; the encoding is detected from the first ones
_PACKED: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
}  # by their first bytes


@dataclass(frozen=True)
class Document:
    """A document's name for people, and its content, which can be read once; ``head`` is its beginning."""

    name: str
    stream: io.BufferedReader

    @property
    def head(self) -> bytes:
        return self.stream.peek(_HEAD)[:_HEAD]


def explain_non_text(head: bytes) -> str:
    """Return the reason why a document with this beginning is not text; empty if it may be text."""
    if not head:
        return "is empty"
    if head.startswith(_ZIP):
        return "starts like a zip archive and is damaged"
    return "is not text" if b"\0" in head and not encoding_of(head).startswith(("utf-16", "utf-32")) else ""


@dataclass
class _Size:
    """Bytes read from a file, bytes unpacked from them, and the archives around the current document.

    ``advance`` is called with each number of bytes read.
    """

    packed: int = 0
    unpacked: int = 0
    depth: int = 0
    advance: Callable[[int], object] = int

    @contextmanager
    def open_archive(self, name: str) -> Iterator[None]:
        """Count an archive while it is open. Raise UserError if too many are around it."""
        if self.depth == MOST_NESTED:
            raise UserError(f"{name[:LONGEST]}: more than {MOST_NESTED} archives inside each other; unpack it first")
        self.depth += 1
        yield
        self.depth -= 1


class _Counted(io.RawIOBase):
    """A stream that counts the bytes read; it raises UserError if they unpack to far more than texts do."""

    def __init__(self, name: str, content: Any, size: _Size, is_packed: bool = False) -> None:
        super().__init__()
        self._name, self._content, self._size, self._is_packed = name, content, size, is_packed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = int(self._content.readinto(buffer))
        if self._is_packed:
            self._size.packed += count
            self._size.advance(count)
        else:
            self._size.unpacked += count
            if self._size.unpacked > unpacked_limit(self._size.packed):
                raise UserError(f"{self._name}: unpacks to more than {MOST_TIMES} times its size; unpack it first")
        return count


class _Header(tarfile.TarInfo):
    """A header of a tar archive. tarfile ends an archive at a damaged header, except the first."""

    @classmethod
    def fromtarfile(cls, tarfile_: tarfile.TarFile) -> "_Header":
        try:
            return super().fromtarfile(tarfile_)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise  # the regular end
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(str(error)) from None


def is_capture(path: Path) -> bool:
    """Return whether the path is a capture, which needs no import."""
    if path.is_dir():
        return (path / MANIFEST).is_file()
    if not path.is_file() or not zipfile.is_zipfile(path):
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return MANIFEST in archive.namelist()
    except NO_ZIP:  # reported when it is read
        return False


def only_capture(files: Sequence[Path]) -> Path | None:
    """Return the capture that is the only input, or None for texts. A damaged one counts by its name."""
    path, *others = files
    return path if not others and (path.suffix == SUFFIX or is_capture(path)) else None


def refuse_capture(file: Path) -> None:
    """Raise UserError if a file in a folder is a capture or its manifest: it may be of another system."""
    found = file.parent if file.name == MANIFEST else file
    if is_capture(found):
        raise UserError(f"{found}: a capture among texts; analyze it separately, or pass the texts without it")


def documents(paths: Iterable[Path]) -> Iterator[Document]:
    """Yield every document in the order of the paths; documents of a folder or an archive by their names.

    Raise UserError for a path that does not exist, cannot be opened or is damaged, and for a capture among texts.
    """
    for path in paths:
        if path == STDIN:
            with undamaged("standard input"):
                yield from _read_stream("standard input", sys.stdin.buffer, _Size())
        elif is_capture(path):
            refuse_capture(path)
        elif path.is_dir():
            for file in sorted(item for item in path.rglob("*") if item.is_file()):
                refuse_capture(file)
                yield from _read_file(file, str(file.relative_to(path.parent)))
        elif path.is_file():
            yield from _read_file(path, path.name)
        else:
            raise UserError(f"{path}: no such file")


def _read_file(path: Path, name: str) -> Iterator[Document]:
    with undamaged(name):
        if zipfile.is_zipfile(path):
            with path.open("rb") as content:
                yield from _read_zip(name, content, _Size(path.stat().st_size))
        else:
            with path.open("rb") as content, bar("Reading", path.stat().st_size, counted=False) as shown:
                yield from _read_stream(name, content, _Size(advance=shown.update))


def _read_stream(name: str, content: Any, size: _Size) -> Iterator[Document]:
    yield from _unpack(name, _buffer(_Counted(name, content, size, is_packed=True)), size)


def _unpack(name: str, content: Any, size: _Size) -> Iterator[Document]:
    document = Document(name, _buffer(_Counted(name, content, size)))
    unpack = next((unpack for magic, unpack in _PACKED.items() if document.head.startswith(magic)), None)
    if unpack:
        inner = _Counted(name, unpack(document.stream), size)
        document = Document(name.removesuffix(".gz"), _buffer(inner))
    if document.head.startswith(_ZIP):
        with tempfile.TemporaryFile() as copy:  # a zip archive is read from its end
            shutil.copyfileobj(document.stream, copy)
            if zipfile.is_zipfile(copy):
                yield from _read_zip(name, copy, size)
            else:
                copy.seek(0)
                yield Document(name, _buffer(copy))
    elif _is_tar(document.head):
        yield from _read_tar(name, document.stream, size)
    else:
        yield document


def _read_zip(name: str, file: Any, size: _Size) -> Iterator[Document]:
    with size.open_archive(name), zipfile.ZipFile(file) as archive:
        for member in sorted(archive.namelist()):
            if not member.endswith("/"):
                with archive.open(member) as content:
                    yield from _unpack(f"{name}:{member}", content, size)


def _is_tar(head: bytes) -> bool:
    try:
        tarfile.TarInfo.frombuf(head[: tarfile.BLOCKSIZE], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def _read_tar(name: str, stream: io.BufferedReader, size: _Size) -> Iterator[Document]:
    with size.open_archive(name), tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as tar:
        for item in tar:
            file = tar.extractfile(item) if item.isfile() else None
            if file is not None:
                yield from _unpack(f"{name}:{item.name}", file, size)
        _check_rest(tar.fileobj)
        _check_rest(stream)


def _check_rest(content: Any) -> None:
    """Raise an error unless only zeros follow an archive; its compression has the checksum at the very end."""
    while chunk := content.read(BUFFER):
        if chunk.strip(b"\0"):
            raise tarfile.ReadError("data follows its end")


def _buffer(content: Any) -> io.BufferedReader:
    return io.BufferedReader(content, BUFFER)


@contextmanager
def undamaged(name: str) -> Iterator[None]:
    """Raise UserError if an archive is damaged."""
    try:
        yield
    except UserError:
        raise
    except _DAMAGED as error:
        if isinstance(error, OSError) and error.errno:
            raise  # an error of the system, not of unpacking
        raise UserError(
            f"{name}: damaged or encrypted archive ({str(error)[:LONGEST]}); copy it again or unpack it first"
        ) from error
