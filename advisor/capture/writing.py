"""A capture that is written: it is there whole, or not at all."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from advisor import files
from advisor.capture.manifest import SUFFIX
from advisor.errors import UserError


@contextmanager
def written(target: Path, copied: Callable[[Path, Path], None] | None = None) -> Iterator[Path]:
    """A directory to write a capture into, which becomes ``target`` when the context ends without an error.

    It is a single file where its name ends in .capture, else a directory; nobody but its owner may read it. With
    ``copied`` that makes of what was written what is kept, such as a copy without names.
    """
    if target.exists():
        raise UserError(f"{target}: already exists; choose another name or remove it")
    with files.temporary() as folder, files.beside(target) as new:
        whole = new / "capture"
        whole.mkdir(mode=0o700)
        if copied:
            yield folder
            copied(folder, whole)
        else:
            yield whole
        for file in whole.iterdir():
            file.chmod(files.PRIVATE)
        if target.suffix == SUFFIX:
            whole = Path(shutil.make_archive(str(new / "packed"), "zip", whole))
            whole.chmod(files.PRIVATE)
        files.place(whole, target)
