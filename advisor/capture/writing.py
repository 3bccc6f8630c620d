"""A capture that is written: it is there whole, or not at all."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from advisor.errors import UserError


@contextmanager
def written(target: Path, copied: Callable[[Path, Path], None] | None = None) -> Iterator[Path]:
    """A directory to write a capture into, which becomes ``target`` when the context ends without an error.

    It is a single file where its name ends in .capture, else a directory. With ``copied`` that makes of what was
    written what is kept, such as a copy without names.
    """
    if target.exists():
        raise UserError(f"{target}: is there already; name another file or remove it")
    with tempfile.TemporaryDirectory(prefix="db2tune-") as folder:
        raw = Path(folder) / ("original" if copied else "capture")
        raw.mkdir()
        yield raw
        if copied:
            original, raw = raw, Path(folder) / "capture"
            copied(original, raw)
        if target.suffix == ".capture":
            raw = Path(shutil.make_archive(str(Path(folder) / "packed"), "zip", raw))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(raw, target)
