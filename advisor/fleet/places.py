"""Where captures lie and results go: files of this machine, or what fsspec reaches by a URL.

What has a URL is brought to a private folder for as long as it is read. A URL can hold a password or a signature, so
that it is shown without.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from advisor.capture.manifest import MANIFEST, SUFFIX
from advisor.capture.opening import Outline, outline, zipped_outline
from advisor.errors import UserError
from advisor.files import temporary

Place = Path | str  # text is a URL
EXTRA = "pip install 'db2tune[fleet]'"
MOST_BROUGHT = 1 << 30  # bytes of what is brought here at a time, which else could fill a disk
_BLOCK = 1 << 20


def place(text: str) -> Place:
    """What somebody named: a URL, or a path of this machine."""
    return text if "://" in text else Path(text)


def absolute(where: Place) -> Place:
    """The same for who stands in another folder."""
    return where.absolute() if isinstance(where, Path) else where


def shown(where: Place) -> str:
    """A place without login, query and fragment."""
    if isinstance(where, Path):
        return str(where)
    scheme, _, rest = where.partition("://")
    said = urlsplit(f"//{rest}")
    return f"{scheme}://{said.netloc.rpartition('@')[2]}{said.path}"


def name(where: Place) -> str:
    """The last part of a place."""
    return where.name if isinstance(where, Path) else PurePosixPath(shown(where)).name


def system(url: str) -> tuple[Any, str]:
    """The file system of a URL and the path there. Raises UserError where nothing is installed that speaks to it."""
    try:
        import fsspec
    except ImportError:
        raise UserError(f"{shown(url)}: to read and write URLs, {EXTRA}") from None
    with told(url):
        return fsspec.url_to_fs(url)  # type: ignore[no-any-return]


@contextmanager
def told(url: str) -> Iterator[None]:
    """Each file system has errors of its own: all become one line without what the URL keeps secret."""
    try:
        yield
    except UserError:
        raise
    except FileNotFoundError:
        raise UserError(f"{shown(url)}: no such file or folder; name captures, or a folder of them") from None
    except Exception as error:
        lines = str(error).replace(url, shown(url)).splitlines()
        raise UserError(f"{shown(url)}: {lines[0] if lines else type(error).__name__}") from error


def captures_below(url: str) -> list[str]:
    """The captures at a URL: itself, or those at any depth below it, by name."""
    files, root = system(url)
    with told(url):
        if files.isfile(root):
            return [url]
        found = [PurePosixPath(path) for path in sorted(files.find(root))]
    folders = {path.parent for path in found if path.name == MANIFEST}
    held = {path for path in found if folders & set(path.parents)}
    outer = {folder for folder in folders if not folders & set(folder.parents)}
    own = outer | {path for path in found if path not in held and path.name.endswith(SUFFIX)}
    begin = PurePosixPath(root)
    return [url if path == begin else f"{url.rstrip('/')}/{path.relative_to(begin)}" for path in sorted(own)]


def outline_at(where: Place) -> Outline:
    """The manifest of a capture and the names of its files; of an archive no more is fetched than says that."""
    if isinstance(where, Path):
        return outline(where)
    files, root = system(where)
    with told(where):
        if files.isfile(root):
            with files.open(root, "rb") as archive:
                return zipped_outline(archive, name(where))
        listed = [PurePosixPath(path).name for path in files.ls(root, detail=False)]
        return Outline(files.cat_file(f"{root}/{MANIFEST}"), tuple(each for each in listed if each != MANIFEST))


@contextmanager
def brought(where: Place) -> Iterator[Path]:
    """The capture as a file or folder of this machine, for as long as the context lasts."""
    if isinstance(where, Path):
        yield where
        return
    with temporary() as folder:
        target = folder / (name(where) or "capture")
        files, root = system(where)
        with told(where):
            _bring(files, root, target, shown(where))
        yield target


def _bring(files: Any, root: str, target: Path, called: str) -> None:
    if files.isfile(root):
        wanted = {target: root}
    else:
        target.mkdir(mode=0o700)
        wanted = {target / PurePosixPath(path).name: path for path in files.ls(root, detail=False)}
    left = MOST_BROUGHT
    for new, path in wanted.items():
        with files.open(path, "rb") as source, new.open("xb") as copy:
            while block := source.read(_BLOCK):
                left -= len(block)
                if left < 0:
                    raise UserError(f"{called}: more than {MOST_BROUGHT >> 30} GiB; copy it here and name the copy")
                copy.write(block)


def size(path: Path) -> int:
    """Bytes of a file, or of the files of a folder."""
    return sum(each.stat().st_size for each in path.iterdir()) if path.is_dir() else path.stat().st_size
