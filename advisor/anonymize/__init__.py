"""A capture that can be given away: every name replaced, consistently, and nothing that rules need lost.

What is done with each column is data: columns.csv has a treatment for every column that holds text, settings.csv and
facts.csv for the values of settings and host facts, kinds.csv what the new names look like, and keep.csv which values
stay because every Db2 or operating system has them. What none of them knows is replaced.
"""

from pathlib import Path

from advisor.anonymize.manifest import unnamed
from advisor.anonymize.names import Names
from advisor.anonymize.rows import Rows
from advisor.capture import Collected, Manifest, opened
from advisor.catalogue.embedded import connect
from advisor.errors import UserError

__all__ = ["anonymized"]


def anonymized(capture: Path, target: Path) -> None:
    """Write a copy of a capture, a directory or a single file, as a directory without its names.

    Names become numbers in the order of the originals, so that what comes first in an alphabet still does. Raises
    UserError when the capture is not usable or ``target`` is not empty.
    """
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise UserError(f"{target}: is not empty; name another directory")
    names = Names()
    with opened(capture) as found, connect() as connection:
        found.load(connection)
        rows = Rows(connection, found)
        declared = {name: found.declared.get(name, Collected()) for name in found.files}
        manifest = Manifest(found.snapshots, declared, found.not_collected, found.options)
        rows.note(names.note)
        unnamed(manifest, rows, names.note)
        names.settle()
        rows.write(target, names.word)
        unnamed(manifest, rows, names.word).write(target)
