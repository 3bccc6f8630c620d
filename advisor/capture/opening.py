"""A capture on disk, opened: a directory, or a zip of one that is unpacked for the while."""

import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from advisor.capture.manifest import MANIFEST, Manifest, manifest_in, parse_manifest, read_manifest
from advisor.capture.reading import LONGEST, Capture
from advisor.catalogue.sources import all_sources
from advisor.errors import UserError
from advisor.files import temporary

# What zipfile raises for what is no zip: RuntimeError of an encrypted one, UnicodeError of names that are no text.
NO_ZIP = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, UnicodeError)

# What unpacks to more than both is no capture and no text, but made to fill a disk: the first in bytes, the second
# times its packed size. Listings of a large system are seldom packed to a thirtieth.
ALWAYS_UNPACKED, MOST_TIMES = 32 << 20, 100


@contextmanager
def opened(path: Path) -> Iterator[Capture]:
    """Open a capture directory or zip; a zip is unpacked for as long as the context lasts."""
    if path.is_dir():
        yield _read(path)
    elif path.is_file():
        with temporary() as unpacked:
            _unpack(path, unpacked)
            yield _read(unpacked)
    else:
        raise UserError(f"{path}: no such capture; name a capture directory or a .capture file")


class Outline(NamedTuple):
    """What the manifest of a capture says, as it is written, and the names of the other files."""

    content: bytes
    files: tuple[str, ...]


def manifest(path: Path) -> Manifest:
    """The manifest of a capture, without unpacking it. Raises UserError where it cannot be read."""
    return parse_manifest(outline(path).content)


def outline(path: Path) -> Outline:
    """The same, not yet understood. Raises UserError where it is not there."""
    if path.is_dir():
        return Outline(manifest_in(path), tuple(each.name for each in path.iterdir() if each.name != MANIFEST))
    if not path.exists():
        raise UserError(f"{path}: no such capture; name a capture directory or a .capture file")
    return zipped_outline(path, path.name)


def zipped_outline(file: Path | BinaryIO, name: str) -> Outline:
    """The same of a zip that is called so."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            if MANIFEST not in names:
                raise UserError(f"{name}: has no {MANIFEST}; this is not a capture")
            if archive.getinfo(MANIFEST).file_size > ALWAYS_UNPACKED:
                raise UserError(f"{name}: its {MANIFEST} is too large for one; capture again")
            return Outline(archive.read(MANIFEST), tuple(each for each in names if each != MANIFEST))
    except NO_ZIP as error:
        raise _not_unpacked(name, error) from error


def _unpack(path: Path, target: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.filename.endswith("/")]
            for member in members:
                if Path(member.filename).name != member.filename:
                    raise UserError(
                        f"{path.name}: holds {member.filename[:LONGEST]!r}; a capture has no folders inside"
                    )
                _check_name(member.filename)
            # zipfile hands out no more of a member than it says to have
            if sum(member.file_size for member in members) > too_much(path.stat().st_size):
                raise UserError(f"{path.name}: would unpack to more than {MOST_TIMES} times its size; it is no capture")
            for member in members:
                archive.extract(member, target)
    except NO_ZIP as error:
        raise _not_unpacked(path.name, error) from error


def _not_unpacked(name: str, error: BaseException) -> UserError:
    """What to say of a zip that cannot be read: it is damaged, or the system refused (a full disk, no permission)."""
    refused, why = isinstance(error, OSError) and error.errno, str(error)[:LONGEST]
    what = f"cannot be unpacked ({why})" if refused else f"not a complete zip file ({why}); capture or copy it again"
    return UserError(f"{name}: {what}")


def too_much(packed: int) -> int:
    """Bytes that so many packed ones may not unpack to."""
    return max(ALWAYS_UNPACKED, MOST_TIMES * packed)


def _check_name(name: str, is_file: bool = True) -> None:
    path = Path(name)
    known = path.suffix in (".csv", ".parquet") and path.stem in all_sources()
    if not is_file or not (known or name == MANIFEST):
        raise UserError(f"{name[:LONGEST]}: not a file of a capture; remove it or use a newer db2tune")


def _read(directory: Path) -> Capture:
    said = read_manifest(directory)
    files: dict[str, Path] = {}
    for path in sorted(directory.iterdir()):
        if path.name == MANIFEST:
            continue
        _check_name(path.name, path.is_file())
        if path.stem in files:
            raise UserError(f"{path.name}: {path.stem} is there as CSV and as Parquet; remove one")
        files[path.stem] = path
    if lost := [name for name in said.sources if name not in files]:
        raise UserError(f"{directory.name}: the manifest lists {lost[0]} but its file is missing; capture again")
    return Capture(
        directory,
        said.snapshots,
        said.options,
        said.not_collected,
        said.sources,
        files,
        accepted=said.accepted,
        lessons=said.lessons,
    )
