"""docs/nightly/requirements.txt: the versions of constraints.txt with the hashes of all their files.

pip then installs nothing else, whatever the index offers.
"""

import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.release.environment import CONSTRAINTS, ROOT, run

TARGET = ROOT / "docs" / "nightly" / "requirements.txt"
HEAD = """\
# What db2tune[db2,verify] needs, by version and hash: pip install --require-hashes -r requirements.txt
# Written by `python -m tools.release hashes`; no index is named, yours is used.
"""


def wanted() -> list[str]:
    """Return the dependencies of the program, with the driver and the packages of verdicts."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    return [*project["dependencies"], *extras["db2"], *extras["verify"]]


def write() -> None:
    """Write the versions with the hashes from the index."""
    with TemporaryDirectory() as folder:
        asked, found = Path(folder, "asked.in"), Path(folder, "found.txt")
        asked.write_text("\n".join(wanted()), encoding="utf-8")
        options = ["--generate-hashes", "--no-emit-index-url", "--no-emit-trusted-host", "--no-annotate", "--no-header"]
        options += ["--strip-extras", "--no-emit-find-links", "--constraint", str(CONSTRAINTS)]
        run(Path(sys.executable).with_name("pip-compile"), "--quiet", *options, "--output-file", found, asked)
        TARGET.write_text(HEAD + found.read_text(encoding="utf-8").lstrip(), encoding="utf-8")
