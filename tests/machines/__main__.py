"""Write the captures that fixtures/ contains, and the expected advice for the named machines."""

import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from advisor.catalogue.rules import all_rules
from tests.machines import MACHINES, summary
from tests.support.advised import judge
from tests.support.data_files import write_expected
from tests.support.paths import EXPECTED, KEPT
from tests.support.states import capture_files, observe_state


def pack_files(files: dict[str, str], target: Path) -> None:
    """Write a capture as one file, the same bytes for the same content."""
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, text in sorted(files.items()):
            archive.writestr(ZipInfo(name), text, ZIP_DEFLATED)


for kept in KEPT:
    pack_files(capture_files(MACHINES[kept.stem]()), kept)
named = sys.argv[1:]
rules = list(all_rules().values())
advice = judge((observe_state(MACHINES[name]()), rules) for name in named)
write_expected(EXPECTED, {name: summary(each) for name, each in zip(named, advice, strict=True)}, set(MACHINES))
