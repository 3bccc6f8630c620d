"""Access to captures on disk: directories, and zip files, which are unpacked temporarily."""

import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from advisor.capture.manifest import MANIFEST, Manifest, manifest_in, parse_manifest, read_manifest
from advisor.capture.reading import OTHER_VERSION, Capture
from advisor.catalogue.sources import all_sources
from advisor.errors import UserError
from advisor.files import temporary

# Errors of zipfile for invalid files: RuntimeError for encrypted ones, UnicodeError for names that are not text.
NO_ZIP = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, UnicodeError)

# Limits of the unpacked size, against zip bombs: bytes that are always allowed, and a multiple of the packed size.
# Listings of a large system rarely shrink to less than a thirtieth.
ALWAYS_UNPACKED, MOST_TIMES = 32 << 20, 100

LONGEST = 300  # characters of a name or reason in a message


@contextmanager
def open_capture(path: Path) -> Iterator[Capture]:
    """Open a capture directory or zip file. Unpack a zip file until the context ends."""
    if path.is_dir():
        yield _read(path)
    elif path.is_file():
        with temporary() as unpacked:
            _unpack(path, unpacked)
            yield _read(unpacked)
    else:
        raise UserError(f"{path}: no such capture; name a capture directory or a .capture file")


class Outline(NamedTuple):
    """The raw manifest of a capture, and the names of its other files."""

    content: bytes
    files: tuple[str, ...]


def manifest(path: Path) -> Manifest:
    """Return the manifest of a capture without unpacking it. Raise UserError if it is unreadable."""
    return parse_manifest(outline(path).content)


def outline(path: Path) -> Outline:
    """Return the outline of a capture. Raise UserError if the capture does not exist."""
    if path.is_dir():
        return Outline(manifest_in(path), tuple(each.name for each in path.iterdir() if each.name != MANIFEST))
    if not path.exists():
        raise UserError(f"{path}: no such capture; name a capture directory or a .capture file")
    return read_zip_outline(path, path.name)


def read_zip_outline(file: Path | BinaryIO, name: str) -> Outline:
    """Return the outline of a zip file. ``name`` is the file in messages."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            if MANIFEST not in names:
                raise UserError(f"{name}: not a capture; {MANIFEST} is missing")
            if archive.getinfo(MANIFEST).file_size > ALWAYS_UNPACKED:
                raise UserError(f"{name}: {MANIFEST} is too large; capture again")
            return Outline(archive.read(MANIFEST), tuple(each for each in names if each != MANIFEST))
    except NO_ZIP as error:
        raise _unpack_error(name, error) from error


def _unpack(path: Path, target: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.filename.endswith("/")]
            for member in members:
                if Path(member.filename).name != member.filename:
                    raise UserError(
                        f"{path.name}: contains {member.filename[:LONGEST]!r}; a capture cannot contain folders"
                    )
                _check_name(member.filename)
            # zipfile extracts at most the declared size of a member
            if sum(member.file_size for member in members) > unpacked_limit(path.stat().st_size):
                raise UserError(f"{path.name}: not a capture; it unpacks to more than {MOST_TIMES} times its size")
            for member in members:
                archive.extract(member, target)
    except NO_ZIP as error:
        raise _unpack_error(path.name, error) from error


def _unpack_error(name: str, error: BaseException) -> UserError:
    """Return the error for an unreadable zip file: damaged, or an error of the system (disk full, no permission)."""
    refused, why = isinstance(error, OSError) and error.errno, str(error)[:LONGEST]
    what = f"cannot be unpacked ({why})" if refused else f"not a complete zip file ({why}); capture or copy it again"
    return UserError(f"{name}: {what}")


def unpacked_limit(packed: int) -> int:
    """Return the maximum unpacked bytes for a packed size in bytes."""
    return max(ALWAYS_UNPACKED, MOST_TIMES * packed)


def _check_name(name: str, is_file: bool = True) -> None:
    path = Path(name)
    if path.suffix == ".parquet":
        raise UserError(f"{name[:LONGEST]}: Parquet files are no longer read; convert it to CSV or capture again")
    if not is_file or not (path.suffix == ".csv" or name == MANIFEST):
        raise UserError(f"{name[:LONGEST]}: not a file of a capture; remove it")


def _read(directory: Path) -> Capture:
    said = read_manifest(directory)
    files: dict[str, Path] = {}
    skipped: dict[str, str] = {}
    for path in sorted(directory.iterdir()):
        if path.name == MANIFEST:
            continue
        _check_name(path.name, path.is_file())
        if path.stem in all_sources():
            files[path.stem] = path
        else:
            skipped[path.stem] = OTHER_VERSION
    if lost := [name for name in said.sources if name not in files and name not in skipped]:
        raise UserError(f"{directory.name}: the manifest lists {lost[0]}, but its file is missing; capture again")
    return Capture(
        directory,
        said.snapshots,
        said.options,
        said.not_collected,
        said.sources,
        files,
        accepted=said.accepted,
        lessons=said.lessons,
        skipped=skipped,
    )
