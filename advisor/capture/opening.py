"""A capture on disk, opened: a directory, or a zip of one that is unpacked for the while."""

import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from advisor.capture.manifest import MANIFEST, read_manifest
from advisor.capture.reading import Capture
from advisor.catalogue.sources import all_sources
from advisor.errors import UserError


@contextmanager
def opened(path: Path) -> Iterator[Capture]:
    """Open a capture directory or zip; a zip is unpacked for as long as the context lasts."""
    if path.is_dir():
        yield _read(path)
    elif path.is_file():
        with tempfile.TemporaryDirectory(prefix="db2tune-") as unpacked:
            _unpack(path, Path(unpacked))
            yield _read(Path(unpacked))
    else:
        raise UserError(f"{path}: no such capture; name a capture directory or a .capture file")


def _unpack(path: Path, target: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if member.is_dir():
                    continue
                if Path(member.filename).name != member.filename:
                    raise UserError(f"{path.name}: holds {member.filename!r}; a capture has no folders inside")
                archive.extract(member, target)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:  # RuntimeError: encrypted
        raise UserError(f"{path.name}: not a complete zip file ({error}); capture or copy it again") from error


def _read(directory: Path) -> Capture:
    said = read_manifest(directory)
    files: dict[str, Path] = {}
    for path in sorted(directory.iterdir()):
        if path.name == MANIFEST:
            continue
        if not path.is_file() or path.suffix not in (".csv", ".parquet") or path.stem not in all_sources():
            raise UserError(f"{path.name}: not a file of a capture; remove it or use a newer db2tune")
        if path.stem in files:
            raise UserError(f"{path.name}: {path.stem} is there as CSV and as Parquet; remove one")
        files[path.stem] = path
    if lost := [name for name in said.sources if name not in files]:
        raise UserError(f"{directory.name}: the manifest lists {lost[0]} but its file is missing; capture again")
    return Capture(directory, said.snapshots, said.options, said.not_collected, said.sources, files)
