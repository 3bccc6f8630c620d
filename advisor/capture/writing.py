"""Atomic writing of captures."""

import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from advisor import files
from advisor.capture.manifest import SUFFIX
from advisor.errors import UserError

_QUOTED = re.compile(r'[",\r\n]|^$')


def format_row(values: Iterable[Any]) -> str:
    """Return a line of a capture's file: NULL is an empty field, and an empty text a quoted one."""
    return ",".join(map(_format_cell, values)) + "\n"


def _format_cell(value: Any) -> str:
    if value is None:
        return ""
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


@contextmanager
def write_capture(target: Path, copied: Callable[[Path, Path], None] | None = None) -> Iterator[Path]:
    """Yield a directory for a capture. Rename it to ``target`` when the context ends without an error.

    The result is one file if its name ends in .capture, else a directory. Only its owner can read it. ``copied``
    converts the written directory into the final one, for example into an anonymized copy.
    """
    if target.exists():
        raise UserError(f"{target}: already exists; choose another name or remove it")
    with files.temporary() as folder, files.create_folder_beside(target) as new:
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
