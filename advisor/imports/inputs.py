"""The documents behind what was named: files, folders of them, zip and tar archives, gzip, standard input."""

import gzip
import io
import lzma
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.capture import MANIFEST
from advisor.errors import UserError

STDIN = Path("-")

_DAMAGED = (zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError)
_HEAD = 4096
BUFFER = 1 << 18  # bytes, from whose beginning the encoding is told


@dataclass(frozen=True)
class Document:
    """A name for people and the content, to be read once; ``head`` is its beginning."""

    name: str
    stream: io.BufferedReader

    @property
    def head(self) -> bytes:
        return self.stream.peek(_HEAD)[:_HEAD]


def is_capture(path: Path) -> bool:
    """Whether the path is a capture already, which needs no import."""
    if path.is_dir():
        return (path / MANIFEST).is_file()
    if not path.is_file() or not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return MANIFEST in archive.namelist()


def refuse_capture(file: Path) -> None:
    """Raise UserError for a file of a folder that is a capture, or the manifest of one: it may be of another system."""
    found = file.parent if file.name == MANIFEST else file
    if is_capture(found):
        raise UserError(f"{found}: a capture among texts; judge it alone, or name the texts without it")


def documents(paths: Iterable[Path]) -> Iterator[Document]:
    """Every document in the order of the paths; those of a folder or an archive by their names.

    Raises UserError for what does not exist, cannot be opened, or is damaged, and for a capture beside texts.
    """
    for path in paths:
        if path == STDIN:
            yield Document("standard input", _buffered(sys.stdin.buffer))
        elif is_capture(path):
            refuse_capture(path)
        elif path.is_dir():
            for file in sorted(item for item in path.rglob("*") if item.is_file()):
                refuse_capture(file)
                yield from _of_file(file, str(file.relative_to(path.parent)))
        elif path.is_file():
            yield from _of_file(path, path.name)
        else:
            raise UserError(f"{path}: no such file")


def _of_file(path: Path, name: str) -> Iterator[Document]:
    with undamaged(name):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for member in sorted(archive.namelist()):
                    if not member.endswith("/"):
                        with archive.open(member) as content:
                            yield from _unpacked(f"{name}:{member}", content)
        elif tarfile.is_tarfile(path):
            with tarfile.open(path) as tar:
                for item in tar:
                    file = tar.extractfile(item) if item.isfile() else None
                    if file is not None:
                        yield from _unpacked(f"{name}:{item.name}", file)
        else:
            with path.open("rb") as content:
                yield from _unpacked(name, content)


def _unpacked(name: str, content: Any) -> Iterator[Document]:
    document = Document(name, _buffered(content))
    if document.head.startswith(b"\x1f\x8b"):
        document = Document(name.removesuffix(".gz"), _buffered(gzip.GzipFile(fileobj=document.stream)))
    yield document


def _buffered(content: Any) -> io.BufferedReader:
    return io.BufferedReader(content, BUFFER)


@contextmanager
def undamaged(name: str) -> Iterator[None]:
    """Around whatever reads from an archive: raises UserError where that is damaged."""
    try:
        yield
    except _DAMAGED as error:
        raise UserError(f"{name}: damaged or encrypted archive ({error}); copy it again or unpack it first") from error
