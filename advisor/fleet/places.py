"""Locations of captures and results: local paths, or URLs that fsspec supports.

A capture with a URL is copied to a private folder while it is read. URLs can contain passwords or signatures, which
messages omit.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from advisor.capture.manifest import MANIFEST, SUFFIX
from advisor.capture.opening import Outline, outline, read_zip_outline
from advisor.errors import UserError
from advisor.files import temporary

Place = Path | str  # a str is a URL
EXTRA = "pip install 'db2tune[fleet]'"
MOST_BROUGHT = 1 << 30  # bytes of copied captures at a time, to protect the disk
_BLOCK = 1 << 20


def place(text: str) -> Place:
    """Return the location in a text: a URL or a local path."""
    return text if "://" in text else Path(text)


def absolute(where: Place) -> Place:
    """Return the location with an absolute path."""
    return where.absolute() if isinstance(where, Path) else where


def strip_secrets(where: Place) -> str:
    """Return a location without login, query and fragment."""
    if isinstance(where, Path):
        return str(where)
    scheme, _, rest = where.partition("://")
    said = urlsplit(f"//{rest}")
    return f"{scheme}://{said.netloc.rpartition('@')[2]}{said.path}"


def name(where: Place) -> str:
    """Return the last part of a location."""
    return where.name if isinstance(where, Path) else PurePosixPath(strip_secrets(where)).name


def system(url: str) -> tuple[Any, str]:
    """Return the file system of a URL and the path in it. Raise UserError if no package for it is installed."""
    try:
        import fsspec
    except ImportError:
        raise UserError(f"{strip_secrets(url)}: URLs require {EXTRA}") from None
    with explain_errors(url):
        return fsspec.url_to_fs(url)  # type: ignore[no-any-return]


@contextmanager
def explain_errors(url: str) -> Iterator[None]:
    """Turn the errors of all file systems into a UserError of one line, without the secrets of the URL."""
    try:
        yield
    except UserError:
        raise
    except FileNotFoundError:
        raise UserError(f"{strip_secrets(url)}: no such file or folder; name captures or folders of captures") from None
    except Exception as error:
        lines = str(error).replace(url, strip_secrets(url)).splitlines()
        raise UserError(f"{strip_secrets(url)}: {lines[0] if lines else type(error).__name__}") from error


def captures_below(url: str) -> list[str]:
    """Return the captures at a URL or at any depth below it, by name."""
    files, root = system(url)
    with explain_errors(url):
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
    """Return the manifest of a capture and the names of its files. Fetch only these parts of a zip file."""
    if isinstance(where, Path):
        return outline(where)
    files, root = system(where)
    with explain_errors(where):
        if files.isfile(root):
            with files.open(root, "rb") as archive:
                return read_zip_outline(archive, name(where))
        listed = [PurePosixPath(path).name for path in files.ls(root, detail=False)]
        return Outline(files.cat_file(f"{root}/{MANIFEST}"), tuple(each for each in listed if each != MANIFEST))


@contextmanager
def copy_capture(where: Place) -> Iterator[Path]:
    """Yield a local path of the capture. Remove a copy when the context ends."""
    if isinstance(where, Path):
        yield where
        return
    with temporary() as folder:
        target = folder / (name(where) or "capture")
        files, root = system(where)
        with explain_errors(where):
            _bring(files, root, target, strip_secrets(where))
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
                    raise UserError(f"{called}: more than {MOST_BROUGHT >> 30} GiB; copy it to this machine first")
                copy.write(block)


def size(path: Path) -> int:
    """Return the bytes of a file or of the files in a folder."""
    return sum(each.stat().st_size for each in path.iterdir()) if path.is_dir() else path.stat().st_size
